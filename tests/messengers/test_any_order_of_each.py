"""Edits, deletions and receipts in any order, of each messenger that tells of them; the others tell of none."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.adapters import ADAPTERS
from apps.messengers.models import EarlyReceipt, OutboundMessage
from apps.messengers.rules.kinds import Kind, Outcome
from tests.client import ApiClient
from tests.messengers.payloads.av import _av
from tests.messengers.payloads.fb import event
from tests.messengers.payloads.mx import _mx
from tests.messengers.payloads.tg import _tg
from tests.messengers.payloads.vk import _event, _vk
from tests.messengers.payloads.wa import message as wa
from tests.messengers.test_any_order import messenger, told_before_the_answer, viber
from tests.messengers.test_hooks import connected, post, work
from tests.messengers.test_outbox import delivery, say, send, wrote
from tests.messengers.test_receipts import told, whatsapp

Document = dict[str, Any]
AT = 1_790_000_000


def said(provider: str, text: str) -> Document:
    """A message of that text, whose id is always the same."""
    return {
        "tg": lambda: _tg(message_id=5, text=text),
        "vk": lambda: _vk(text=text, conversation_message_id=5),
        "wa": lambda: wa(id="wamid.5", type="text", text={"body": text}),
        "fb": lambda: event(message={"mid": "m_5", "text": text}),
        "mx": lambda: _mx(mid="mid.5", text=text),
        "av": lambda: _av(id="m5", type="text", content={"text": text}),
    }[provider]()


def edited(provider: str, text: str, count: int, at: int = AT) -> Document:
    """The edit of that message, the first or a later one, at that second."""
    if provider == "tg":
        return {"update_id": count, "edited_message": _tg(message_id=5, edit_date=at, text=text)["message"]}
    if provider == "vk":
        about = {"id": 5, "peer_id": 42, "from_id": 42, "conversation_message_id": 5, "out": 0}
        return _event("message_edit", **about, date=1, update_time=at, text=text)
    if provider == "wa":
        now = {"original_message_id": "wamid.5", "message": {"type": "text", "text": {"body": text}}}
        return wa(id=f"wamid.e{count}", timestamp=str(at), type="edit", edit=now)
    if provider == "fb":
        return event(timestamp=at * 1000, message_edit={"mid": "m_5", "text": text, "num_edit": count})
    document = _mx(kind="message_edited", mid="mid.5", text=text)
    return {**document, "timestamp": at * 1000}


def deleted(provider: str) -> Document:
    """The deletion of that message."""
    if provider == "wa":
        return wa(id="wamid.d", timestamp=str(AT), type="revoke", revoke={"original_message_id": "wamid.5"})
    if provider == "mx":
        about = {"timestamp": AT * 1000, "message_id": "mid.5", "chat_id": 4242, "user_id": 42}
        return {"update_type": "message_removed", **about}
    return _av(id="m5", type="deleted", content={})


EDITORS, DELETERS, TELLERS = ("tg", "vk", "wa", "fb", "mx"), ("wa", "mx", "av"), ("wa", "vb", "fb")


def come(shop: Widget, provider: str, *documents: Document) -> Message:
    connection = connected(shop, provider)
    for document in documents:
        assert post(connection, document).status_code == 200
        work()
    return Message.objects.get()


def test_each_messenger_is_tried_that_tells_of_edits_deletions_or_receipts() -> None:
    changing = {code: one.reads for code, one in ADAPTERS.items()}
    assert {code for code, reads in changing.items() if reads[Kind.EDIT] is Outcome.CHANGE} == set(EDITORS)
    assert {code for code, reads in changing.items() if reads[Kind.DELETION] is Outcome.CHANGE} == set(DELETERS)
    base = type(ADAPTERS["tg"]).__mro__[1]
    assert {code for code, one in ADAPTERS.items() if type(one).receipts is not base.receipts} == set(TELLERS)  # type: ignore[attr-defined]


@pytest.mark.parametrize("provider", EDITORS)
def test_the_second_edit_within_a_second_counts(shop: Widget, vendors: Vendors, provider: str) -> None:
    first, second = edited(provider, "7 roses", 1), edited(provider, "9 roses", 2)
    message = come(shop, provider, said(provider, "5 roses"), first, second, second)
    assert (message.body, "edited_at" in (message.details or {})) == ("9 roses", True)


@pytest.mark.parametrize("provider", EDITORS)
def test_an_older_edit_that_comes_later_changes_nothing(shop: Widget, vendors: Vendors, provider: str) -> None:
    newer, older = edited(provider, "9 roses", 2, at=AT + 100), edited(provider, "7 roses", 1)
    assert come(shop, provider, said(provider, "5 roses"), newer, older).body == "9 roses"


@pytest.mark.parametrize("provider", EDITORS)
def test_edits_before_their_message_are_applied_when_it_comes(shop: Widget, vendors: Vendors, provider: str) -> None:
    connection = connected(shop, provider)
    for document in (edited(provider, "9 roses", 2, at=AT + 100), edited(provider, "7 roses", 1)):
        post(connection, document)
        work()
    assert not Message.objects.exists()
    post(connection, said(provider, "5 roses"))
    work()
    assert Message.objects.get().body == "9 roses"


@pytest.mark.parametrize("provider", DELETERS)
@pytest.mark.parametrize("is_early", [False, True], ids=["after", "before"])
def test_a_deletion_counts_after_and_before_its_message(
    shop: Widget, vendors: Vendors, provider: str, *, is_early: bool
) -> None:
    connection, documents = connected(shop, provider), [said(provider, "5 roses"), deleted(provider)]
    for document in reversed(documents) if is_early else documents:
        assert post(connection, document).status_code == 200
        work()
    message = Message.objects.get()
    assert (message.body, "deleted_at" in (message.details or {})) == ("5 roses", True)


@pytest.mark.parametrize("provider", [code for code in DELETERS if code in EDITORS])
def test_an_edit_after_the_deletion_brings_nothing_back(shop: Widget, vendors: Vendors, provider: str) -> None:
    message = come(shop, provider, said(provider, "5 roses"), deleted(provider), edited(provider, "7 roses", 1))
    assert "deleted_at" in (message.details or {})


Tell = Callable[[str], Document]


def seen_in_viber(id_: str) -> Document:
    return {"event": "delivered", "message_token": id_, "user_id": "1"}


@pytest.mark.parametrize(
    ("provider", "tell"), [("wa", lambda id_: whatsapp("delivered", id_)), ("vb", seen_in_viber), ("fb", messenger)]
)
@pytest.mark.parametrize("is_early", [False, True], ids=["after the answer", "before it"])
def test_a_message_of_parts_is_delivered_with_its_last_in_any_order(
    api: ApiClient,
    shop: Widget,
    alice: Agent,
    vendors: Vendors,
    monkeypatch: pytest.MonkeyPatch,
    provider: str,
    tell: Tell,
    *,
    is_early: bool,
) -> None:
    wrote(shop, provider, vendors)
    if is_early:
        told_before_the_answer(monkeypatch, provider, tell)
    message = say(api, alice, "word " * 2_000)
    send()
    ids = OutboundMessage.objects.get().external_ids
    assert len(ids) > 1
    if not is_early:
        told(tell(ids[0]))
        assert delivery(message)["state"] == "sent"
        told(tell(ids[-1]))
    assert delivery(message)["state"] == "delivered"
    assert not EarlyReceipt.objects.exists()


def test_a_part_that_fails_at_viber_before_the_answer_fails_the_whole(
    api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrote(shop, "vb", vendors)
    told_before_the_answer(monkeypatch, "vb", viber)
    message = say(api, alice, "word " * 2_000)
    send()
    assert delivery(message)["state"] == "failed"
