"""What providers say of messages that were sent (design, "Receipts"): forward, never back."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.models import Connection, Inbound, OutboundMessage
from tests.client import ApiClient
from tests.messengers.test_hooks import post, work
from tests.messengers.test_outbox import delivery, say, send, wrote


def told(document: dict[str, Any]) -> None:
    """The provider posts it, and a worker handles it."""
    assert post(Connection.objects.get(), document).status_code == 200
    work()


def whatsapp(state: str, id_: str, **more: Any) -> dict[str, Any]:
    value = {"messaging_product": "whatsapp", "statuses": [{"id": id_, "status": state, "recipient_id": "7", **more}]}
    return {"object": "whatsapp_business_account", "entry": [{"changes": [{"field": "messages", "value": value}]}]}


@pytest.fixture
def sent(api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors) -> Message:
    """Alice's answer, sent by WhatsApp."""
    wrote(shop, "wa", vendors)
    message = say(api, alice)
    send()
    return message


def external_id() -> str:
    return str(OutboundMessage.objects.get().external_ids[-1])


def test_delivered_and_read_move_forward_and_never_back(sent: Message) -> None:
    told(whatsapp("delivered", external_id()))
    assert delivery(sent)["state"] == "delivered"
    told(whatsapp("read", external_id()))
    assert delivery(sent) == {"state": "read", "code": None, "detail": None, "attempts": 1, "sent_as": None}
    assert sent.seen_at is not None
    told(whatsapp("delivered", external_id(), timestamp="2"))
    assert delivery(sent)["state"] == "read"


def test_a_failure_has_the_code_of_the_table(sent: Message, api: ApiClient) -> None:
    told(whatsapp("failed", external_id(), errors=[{"code": 131047, "title": "Re-engagement message"}]))
    shown = delivery(sent)
    assert (shown["state"], shown["code"], shown["detail"]) == ("failed", "window_closed", "Re-engagement message")
    assert api.get("/messengers/wa").json()["data"]["failed_24h"] == 1


def test_one_that_comes_again_is_kept_once(sent: Message) -> None:
    for _ in range(3):
        told(whatsapp("delivered", external_id()))
    assert Inbound.objects.filter(conversation="~receipts").count() == 1


def test_of_what_nobody_has_sent_it_is_taken_and_changes_nothing(sent: Message) -> None:
    told(whatsapp("read", "wamid.somebody-elses"))
    assert delivery(sent)["state"] == "sent"


def test_a_watermark_is_of_all_until_then(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors, settings: Any
) -> None:
    peer = wrote(shop, "fb", vendors)
    first = say(api, alice, "1")
    send()
    queued = OutboundMessage.objects.get().queued_at
    OutboundMessage.objects.update(queued_at=queued.replace(year=queued.year - 1))
    later = say(api, alice, "2")
    send()
    until = int(queued.timestamp() * 1000) - 60_000
    reading = {"sender": {"id": peer.conversation}, "recipient": {"id": "1"}, "read": {"watermark": until}}
    told({"object": "page", "entry": [{"id": "1", "messaging": [reading]}]})
    assert [delivery(one)["state"] for one in (first, later)] == ["read", "sent"]
