"""A visitor goes on in Telegram with the chat that they began on the site."""

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions as chats
from apps.chats.models import Chat, Contact, Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.actions.retention import forget_old_updates
from apps.messengers.models import Connection, Peer, StartLink
from tests.factories import DepartmentFactory, WidgetFactory
from tests.messengers.payloads.tg import _tg
from tests.messengers.test_hooks import connected, post, work
from tests.messengers.test_outbox import delivery, send
from tests.widget.visitor import VisitorClient

GOES_ON = "Hello! We go on with our conversation here: just write."
GREETED = "Hello! Write to us here: we answer in this chat."


@pytest.fixture
def bot(shop: Widget, vendors: Vendors) -> Connection:
    return connected(shop, "tg", public_name="shop_bot")


@pytest.fixture
def visitor(shop: Widget, settings: Any) -> VisitorClient:
    settings.VISITOR_RATE_LIMIT = 1_000_000
    browser = VisitorClient(shop)
    browser.come(name="Иван")
    return browser


def token_of(visitor: VisitorClient) -> str:
    answer = visitor.post("continue", {"channel": "tg"})
    assert answer.status_code == 201, answer.content
    url = urlsplit(answer.json()["data"]["url"])
    assert (url.scheme, url.netloc, url.path) == ("https", "t.me", "/shop_bot")
    return parse_qs(url.query)["start"][0]


def starts(bot: Connection, token: str, number: int = 1, *, person: int = 42) -> None:
    who = {"id": person, "is_bot": False, "first_name": "Ivan", "username": "ivan_t", "language_code": "en"}
    chat = {"id": person, "type": "private"}
    post(bot, _tg(message_id=number, text=f"/start {token}", **{"from": who, "chat": chat}))
    work()


def visitor_contact(other: Chat) -> Contact:
    """The visitor on the site, beside the person of that chat."""
    return Contact.objects.exclude(pk=other.contact_id).get()


def told(vendors: Vendors) -> list[str]:
    return [asked.body["text"] for asked in vendors.asked_of("tg", "/sendMessage")]


def test_the_chat_goes_on_with_all_that_is_in_it(
    bot: Connection, visitor: VisitorClient, vendors: Vendors, alice: Agent
) -> None:
    visitor.say("Есть розы?")
    chat = Chat.objects.get()
    department = DepartmentFactory.create(widget=chat.widget)
    Chat.objects.update(department=department)
    chats.post_agent_message(
        widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk, content={"type": "text", "body": "Есть"}
    )
    version = Chat.objects.get().version
    starts(bot, token_of(visitor))

    moved = Chat.objects.get()
    assert (moved.pk, moved.channel, moved.agent_id, moved.department_id) == (chat.pk, "tg", alice.pk, department.pk)
    assert moved.version > version
    bodies = list(Message.objects.order_by("id").values_list("body", "is_internal", "sender_kind"))
    assert bodies[:2] == [("Есть розы?", False, "client"), ("Есть", False, "agent")]
    assert bodies[2][1:] == (True, "system")
    assert "Telegram" in bodies[2][0]
    assert "may have sent the link to somebody else. Ask before" in bodies[2][0], "a link proves no person"
    assert told(vendors) == [GOES_ON]
    peer = Peer.objects.get()
    assert (peer.contact, peer.conversation) == (moved.contact, "42")
    assert (moved.contact.name, moved.contact.attributes["tg_username"]) == ("Иван", "ivan_t")
    assert "tg_start" not in moved.contact.attributes

    chats.post_agent_message(
        widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk, content={"type": "text", "body": "Какие?"}
    )
    send()
    assert told(vendors)[-1] == "Какие?"
    assert delivery(Message.objects.latest("id"))["state"] == "sent"
    post(bot, _tg(message_id=9, text="Красные"))
    work()
    assert Message.objects.latest("id").chat_id == chat.pk


def test_who_writes_on_the_site_again_begins_another_chat(bot: Connection, visitor: VisitorClient) -> None:
    visitor.say("Есть розы?")
    starts(bot, token_of(visitor))
    assert visitor.get("messages").json()["data"] == []
    said = visitor.say("Я снова тут")
    assert {chat.channel: chat.pk for chat in Chat.objects.all()} == {
        "tg": Chat.objects.earliest("id").pk,
        "widget": int(said["chat_id"]),
    }
    assert Contact.objects.count() == 1


def test_without_a_chat_the_person_is_the_visitor_all_the_same(bot: Connection, visitor: VisitorClient) -> None:
    starts(bot, token_of(visitor))
    post(bot, _tg(message_id=2, text="Есть розы?"))
    work()
    assert Chat.objects.get().contact == Contact.objects.get()


def test_a_token_counts_once(bot: Connection, visitor: VisitorClient, vendors: Vendors) -> None:
    visitor.say("Есть розы?")
    token = token_of(visitor)
    starts(bot, token)
    starts(bot, token, 2, person=43)
    assert told(vendors) == [GOES_ON, GREETED]
    assert Chat.objects.get().channel == "tg"
    assert Peer.objects.get(conversation="43").contact != Chat.objects.get().contact


def test_a_token_that_has_expired_is_an_ordinary_start(
    bot: Connection, visitor: VisitorClient, vendors: Vendors
) -> None:
    visitor.say("Есть розы?")
    token = token_of(visitor)
    assert StartLink.objects.get().expires_at - timezone.now() <= timedelta(minutes=10)
    StartLink.objects.update(expires_at=timezone.now())
    starts(bot, token)
    assert told(vendors) == [GREETED]
    assert Chat.objects.get().channel == "widget"
    forget_old_updates()
    assert not StartLink.objects.exists()


def test_a_token_of_another_widget_is_an_ordinary_start(
    bot: Connection, visitor: VisitorClient, vendors: Vendors
) -> None:
    visitor.say("Есть розы?")
    token = token_of(visitor)
    StartLink.objects.update(widget=WidgetFactory.create())
    starts(bot, token)
    assert told(vendors) == [GREETED]
    assert Chat.objects.get().channel == "widget"


def test_nothing_is_merged_with_a_chat_that_the_visitor_has_there(bot: Connection, visitor: VisitorClient) -> None:
    visitor.say("Есть розы?")
    starts(bot, token_of(visitor))
    on_site = int(visitor.say("Я снова тут")["chat_id"])
    starts(bot, token_of(visitor), 2)
    assert Chat.objects.get(pk=on_site).channel == "widget"
    note = Message.objects.latest("id")
    assert (note.chat.channel, note.is_internal, note.sender_kind) == ("tg", True, "system")
    assert f"#{on_site}" in note.body


def test_nothing_is_merged_with_another_person_who_wrote_there(bot: Connection, visitor: VisitorClient) -> None:
    post(bot, _tg(text="Здравствуйте"))
    work()
    known = Chat.objects.get()
    on_site = int(visitor.say("Есть розы?")["chat_id"])
    starts(bot, token_of(visitor), 2)
    assert Peer.objects.get().contact == known.contact
    assert Chat.objects.get(pk=on_site).channel == "widget"
    note = Message.objects.latest("id")
    assert (note.chat_id, note.is_internal) == (known.pk, True)
    assert f"#{on_site}" in note.body


def test_operators_are_not_told_that_a_stranger_who_followed_a_link_is_the_same_person(
    bot: Connection, visitor: VisitorClient
) -> None:
    post(bot, _tg(text="Здравствуйте"))
    work()
    known = Chat.objects.get()
    visitor.say("Пришлите мой заказ на другой адрес, подтвержу в Telegram")
    starts(bot, token_of(visitor), 2)
    note = Message.objects.latest("id")
    assert (note.chat_id, "by the same person or by somebody to whom it was sent" in note.body) == (
        known.pk,
        True,
    )
    assert Peer.objects.get().contact == known.contact
    assert "tg_user_id" not in visitor_contact(known).attributes


def test_a_visitor_has_five_links_at_most_and_the_newest_count(
    bot: Connection, visitor: VisitorClient, vendors: Vendors
) -> None:
    visitor.say("Есть розы?")
    tokens = [token_of(visitor) for _ in range(7)]
    assert StartLink.objects.count() == 5
    starts(bot, tokens[1])
    assert (told(vendors), Chat.objects.get().channel) == ([GREETED], "widget")
    starts(bot, tokens[2], 2)
    assert Chat.objects.get().channel == "tg"


def test_who_pressed_start_before_and_never_wrote_is_the_visitor(bot: Connection, visitor: VisitorClient) -> None:
    starts(bot, "")
    visitor.say("Есть розы?")
    starts(bot, token_of(visitor), 2)
    assert Peer.objects.get().contact == Chat.objects.get().contact
    assert Chat.objects.get().channel == "tg"


@pytest.mark.parametrize("body", [{}, {"channel": "wa"}, {"channel": "tg", "x": 1}])
def test_other_messengers_carry_nothing(bot: Connection, visitor: VisitorClient, body: dict[str, Any]) -> None:
    assert visitor.post("continue", body).status_code == 422


def test_without_the_messenger_there_is_no_link(shop: Widget, visitor: VisitorClient) -> None:
    assert visitor.post("continue", {"channel": "tg"}).status_code == 404
    assert not StartLink.objects.exists()


def test_only_a_visitor_has_a_link(bot: Connection, shop: Widget) -> None:
    assert VisitorClient(shop).post("continue", {"channel": "tg"}).status_code == 401


def test_links_are_erased_with_their_contact(bot: Connection, visitor: VisitorClient) -> None:
    token_of(visitor)
    contact = Contact.objects.get()
    chats.erase_contact(widget_id=contact.widget_id, guid=contact.guid)
    assert not StartLink.objects.exists()
