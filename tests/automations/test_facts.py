"""The facts of a chat: each field as it is now, read when it is asked for, its group once."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.automations.querysets.facts import AskedFacts
from apps.automations.rules.fields import FIELDS
from apps.chats import actions
from apps.chats.models import Chat, Contact, Message
from apps.letters.models import InLetter
from tests.automations.served import HELLO
from tests.factories import MessageFactory
from tests.factories.widget import VisitorSessionFactory

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def facts_of(chat: Chat, as_of: Any = None, **data: Any) -> AskedFacts:
    found = Chat.objects.select_related("widget", "contact").get(pk=chat.pk)
    return AskedFacts(found, data, as_of or timezone.now())


def write(contact: Contact, text: str = "Hello") -> int:
    return actions.post_client_message(contact=contact, content={"type": "text", "body": text}).id


def test_every_field_is_known() -> None:
    assert set(AskedFacts(Chat(), {}, timezone.now())) == set(FIELDS)


@pytest.mark.parametrize(
    ("fields", "statements"),
    [
        (("channel", "department_id", "agent_id", "priority", "status", "handling", "handover_reason"), 0),
        (("contact.name", "contact.email", "contact.phone", "contact.attributes.plan"), 0),
        (("previous.department_id", "previous.agent_id", "previous.priority", "previous.status"), 0),
        (("text", "message_type"), 1),
        (("is_automatic",), 2),
        (("page_url",), 1),
        (("contact.tags",), 1),
        (("rating",), 1),
        (("waits_minutes",), 3),
        (("started_by",), 1),
        (("messages", "is_returning"), 3),
        (("is_open", "weekday", "time"), 1),
        (("is_staffed",), 1),
        (("language",), 1),
    ],
)
def test_a_group_is_read_once_and_when_it_is_asked_for(
    shop: Widget, ivan: Contact, chat: Chat, sales: Department, fields: tuple[str, ...], statements: int
) -> None:
    write(ivan)
    Chat.objects.filter(pk=chat.pk).update(department=sales)
    facts = facts_of(chat)
    with CaptureQueriesContext(connection) as asked:
        first = [facts[field] for field in fields]
        assert [facts[field] for field in fields] == first
    assert len(asked) == statements, [query["sql"] for query in asked]


def test_the_chat_and_its_contact(chat: Chat, ivan: Contact, alice: Agent, sales: Department) -> None:
    Chat.objects.filter(pk=chat.pk).update(department=sales, agent=alice, handover_reason="asked")
    Contact.objects.filter(pk=ivan.pk).update(email="i@example.test", attributes={"plan": "pro", "orders": 3})
    facts = facts_of(chat, previous={"agent_id": 7, "status": "expired"})
    assert (facts["department_id"], facts["agent_id"], facts["handover_reason"]) == (sales.pk, alice.pk, "asked")
    assert (facts["contact.email"], facts["contact.attributes.plan"]) == ("i@example.test", "pro")
    assert (facts["contact.attributes.orders"], facts["contact.attributes.none"]) == (3, None)
    assert (facts["previous.agent_id"], facts["previous.status"], facts["previous.priority"]) == (7, "expired", None)
    assert (facts.get("priority"), facts.get("status"), facts.get("channel")) == ("normal", "active", "widget")
    assert facts.get("unknown") is None


def test_the_text_is_the_messages_else_the_newest_of_the_visitor(chat: Chat, ivan: Contact, alice: Agent) -> None:
    assert facts_of(chat)["text"] is None
    first = write(ivan, "First")
    write(ivan, "Second")
    answer = actions.post_agent_message(
        widget_id=chat.widget_id, chat_id=chat.pk, content={"type": "text", "body": "Answer"}, agent_id=alice.pk
    )
    assert facts_of(chat)["text"] == "Second"
    assert facts_of(chat, message_id=first)["text"] == "First"
    assert facts_of(chat, message_id=answer.id)["text"] == "Answer"
    assert facts_of(chat)["message_type"] == "text"


def test_a_machines_letter_that_was_let_in_is_automatic(shop: Widget, chat: Chat, ivan: Contact) -> None:
    message_id = write(ivan, "Out of office")
    assert facts_of(chat, message_id=message_id)["is_automatic"] is False
    InLetter.objects.create(widget=shop, chat=chat, message_id=message_id, door="hook", reason="machine")
    assert facts_of(chat, message_id=message_id)["is_automatic"] is True


def test_who_began_and_how_much_was_said_in_this_episode(chat: Chat, ivan: Contact, alice: Agent) -> None:
    of: Any = {"widget_id": chat.widget_id, "chat_id": chat.pk}
    assert facts_of(chat)["started_by"] == "visitor"
    actions.post_agent_message(**of, content=HELLO, agent_id=alice.pk)
    assert (facts_of(chat)["started_by"], facts_of(chat)["messages"]) == ("operator", 0)
    write(ivan)
    write(ivan)
    facts = facts_of(chat)
    assert (facts["messages"], facts["is_returning"]) == (2, False)
    actions.close_chat(**of)
    assert facts_of(chat)["messages"] == 2, "the episode that is over is the last one"
    write(ivan)
    facts = facts_of(chat)
    assert (facts["messages"], facts["is_returning"]) == (1, True)


def test_an_episode_begins_after_a_day_in_which_nobody_waited(chat: Chat, ivan: Contact, alice: Agent) -> None:
    now = timezone.now()
    MessageFactory.create(chat=chat, created_at=now - 3 * DAY)
    MessageFactory.create(chat=chat, created_at=now - 1.5 * DAY)
    assert facts_of(chat)["messages"] == 2, "the visitor waited"
    MessageFactory.create(chat=chat, agent=alice, created_at=now - 1.4 * DAY)
    MessageFactory.create(chat=chat, created_at=now)
    facts = facts_of(chat)
    assert (facts["messages"], facts["is_returning"]) == (1, True)


def test_a_visitor_who_has_written_in_another_channel_returns(shop: Widget, chat: Chat, ivan: Contact) -> None:
    write(ivan)
    assert facts_of(chat)["is_returning"] is False
    actions.post_client_message(contact=ivan, content=HELLO, channel="tg__1")
    assert facts_of(chat)["is_returning"] is True


def test_how_long_they_wait(chat: Chat, ivan: Contact, alice: Agent) -> None:
    assert facts_of(chat)["waits_minutes"] is None
    write(ivan)
    Chat.objects.update(waiting_since=timezone.now() - timedelta(minutes=12, seconds=30))
    Message.objects.update(created_at=timezone.now() - timedelta(minutes=12, seconds=30))
    assert facts_of(chat)["waits_minutes"] == 12
    actions.post_agent_message(widget_id=chat.widget_id, chat_id=chat.pk, content=HELLO, agent_id=alice.pk)
    assert facts_of(chat)["waits_minutes"] is None


def test_hours_of_the_department_and_who_is_there(
    shop: Widget, chat: Chat, sales: Department, alice: Agent, boris: Agent
) -> None:
    Chat.objects.filter(pk=chat.pk).update(department=sales)
    Department.objects.filter(pk=sales.pk).update(time_zone="Asia/Tokyo")
    monday = datetime(2027, 1, 3, 20, 30, tzinfo=UTC)
    facts = facts_of(chat, monday)
    assert (facts["weekday"], facts["time"]) == ("Monday", time(5, 30))
    Agent.objects.filter(widget=shop).update(online_since=None)
    assert facts_of(chat)["is_staffed"] is False
    Agent.objects.filter(pk=alice.pk).update(online_since=timezone.now(), status="active")
    assert facts_of(chat)["is_staffed"] is True
    sales.agents.set([boris])
    assert facts_of(chat)["is_staffed"] is False
    Chat.objects.filter(pk=chat.pk).update(department=None)
    assert facts_of(chat)["is_staffed"] is True


def test_tags_rating_and_page(shop: Widget, chat: Chat, ivan: Contact) -> None:
    write(ivan)
    actions.tag_contact(widget_id=shop.pk, guid=ivan.guid, names=["vip", "b2b"])
    actions.rate_chat(widget_id=shop.pk, chat_id=chat.pk, value=2)
    VisitorSessionFactory.create(contact=ivan, page_url="https://shop.example/cart")
    facts = facts_of(chat)
    assert (facts["contact.tags"], facts["rating"]) == (["b2b", "vip"], 2)
    assert facts["page_url"] == "https://shop.example/cart"
