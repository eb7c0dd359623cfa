"""Whatever is known of a visitor stands beside their chat: each change of it is one of the chat, and is told."""

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from apps.chats import actions
from apps.chats.events import ChatUpdated
from apps.chats.models import Chat, Contact, ContactTag, Tag
from apps.core.bus import DomainEvent
from apps.core.errors import NOT_FOUND
from apps.core.problems import Problem
from apps.widget.actions import open_session
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories.chats import ChatFactory, ContactTagFactory, MessageFactory
from tests.factories.widget import VisitorSessionFactory, visitor_token
from tests.rows import snapshot

pytestmark = pytest.mark.django_db


def updates(happened: list[DomainEvent]) -> list[int]:
    return sorted(event.chat_id for event in happened if isinstance(event, ChatUpdated))


def versions() -> dict[int, int]:
    return dict(Chat.objects.values_list("pk", "version"))


def come_back(contact: Contact, about: dict[str, Any] | None = None, page_url: str = "", lang: str = "") -> None:
    token = visitor_token(VisitorSessionFactory.create(contact=contact))
    place = {"page_url": page_url, "lang": lang}
    open_session(widget_id=contact.widget_id, token=token, about=about or {}, **place)


def rename(ivan: Contact) -> None:
    actions.update_contact(widget_id=ivan.widget_id, guid=ivan.guid, changes={"name": "Ivan"})


CHANGES: dict[str, Callable[[Contact], Any]] = {
    "renamed": rename,
    "tagged": lambda ivan: actions.tag_contact(widget_id=ivan.widget_id, guid=ivan.guid, names=["vip"]),
    "untagged": lambda ivan: actions.untag_contact(widget_id=ivan.widget_id, guid=ivan.guid, name="regular"),
    "the visitor says a name": lambda ivan: come_back(ivan, {"name": "Ivan"}),
    "the visitor is at another page": lambda ivan: come_back(ivan, page_url="https://shop.test/roses"),
    "the visitor reads another language": lambda ivan: come_back(ivan, lang="ru"),
    "the visitor was seen": lambda ivan: come_back(ivan, {"name": ivan.name}),
    "all of it at once": lambda ivan: come_back(ivan, {"name": "Ivan"}, page_url="https://shop.test/", lang="ru"),
}
NO_CHANGES: dict[str, Callable[[Contact], Any]] = {
    "the same name": lambda ivan: actions.update_contact(
        widget_id=ivan.widget_id, guid=ivan.guid, changes={"name": ivan.name}
    ),
    "a tag that is on it": lambda ivan: actions.tag_contact(
        widget_id=ivan.widget_id, guid=ivan.guid, names=["regular"]
    ),
    "a tag that is not": lambda ivan: actions.untag_contact(widget_id=ivan.widget_id, guid=ivan.guid, name="vip"),
}


@pytest.fixture
def regular(ivan: Contact) -> None:
    ContactTagFactory.create(contact=ivan, tag__name="regular")


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_told_of_each_of_the_contacts_chats_once(
    chat: Chat, ivan: Contact, regular: None, rival: Rival, happened: list[DomainEvent], change: str
) -> None:
    telegram = ChatFactory.create(contact=ivan, channel="tg")
    ChatFactory.create(contact__widget=ivan.widget)
    before = versions()
    CHANGES[change](ivan)
    assert updates(happened) == sorted([chat.pk, telegram.pk])
    assert versions() == {**before, chat.pk: before[chat.pk] + 1, telegram.pk: before[telegram.pk] + 1}


@pytest.mark.parametrize("change", NO_CHANGES)
def test_what_changes_nothing_is_not_told(
    chat: Chat, ivan: Contact, regular: None, happened: list[DomainEvent], change: str
) -> None:
    before = versions()
    NO_CHANGES[change](ivan)
    assert (updates(happened), versions()) == ([], before)


@pytest.mark.parametrize("chats", [1, 5])
def test_a_change_costs_the_same_however_many_chats(
    ivan: Contact, chats: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(chats):
        ChatFactory.create(contact=ivan, channel=f"c{number}")
    # savepoint; contact, its fields; versions, ids of the chats; rows for routing; subscriptions
    with django_assert_num_queries(8):
        rename(ivan)


def test_the_apis_changes_are_told_too(api: ApiClient, chat: Chat, ivan: Contact, happened: list[DomainEvent]) -> None:
    assert api.patch(f"/contacts/{ivan.guid}", json={"phone": "+7 902"}).status_code == 200
    assert api.post(f"/contacts/{ivan.guid}/tags", json={"tags": ["vip"]}).status_code == 200
    assert updates(happened) == [chat.pk, chat.pk]


def test_a_rating_is_told(chat: Chat, happened: list[DomainEvent]) -> None:
    MessageFactory.create(chat=chat)
    before = versions()
    for value in (4, 5):
        actions.rate_chat(widget_id=chat.widget_id, chat_id=chat.pk, value=value)
    assert updates(happened) == [chat.pk, chat.pk]
    assert versions() == {chat.pk: before[chat.pk] + 2}


class TestUntagging:
    def test_a_tag_is_taken_off_one_contact_and_stays_for_others(self, ivan: Contact, regular: None) -> None:
        other = ContactTagFactory.create(contact__widget=ivan.widget, tag=Tag.objects.get())
        before = ivan.updated_at
        assert actions.untag_contact(widget_id=ivan.widget_id, guid=ivan.guid, name="regular")
        assert list(ContactTag.objects.values_list("contact", flat=True)) == [other.contact_id]
        ivan.refresh_from_db()
        assert ivan.updated_at > before

    def test_a_tag_is_compared_as_it_is_written(self, ivan: Contact, regular: None) -> None:
        before = snapshot()
        for name in ("Regular", " regular", "regular\x00", "", "%"):
            assert not actions.untag_contact(widget_id=ivan.widget_id, guid=ivan.guid, name=name)
        assert snapshot() == before

    def test_a_foreign_contact_is_404(self, ivan: Contact, rival: Rival) -> None:
        ContactTagFactory.create(contact=rival.contact, tag__name="regular")
        before = snapshot()
        with pytest.raises(Problem) as refused:
            actions.untag_contact(widget_id=ivan.widget_id, guid=rival.contact.guid, name="regular")
        assert refused.value.type is NOT_FOUND
        assert snapshot() == before
