"""Telegram by the book: what begins a conversation, groups, ids of several bots, and what it takes."""

import re
from typing import Any

import pytest
from django.utils import translation

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Contact, Message
from apps.core.observability import metrics
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.client import ProviderClient, ProviderResponse, answered
from apps.messengers.adapters.tg.adapter import WANTED
from apps.messengers.labels import KIND_WORDS
from apps.messengers.models import Inbound, Peer
from apps.messengers.rules.delivery import FailureCode
from tests.client import ApiClient
from tests.factories.accounts import StaffFactory
from tests.factories.files import FileFactory
from tests.messengers.payloads.tg import _ADDED, _tg
from tests.messengers.test_adapters import line
from tests.messengers.test_hooks import connected, post, work
from tests.messengers.test_outbox import delivery, say, send, wrote
from tests.uploads import png

TELEGRAM = ADAPTERS["tg"]


def test_two_bots_of_a_widget_count_their_messages_apart(shop: Widget, vendors: Vendors) -> None:
    """A message's id is unique in a private chat of one bot, and the chat's id is the person's, whatever the bot."""
    connection = connected(shop, "tg", token=f"111111:{'A' * 35}")
    for number in (5, 6):
        post(connection, _tg(message_id=number, text=f"first {number}"))
    connection.token = f"222222:{'A' * 35}"
    connection.save()
    for number in (5, 6, 7):
        post(connection, _tg(message_id=number, text=f"second {number}"))
    work()
    bodies = [message.body for message in Message.objects.order_by("id")]
    assert bodies == ["first 5", "first 6", "second 5", "second 6", "second 7"]
    assert Peer.objects.count() == Chat.objects.count() == 1


def test_who_starts_is_greeted_in_their_language_and_has_said_nothing(shop: Widget, vendors: Vendors) -> None:
    person = {"id": 42, "is_bot": False, "first_name": "Анна", "language_code": "ru"}
    connection = connected(shop, "tg")
    for _ in range(2):
        post(connection, _tg(text="/start spring_sale", **{"from": person}))
        work()
    (asked,) = vendors.asked_of("tg", "/sendMessage")
    assert asked.body == {"chat_id": "42", "text": "Здравствуйте! Пишите сюда: мы ответим в этом чате."}
    assert not Message.objects.exists()
    contact = Contact.objects.get()
    assert (contact.name, contact.attributes["tg_start"]) == ("Анна", "spring_sale")
    post(connection, _tg(message_id=8, text="Есть розы?", **{"from": person}))
    work()
    assert Message.objects.get().chat.contact == contact


def test_the_language_of_the_writer_is_kept_with_a_message(shop: Widget, vendors: Vendors) -> None:
    person = {"id": 42, "is_bot": False, "first_name": "Ana", "language_code": "pt-BR"}
    post(connected(shop, "tg"), _tg(text="Olá", **{"from": person}))
    work()
    message = Message.objects.get()
    assert (message.language, message.page) == ("pt", None)


def test_a_group_is_refused_politely_and_left(shop: Widget, vendors: Vendors) -> None:
    post(connected(shop, "tg"), {"update_id": 3, "my_chat_member": _ADDED})
    work()
    told, left = vendors.asked_of("tg", "/bot")
    assert (told.body["chat_id"], left.body) == ("-100", {"chat_id": "-100"})
    assert told.path.endswith("/sendMessage")
    assert left.path.endswith("/leaveChat")
    assert not Peer.objects.exists()


@pytest.mark.parametrize("status", ["kicked", "left"])
def test_a_group_that_the_bot_leaves_is_told_nothing(shop: Widget, vendors: Vendors, status: str) -> None:
    gone = {**_ADDED, "new_chat_member": {"status": status}}
    post(connected(shop, "tg"), {"update_id": 3, "my_chat_member": gone})
    assert not Inbound.objects.exists()


def test_a_webhook_that_wants_other_updates_is_registered_again(vendors: Vendors) -> None:
    client = ProviderClient(line("tg", vendors), TELEGRAM.judge)
    answered(TELEGRAM.register(client, "https://chat.example.com/hooks/tg/1", "S"))
    assert answered(TELEGRAM.health(client, "https://chat.example.com/hooks/tg/1"))
    vendors.hooks["tg", client.credentials.token]["allowed_updates"] = WANTED[:1]
    assert not answered(TELEGRAM.health(client, "https://chat.example.com/hooks/tg/1"))


@pytest.mark.parametrize(
    ("content", "name", "method"),
    [
        (png(width=300, height=300), "a.png", "sendPhoto"),
        (png(width=30, height=900), "long.png", "sendDocument"),
        (png(width=5_001, height=5_000), "large.png", "sendDocument"),
    ],
)
def test_a_picture_goes_as_what_telegram_takes(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors, content: bytes, name: str, method: str
) -> None:
    wrote(shop, "tg", vendors)
    file = FileFactory.create(widget=shop, content=content, name=name)
    message = say(api, alice, "Роза", type="image", file={"id": file.pk})
    send()
    assert [asked.path.rpartition("/")[2] for asked in vendors.asked_of("tg", "/send")] == [method]
    assert delivery(message)["state"] == "sent"


def test_a_picture_that_telegram_cannot_read_goes_as_a_file(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
) -> None:
    wrote(shop, "tg", vendors)
    file = FileFactory.create(widget=shop, content=b"\x89PNG\r\n\x1a\n broken", name="a.png", content_type="image/png")
    message = say(api, alice, "Роза", type="image", file={"id": file.pk})
    send()
    assert [asked.path.rpartition("/")[2] for asked in vendors.asked_of("tg", "/send")] == ["sendPhoto", "sendDocument"]
    assert (delivery(message)["state"], delivery(message)["sent_as"]) == ("sent", "file")


@pytest.mark.parametrize(
    ("status", "words", "code"),
    [
        (403, "Forbidden: bot was blocked by the user", FailureCode.BLOCKED),
        (403, "Forbidden: user is deactivated", FailureCode.NO_RECIPIENT),
        (403, "Forbidden: bot can't initiate conversation with a user", FailureCode.NO_RECIPIENT),
        (400, "Bad Request: PEER_ID_INVALID", FailureCode.NO_RECIPIENT),
        (400, "Bad Request: PHOTO_INVALID_DIMENSIONS", FailureCode.WRONG_KIND),
        (413, "Request Entity Too Large", FailureCode.WRONG_KIND),
    ],
)
def test_refusals_by_their_meaning(status: int, words: str, code: FailureCode) -> None:
    import json

    answer: dict[str, Any] = {"ok": False, "error_code": status, "description": words}
    failure = TELEGRAM.judge(ProviderResponse(status, {}, json.dumps(answer).encode()))
    assert failure is not None
    assert failure.code == code


def test_a_kind_that_bots_are_not_shown_is_named_in_the_owners_language_and_counted(
    shop: Widget, vendors: Vendors
) -> None:
    StaffFactory.create(account=shop.account, language="ru")
    counted = metrics.MESSENGER_UNKNOWN.labels("tg")._value.get()
    post(connected(shop, "tg"), _tg(story={"chat": {"id": 42, "type": "private"}, "id": 1}))
    work()
    message = Message.objects.get()
    assert message.body == "[История: показывает только Telegram]"
    assert message.details == {"unsupported": {"provider": "tg", "kind": "story"}}
    assert metrics.MESSENGER_UNKNOWN.labels("tg")._value.get() == counted + 1


def test_each_kind_that_a_messenger_names_has_its_words_in_russian() -> None:
    with translation.override("ru"):
        words = [str(word) for word in KIND_WORDS.values()]
    assert all(re.fullmatch("[А-Яа-яё ]+", word) for word in words)


def test_the_picture_of_a_rich_message_is_kept_with_its_words(shop: Widget, vendors: Vendors) -> None:
    vendors.files["photos/p"] = png()
    photo = {"type": "photo", "photo": [{"file_id": "s"}, {"file_id": "p"}], "caption": {"text": "Букет"}}
    post(connected(shop, "tg"), _tg(rich_message={"blocks": [{"type": "paragraph", "text": "Такой?"}, photo]}))
    work()
    message = Message.objects.get()
    assert (message.type, message.body, message.details["file"]["name"]) == ("image", "Такой?\nБукет", "photo.jpg")


def test_a_rich_message_that_is_nested_without_end_is_read_as_deep_as_telegram_nests(
    shop: Widget, vendors: Vendors
) -> None:
    block: dict[str, Any] = {"type": "paragraph", "text": "within"}
    for _ in range(200):
        block = {"type": "details", "summary": "in", "blocks": [block]}
    post(connected(shop, "tg"), _tg(rich_message={"blocks": [block]}))
    work()
    body = Message.objects.get().body
    assert 16 < body.count("in") < 40
    assert "within" not in body
