"""What leaves by providers (design, "Outbound"): sent once, in order, with what became of it."""

from datetime import timedelta
from typing import Any

import orjson
import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.actions import post_agent_message
from apps.chats.models import Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import PlayedFault
from apps.messengers.actions import provider_calls
from apps.messengers.actions.outbound import key_of
from apps.messengers.adapters import CONNECTED
from apps.messengers.models import Connection, OutboundJob, OutboundMessage, Peer
from apps.messengers.rules.delivery import Abilities, parts_of
from apps.messengers.rules.markup import Length, pieces, utf16_length
from apps.messengers.tasks import OUTBOUND_QUEUE
from tests.client import ApiClient
from tests.factories.chats import ChatFactory, ContactFactory
from tests.factories.files import FileFactory
from tests.messengers.payloads import TEXTS
from tests.messengers.test_hooks import connected, post, work


@pytest.fixture
def talk(shop: Widget, vendors: Vendors) -> Peer:
    """Somebody who has written to the shop's Telegram bot."""
    return wrote(shop, "tg", vendors)


def wrote(shop: Widget, provider: str, vendors: Vendors) -> Peer:
    connection = connected(shop, provider)
    if provider == "apple":
        Connection.objects.filter(pk=connection.pk).update(target=vendors.base("apple"))
    post(connection, TEXTS[provider][0])
    work()
    return Peer.objects.get()


def say(api: ApiClient, agent: Agent, body: str = "Здравствуйте!", **more: Any) -> Message:
    chat_id = Message.objects.earliest("id").chat_id
    message = {"type": "text", "body": body, "agent_id": agent.pk} | more
    answer = api.post(f"/chats/{chat_id}/messages", json=message)
    assert answer.status_code == 202, answer.content
    return Message.objects.get(pk=answer.json()["data"]["message_id"])


def send() -> None:
    work(OUTBOUND_QUEUE)


def delivery(message: Message) -> dict[str, Any]:
    message.refresh_from_db()
    assert message.delivery is not None
    return {name: value for name, value in message.delivery.items() if name != "at"}


def let_time_pass() -> None:
    """What waits is due now."""
    OutboundJob.objects.filter(due_at__isnull=False).update(due_at=timezone.now() - timedelta(seconds=1))
    Connection.objects.update(rests_until=None)


@pytest.mark.parametrize("provider", CONNECTED)
def test_an_answer_goes_to_every_provider(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors, provider: str
) -> None:
    wrote(shop, provider, vendors)
    message = say(api, alice)
    assert delivery(message)["state"] == "queued"
    send()
    assert delivery(message) == {"state": "sent", "code": None, "detail": None, "attempts": 1, "sent_as": None}
    row = OutboundMessage.objects.get()
    assert len(row.external_ids) == 1
    assert row.external_ids[0]
    assert "Здравствуйте!" in str(vendors.asked_of(provider)[-1].body)
    assert Connection.objects.get().last_outbound_at is not None
    send()
    assert len([one for one in vendors.asked if "Здравствуйте!" in str(one.body)]) == 1


@pytest.mark.parametrize("provider", CONNECTED)
def test_an_answer_costs_two_statements_as_in_a_widgets_chat(
    shop: Widget, alice: Agent, vendors: Vendors, provider: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    peer = wrote(shop, provider, vendors)
    chat_id = Message.objects.get().chat_id
    with django_assert_num_queries(2):
        post_agent_message(
            widget_id=shop.pk, chat_id=chat_id, content={"type": "text", "body": "Здравствуйте!"}, agent_id=alice.pk
        )
    row, job = OutboundMessage.objects.get(), OutboundJob.objects.get()
    assert (row.peer, row.widget, row.channel) == (peer, shop, peer.channel)
    assert (job.peer, job.connection_id) == (peer, Connection.objects.get().pk)


@pytest.mark.django_db(transaction=True)
def test_what_its_way_to_the_messenger_asks_postgresql(
    api: ApiClient,
    shop: Widget,
    alice: Agent,
    vendors: Vendors,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """From the look for what is due to the look for more; a transaction begins and ends by two. More that wait cost no
    more (`test_conversations.py`). One has routing's row put, where it is on.
    """
    monkeypatch.setattr(provider_calls, "TRAFFIC_EVERY", timedelta(hours=1))  # noted before, on any machine
    wrote(shop, "tg", vendors)
    say(api, alice, "Роза")
    send()
    say(api, alice, "Тюльпан")
    with django_assert_num_queries(19):
        send()
    assert [asked.body["text"] for asked in vendors.asked_of("tg", "/sendMessage")] == ["Роза", "Тюльпан"]


@pytest.mark.parametrize("provider", CONNECTED)
def test_markdown_goes_as_the_providers_own_formatting(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors, provider: str
) -> None:
    wrote(shop, provider, vendors)
    say(api, alice, "Есть 25 штук", markdown="Есть **25 штук**")
    send()
    body = vendors.asked_of(provider)[-1].body
    told = {
        "tg": lambda: (body["text"], body["entities"]),
        "vk": lambda: (body["message"], orjson.loads(body["format_data"])["items"]),
        "mx": lambda: (body["text"], body["format"]),
    }
    expected: dict[str, tuple[str, object]] = {
        "tg": ("Есть 25 штук", [{"type": "bold", "offset": 5, "length": 7}]),
        "vk": ("Есть 25 штук", [{"type": "bold", "offset": 5, "length": 7}]),
        "mx": ("Есть <b>25 штук</b>", "html"),
    }
    if provider in expected:
        assert told[provider]() == expected[provider]
    else:
        assert ("Есть *25 штук*" if provider == "wa" else "Есть 25 штук") in str(body)
    assert "**" not in str(body)


def test_a_caption_has_its_entities(api: ApiClient, shop: Widget, alice: Agent, talk: Peer, vendors: Vendors) -> None:
    file = FileFactory.create(widget=shop, content_type="image/png", name="rose.png")
    say(api, alice, "Роза", type="image", file={"id": file.pk}, markdown="*Роза*")
    send()
    asked = vendors.asked_of("tg", "sendPhoto")[-1].body
    assert asked["caption"] == "Роза"
    assert orjson.loads(asked["caption_entities"]) == [{"type": "italic", "offset": 0, "length": 4}]


def test_the_api_shows_it_and_a_clients_message_has_none(
    api: ApiClient, alice: Agent, talk: Peer, vendors: Vendors
) -> None:
    say(api, alice)
    send()
    shown = api.get(f"/chats/{Message.objects.earliest('id').chat_id}/messages").json()["data"]
    assert [one["delivery"] and one["delivery"]["state"] for one in shown] == ["sent", None]


def test_the_widgets_own_chats_have_none(api: ApiClient, shop: Widget, alice: Agent) -> None:
    chat = ChatFactory.create(contact=ContactFactory.create(widget=shop), widget=shop)
    body = {"type": "text", "body": "x", "agent_id": alice.pk}
    api.post(f"/chats/{chat.pk}/messages", json=body)
    assert Message.objects.get().delivery is None
    assert not OutboundMessage.objects.exists()


def test_buttons_are_an_inline_keyboard_in_telegram(api: ApiClient, alice: Agent, talk: Peer, vendors: Vendors) -> None:
    buttons = [
        {"label": "Каталог", "url": "https://shop.example/a"},
        {"label": "Акции", "url": "https://shop.example/b"},
    ]
    say(api, alice, "Куда?", type="keyboard", keyboard={"buttons": buttons})
    send()
    sent = vendors.asked_of("tg", "sendMessage")[-1].body
    rows = [[{"text": one["label"], "url": one["url"]}] for one in buttons]
    assert sent["reply_markup"] == {"inline_keyboard": rows}


def test_a_picture_goes_up_with_its_caption(
    api: ApiClient, shop: Widget, alice: Agent, talk: Peer, vendors: Vendors
) -> None:
    file = FileFactory.create(widget=shop, content_type="image/png", name="rose.png")
    say(api, alice, "Роза", type="image", file={"id": file.pk})
    send()
    asked = vendors.asked_of("tg", "sendPhoto")[-1]
    assert asked.body["caption"] == "Роза"


@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (401, {"ok": False, "description": "Unauthorized"}, "credential_rejected"),
        (403, {"ok": False, "description": "Forbidden: bot was blocked"}, "blocked_by_user"),
        (400, {"ok": False, "description": "Bad Request: chat not found"}, "recipient_unavailable"),
        (400, {"ok": False, "description": "Bad Request: odd"}, "rejected_by_provider"),
    ],
)
def test_a_refusal_fails_at_once(
    api: ApiClient, alice: Agent, talk: Peer, vendors: Vendors, status: int, body: Any, code: str
) -> None:
    vendors.will("tg", "sendMessage", PlayedFault(status, body))
    message = say(api, alice)
    send()
    assert (delivery(message)["state"], delivery(message)["code"]) == ("failed", code)
    assert delivery(message)["detail"] == body["description"]
    problem = Connection.objects.get().problem_code
    assert problem == ("credential_rejected" if code == "credential_rejected" else "")
    assert api.get("/messengers/tg").json()["data"]["failed_24h"] == 1


def test_a_vendor_that_is_away_is_tried_five_times(api: ApiClient, alice: Agent, talk: Peer, vendors: Vendors) -> None:
    vendors.will("tg", "sendMessage", PlayedFault(502, b"<html>", times=9))
    message = say(api, alice)
    for attempt in range(1, 5):
        send()
        assert delivery(message)["state"] == "queued"
        assert (delivery(message)["attempts"], delivery(message)["code"]) == (attempt, "provider_unavailable")
        let_time_pass()
    send()
    assert (delivery(message)["state"], delivery(message)["attempts"]) == ("failed", 5)
    assert len(vendors.asked_of("tg", "sendMessage")) == 5


def test_too_many_requests_wait_and_use_no_attempt(api: ApiClient, alice: Agent, talk: Peer, vendors: Vendors) -> None:
    vendors.will("tg", "sendMessage", PlayedFault(429, {"ok": False, "parameters": {"retry_after": 30}}))
    message = say(api, alice)
    send()
    assert delivery(message) == {"state": "queued", "code": None, "detail": None, "attempts": 0, "sent_as": None}
    rests = Connection.objects.get().rests_until
    assert rests is not None
    assert timedelta(seconds=20) < rests - timezone.now() <= timedelta(seconds=30)
    let_time_pass()
    send()
    assert delivery(message)["state"] == "sent"


def test_the_order_is_kept_behind_one_that_waits(api: ApiClient, alice: Agent, talk: Peer, vendors: Vendors) -> None:
    vendors.will("tg", "sendMessage", PlayedFault(500, b""))
    for body in ("1", "2", "3"):
        say(api, alice, body)
    send()
    let_time_pass()
    send()
    assert [one.body["text"] for one in vendors.asked_of("tg", "sendMessage")] == ["1", "1", "2", "3"]


def test_a_part_that_is_sent_is_not_sent_again(api: ApiClient, alice: Agent, talk: Peer, vendors: Vendors) -> None:
    message = say(api, alice, "a" * 4096 + "b")
    OutboundMessage.objects.update(external_ids=["1"])
    send()
    assert [one.body["text"] for one in vendors.asked_of("tg", "sendMessage")] == ["b"]
    assert delivery(message)["state"] == "sent"


def test_without_a_connection_it_fails(api: ApiClient, alice: Agent, talk: Peer, vendors: Vendors) -> None:
    Connection.objects.all().delete()
    message = say(api, alice)
    send()
    assert (delivery(message)["state"], delivery(message)["code"]) == ("failed", "channel_not_connected")


def test_vk_takes_a_part_once(api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors) -> None:
    wrote(shop, "vk", vendors)
    message = say(api, alice)
    send()
    assert vendors.asked_of("vk", "messages.send")[-1].body["random_id"] == str(key_of(message.pk, 0))
    assert key_of(1, 0) == key_of(1, 0) != key_of(1, 1)


def cut(text: str, longest: int, length: Length = len) -> list[str]:
    return [piece.text for piece in pieces(text, longest, length)]


class TestParts:
    def test_cuts_at_a_line_or_a_word(self) -> None:
        assert cut("aaa bbb ccc", 8) == ["aaa bbb", "ccc"]
        assert cut("aaaa\nbbb ccc", 9) == ["aaaa", "bbb ccc"]
        assert cut("a" * 10, 4) == ["aaaa", "aaaa", "aa"]
        assert cut("", 4) == [""]

    def test_counts_as_telegram_does(self) -> None:
        assert cut("😀" * 5, 4, utf16_length) == ["😀😀", "😀😀", "😀"]

    def test_buttons_are_lines_elsewhere(self) -> None:
        details = {"keyboard": {"buttons": [{"label": "A", "url": "https://a.example"}]}}
        (part,) = parts_of("keyboard", "Куда?", details, Abilities())
        assert part.text == "Куда?\nA: https://a.example"

    def test_a_place_is_a_line_where_there_are_none(self) -> None:
        (part,) = parts_of("location", "", {"coords": {"lat": 1.5, "lng": 2}}, Abilities())
        assert part.text == "https://www.openstreetmap.org/?mlat=1.5&mlon=2"

    def test_a_file_is_a_line_where_there_are_none(self) -> None:
        (part,) = parts_of("file", "Прайс", {"file": {"id": 1, "name": "a.pdf"}}, Abilities(), "https://x.example/f")
        assert part.text == "Прайс\na.pdf: https://x.example/f"

    def test_a_sticker_is_its_body(self) -> None:
        assert [parts_of("sticker", body, {}, Abilities())[0].text for body in ("🌹", "")] == ["🌹", "[стикер]"]


def test_a_chat_in_which_nobody_has_written_by_the_messenger_has_nobody_to_send_to(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
) -> None:
    connected(shop, "tg")
    chat = ChatFactory.create(contact=ContactFactory.create(widget=shop), widget=shop, channel="tg")
    for body in ("x", "y"):
        answer = api.post(f"/chats/{chat.pk}/messages", json={"type": "text", "body": body, "agent_id": alice.pk})
        assert answer.status_code == 202
    send()
    assert [delivery(one)["code"] for one in Message.objects.all()] == ["recipient_unavailable"] * 2
    assert not vendors.asked_of("tg", "sendMessage")
