"""Live stories over REST: figures follow what happens to chats at once, with their lists."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Account, Widget
from apps.agents.models import Agent
from apps.chats.actions.own_messages import delete_message
from apps.chats.models import Chat, Contact, ContactJoin, Message
from apps.core.observability import metrics
from tests.client import ApiClient
from tests.factories import ContactFactory
from tests.factories.chats import ChatFactory, ContactTagFactory, MessageFactory

pytestmark = pytest.mark.django_db


def figures(api: ApiClient, query: str = "") -> dict[str, Any]:
    found: dict[str, Any] = api.get(f"/reports?{query}").json()["data"]["figures"]
    return found


def listed(api: ApiClient, figure: dict[str, Any]) -> list[int]:
    rows = api.get(figure["chats"].removeprefix("/api/v1")).json()["data"]
    assert len(rows) == figure.get("value", figure.get("n"))
    return [row["chat_id"] for row in rows]


@pytest.fixture
def asked(chat: Chat) -> Message:
    return MessageFactory.create(chat=chat, created_at=timezone.now() - timedelta(minutes=8))


def test_an_answer_counts_at_once_and_no_more_once_it_is_deleted(
    api: ApiClient, chat: Chat, asked: Message, alice: Agent
) -> None:
    assert figures(api)["answered"]["value"] == 0
    answered_at = asked.created_at + timedelta(seconds=420)
    answer = MessageFactory.create(chat=chat, agent=alice, created_at=answered_at, via="console")
    found = figures(api)
    assert listed(api, found["answered"]) == [chat.pk]
    assert (found["first_reply"]["p50"], found["person_reply"]["p90"]) == (420, 420)
    assert figures(api, f"agent_id={alice.pk}")["episodes"]["value"] == 1
    delete_message(widget_id=chat.widget_id, message_id=answer.pk, agent_id=alice.pk)
    found = figures(api)
    assert (found["answered"]["value"], found["first_reply"]["n"]) == (0, 0)


def test_spam_is_in_no_figure(api: ApiClient, chat: Chat, asked: Message) -> None:
    assert listed(api, figures(api)["episodes"]) == [chat.pk]
    assert api.post(f"/chats/{chat.pk}/state", json={"state": "spam"}).status_code == 200
    assert figures(api)["episodes"]["value"] == 0
    assert api.post(f"/chats/{chat.pk}/state", json={"state": "active"}).status_code == 200
    assert listed(api, figures(api)["episodes"]) == [chat.pk]


def test_joined_contacts_are_one_person_with_the_tags_of_both(
    api: ApiClient, account: Account, shop: Widget, chat: Chat, ivan: Contact, asked: Message
) -> None:
    other = ContactFactory.create(widget=shop)
    ContactTagFactory.create(contact=other, tag__name="vip", tag__account=account)
    again = ChatFactory.create(contact=other, channel="tg__1")
    MessageFactory.create(chat=again, created_at=timezone.now() - timedelta(minutes=2))
    assert figures(api)["people"]["value"] == 2
    assert listed(api, figures(api, "tag=vip")["episodes"]) == [again.pk]

    join = ContactJoin.objects.create(widget=shop, contact=other, first=ivan)
    found = figures(api)
    assert (found["episodes"]["value"], found["people"]["value"]) == (2, 1)
    assert listed(api, found["people"]) == [again.pk]  # the newest of the person
    assert figures(api, "tag=vip")["episodes"]["value"] == 2
    grouped = api.get("/reports?group=tag").json()["data"]["groups"]
    assert [(each["key"], each["figures"]["episodes"]["value"]) for each in grouped] == [("vip", 2)]

    join.delete()
    assert figures(api)["people"]["value"] == 2
    assert figures(api, "tag=vip")["episodes"]["value"] == 1


def test_a_tag_of_another_spelling_is_the_same_tag(
    api: ApiClient, account: Account, chat: Chat, ivan: Contact, asked: Message
) -> None:
    ContactTagFactory.create(contact=ivan, tag__name="größe", tag__account=account)
    assert figures(api, "tag=größe")["episodes"]["value"] == 1
    assert figures(api, "tag=gro\u0308ße")["episodes"]["value"] == 1
    assert figures(api, "tag=nobody")["episodes"]["value"] == 0


def test_a_deleted_chat_is_in_no_figure(api: ApiClient, chat: Chat, asked: Message) -> None:
    assert figures(api)["episodes"]["value"] == 1
    Message.objects.filter(chat=chat).delete()
    Chat.objects.filter(pk=chat.pk).delete()
    assert figures(api)["episodes"]["value"] == 0


def test_how_long_a_report_took_is_counted(api: ApiClient, chat: Chat) -> None:
    def counted() -> float:
        return next(each.value for each in metrics.REPORTS.collect()[0].samples if each.name.endswith("_count"))

    before = counted()
    figures(api)
    assert counted() == before + 1
