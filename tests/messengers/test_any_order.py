"""Receipts and edits in any order: before the answer of the call that sent, of parts, twice within a second."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.actions import receipts
from apps.messengers.actions.retention import forget_old_updates
from apps.messengers.adapters import ADAPTERS
from apps.messengers.models import Connection, EarlyReceipt, OutboundMessage
from tests.client import ApiClient
from tests.messengers.payloads.tg import _tg
from tests.messengers.test_hooks import connected, post, work
from tests.messengers.test_outbox import delivery, say, send, wrote
from tests.messengers.test_receipts import external_id, told, whatsapp
from tests.uploads import png

Tell = Callable[[str], dict[str, Any]]
FAILS = [{"code": 131047, "title": "Re-engagement message"}]


def told_before_the_answer(monkeypatch: pytest.MonkeyPatch, provider: str, tell: Tell) -> None:
    """Has the provider tell of a message before it answers the call that sends it."""
    adapter = type(ADAPTERS[provider])
    sends = adapter.send

    async def send_and_tell(self: Any, *args: Any) -> str:
        found = await sends(self, *args)
        told(tell(found))
        return found

    monkeypatch.setattr(adapter, "send", send_and_tell)


def viber(id_: str) -> dict[str, Any]:
    return {"event": "failed", "message_token": id_, "user_id": "1", "desc": "failure description"}


def messenger(id_: str) -> dict[str, Any]:
    event = {"sender": {"id": "1"}, "recipient": {"id": "1"}, "delivery": {"mids": [id_], "watermark": 1}}
    return {"object": "page", "entry": [{"id": "1", "messaging": [event]}]}


@pytest.mark.parametrize(
    ("provider", "tell", "state"),
    [
        ("wa", lambda id_: whatsapp("failed", id_, errors=FAILS), "failed"),
        ("wa", lambda id_: whatsapp("read", id_), "read"),
        ("vb", viber, "failed"),
        ("fb", messenger, "delivered"),
    ],
)
def test_a_receipt_before_the_answer_of_the_call_is_looked_at_when_the_id_comes(
    api: ApiClient,
    shop: Widget,
    alice: Agent,
    vendors: Vendors,
    monkeypatch: pytest.MonkeyPatch,
    provider: str,
    tell: Tell,
    state: str,
) -> None:
    wrote(shop, provider, vendors)
    told_before_the_answer(monkeypatch, provider, tell)
    message = say(api, alice)
    send()
    assert delivery(message)["state"] == state
    assert not EarlyReceipt.objects.exists()


def test_a_watermark_before_the_answer_counts(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer, until = wrote(shop, "fb", vendors), int(timezone.now().timestamp() + 60) * 1000
    reading = {"sender": {"id": peer.conversation}, "recipient": {"id": "1"}, "read": {"watermark": until}}
    told_before_the_answer(
        monkeypatch, "fb", lambda _: {"object": "page", "entry": [{"id": "1", "messaging": [reading]}]}
    )
    message = say(api, alice)
    send()
    assert delivery(message)["state"] == "read"


def test_early_receipts_are_bounded_and_forgotten(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrote(shop, "wa", vendors)
    told(whatsapp("read", "wamid.of-nothing"))
    assert not EarlyReceipt.objects.exists()  # nothing was on its way
    say(api, alice)
    OutboundMessage.objects.update(is_begun=True)
    monkeypatch.setattr(receipts, "MOST_EARLY", 2)
    for number in range(4):
        told(whatsapp("read", f"wamid.{number}"))
    told(whatsapp("read", "wamid.0", timestamp="2"))
    assert [row.external_id for row in EarlyReceipt.objects.order_by("id")] == ["wamid.0", "wamid.1"]
    EarlyReceipt.objects.update(received_at=timezone.now() - timedelta(minutes=11))
    forget_old_updates()
    assert not EarlyReceipt.objects.exists()


@pytest.fixture
def parts(api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors) -> Message:
    """Alice's answer of two parts, sent by WhatsApp."""
    wrote(shop, "wa", vendors)
    message = say(api, alice, "word " * 1000)
    send()
    assert len(OutboundMessage.objects.get().external_ids) == 2
    return message


@pytest.mark.parametrize("last", ["delivered", "read"])
@pytest.mark.parametrize("is_first_told_first", [True, False])
def test_a_message_fails_with_any_of_its_parts_in_any_order(
    parts: Message, last: str, *, is_first_told_first: bool
) -> None:
    first, second = OutboundMessage.objects.get().external_ids
    documents = [whatsapp("failed", first, errors=FAILS), whatsapp(last, second)]
    for document in documents if is_first_told_first else reversed(documents):
        told(document)
    assert (delivery(parts)["state"], delivery(parts)["code"]) == ("failed", "window_closed")


def test_what_was_delivered_whole_does_not_fail_afterwards(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors
) -> None:
    wrote(shop, "wa", vendors)
    message = say(api, alice)
    send()
    told(whatsapp("delivered", external_id()))
    told(whatsapp("failed", external_id(), errors=FAILS))
    assert delivery(message)["state"] == "delivered"


# --- Edits --------------------------------------------------------------------------------------------------------


def edited(at: int, **content: Any) -> dict[str, Any]:
    """Telegram's update of an edit of the message 5."""
    return {"update_id": at, "edited_message": _tg(message_id=5, edit_date=at, **content)["message"]}


@pytest.fixture
def bot(shop: Widget, vendors: Vendors) -> Connection:
    return connected(shop, "tg")


def arrive(bot: Connection, *updates: dict[str, Any]) -> Message:
    for update in updates:
        assert post(bot, update).status_code == 200
        work()
    return Message.objects.get()


PLACE = {"latitude": 55.75, "longitude": 37.61, "live_period": 900}


def test_a_live_place_moves(bot: Connection) -> None:
    message = arrive(
        bot, _tg(message_id=5, location=PLACE), edited(1_790_000_100, location={**PLACE, "latitude": 55.8})
    )
    assert message.details["coords"] == {"lat": 55.8, "lng": 37.61}
    assert (message.type, message.body) == ("location", "")
    assert message.details["edited_at"]


def test_an_edit_that_brings_nothing_new_is_not_marked(bot: Connection) -> None:
    message = arrive(bot, _tg(message_id=5, location=PLACE), edited(1_790_000_100, location=PLACE))
    assert "edited_at" not in message.details


def test_the_second_edit_within_a_second_counts(bot: Connection) -> None:
    first, second = edited(1_790_000_100, text="7 roses"), edited(1_790_000_100, text="9 roses")
    assert arrive(bot, _tg(message_id=5, text="5 roses"), first, second).body == "9 roses"
    assert arrive(bot, second).body == "9 roses"


def test_an_older_edit_that_comes_later_changes_nothing(bot: Connection) -> None:
    newer, older = edited(1_790_000_200, text="5 roses"), edited(1_790_000_100, text="7 roses")
    assert arrive(bot, _tg(message_id=5, text="5 roses"), newer, older).body == "5 roses"


def test_an_edit_before_its_message_is_applied_when_the_message_comes(bot: Connection) -> None:
    arrive(bot, _tg(message_id=4, text="Hello"))
    post(bot, edited(1_790_000_100, text="7 roses"))
    work()
    post(bot, _tg(message_id=5, text="5 roses"))
    work()
    assert [message.body for message in Message.objects.order_by("id")] == ["Hello", "7 roses"]


def test_a_file_takes_the_texts_place(bot: Connection, vendors: Vendors) -> None:
    vendors.files["photos/new"] = png()
    photo = [{"file_id": "new", "file_unique_id": "u2", "width": 1, "height": 1}]
    message = arrive(bot, _tg(message_id=5, text="5 roses"), edited(1_790_000_100, photo=photo, caption="These"))
    assert (message.type, message.body) == ("image", "These")
    assert message.details["file"]["name"] == "photo.jpg"


def test_a_new_caption_fetches_no_file_again(bot: Connection, vendors: Vendors) -> None:
    vendors.files["photos/one"] = vendors.files["photos/two"] = png()
    photo = [{"file_id": "one", "file_unique_id": "u1", "width": 1, "height": 1}]
    message = arrive(bot, _tg(message_id=5, photo=photo, caption="Thse"))
    had = message.details["file"]["id"]
    again = [{**photo[0], "file_id": "two"}]
    message = arrive(bot, edited(1_790_000_100, photo=again, caption="These"))
    assert (message.type, message.body, message.details["file"]["id"]) == ("image", "These", had)
