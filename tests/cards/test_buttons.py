"""`POST /console/chats/{id}/cards/{key}/actions`: the shop is told once, and never again."""

from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from apps.accounts.models import AuditEntry, Widget
from apps.agents.models import Agent
from apps.cards.models import CardAction
from apps.cards.tasks import ACTIONS_QUEUE
from apps.chats.models import Chat, ChatActivity
from apps.leases import claims
from tests.cards.shop import ShopProgram
from tests.cards.test_reading import look, looked_at
from tests.cast import Rival
from tests.client import assert_problem
from tests.console.browser import Console
from tests.factories import ChatFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def seen(alices_console: Console, chat: Chat, program: ShopProgram, secret: str) -> Chat:
    """The chat whose cards Alice sees."""
    looked_at(alices_console, chat)
    program.heard.clear()
    return chat


def press(console: Console, chat: Chat, status: int = 202, **body: Any) -> Any:
    body = {"client_id": str(uuid4()), "action": "order.cancel", **body}
    return console.data("POST", f"/chats/{chat.pk}/cards/order/actions", status, json=body)


def tell() -> None:
    for lease in claims.claim(ACTIONS_QUEUE, wanted=9):
        lease.run()


def test_the_shop_is_told_who_pressed_what(
    alices_console: Console, alice: Agent, seen: Chat, program: ShopProgram
) -> None:
    client_id = str(uuid4())
    assert press(alices_console, seen, client_id=client_id) == {
        "client_id": client_id,
        "action": "order.cancel",
        "state": "running",
        "message": None,
    }
    assert not program.heard
    program.says = {
        "message": "Cancelled.",
        "cards": [{"key": "order", "components": [{"type": "text", "text": "No"}]}],
    }
    tell()
    (asked,) = program.asked
    assert (asked["type"], asked["id"]) == ("cards.action", client_id)
    told = {name: asked["data"][name] for name in ("key", "action", "value", "client_id", "agent")}
    assert told == {
        "key": "order",
        "action": "order.cancel",
        "value": "4711",
        "client_id": client_id,
        "agent": {"id": alice.pk, "name": alice.name},
    }
    card = look(alices_console, seen)["order"]
    assert (card["last_action"]["state"], card["last_action"]["message"]) == ("done", "Cancelled.")
    assert card["components"] == [{"type": "text", "text": "No"}]


def test_it_stands_in_the_thread_and_in_the_trail(alices_console: Console, alice: Agent, seen: Chat) -> None:
    press(alices_console, seen)
    step = ChatActivity.objects.for_widget(seen.widget_id).get(kind="card")
    assert (step.agent_id, step.comment) == (alice.pk, "Last order: Cancel it")
    entry = AuditEntry.objects.filter(changes__has_key="card").get()
    assert entry.changes["card"] == ["", f"#{seen.pk} order: order.cancel"]
    assert entry.actor_id == alice.user_id


def test_a_known_client_id_is_told_once(alices_console: Console, seen: Chat, program: ShopProgram) -> None:
    client_id = str(uuid4())
    press(alices_console, seen, client_id=client_id)
    press(alices_console, seen, 200, client_id=client_id)
    tell()
    assert press(alices_console, seen, 200, client_id=client_id)["state"] == "done"
    tell()
    assert len(program.heard) == 1
    assert ChatActivity.objects.for_widget(seen.widget_id).filter(kind="card").count() == 1


@pytest.mark.parametrize(
    ("status", "waits", "raw", "state"),
    [
        (500, 0, b"", "failed"),
        (204, 0, b"", "done"),
        (200, 0, b"<html>Sign in</html>", "unknown"),
        (200, 11, b"{}", "unknown"),
    ],
)
def test_what_the_shop_answers_is_what_is_known(
    alices_console: Console,
    seen: Chat,
    program: ShopProgram,
    status: int,
    waits: float,
    raw: bytes,
    state: str,
) -> None:
    program.status, program.waits, program.raw = status, waits, raw
    press(alices_console, seen)
    tell()
    tell()
    assert look(alices_console, seen)["order"]["last_action"]["state"] == state
    assert len(program.heard) == 1


def test_a_worker_that_died_on_the_way_tells_nobody_again(
    alices_console: Console, seen: Chat, program: ShopProgram
) -> None:
    press(alices_console, seen)
    CardAction.objects.for_widget(seen.widget_id).update(sent_at=timezone.now())
    tell()
    assert not program.heard
    assert look(alices_console, seen)["order"]["last_action"]["state"] == "unknown"


def test_words_that_are_no_text_or_too_long_are_not_shown(
    alices_console: Console, seen: Chat, program: ShopProgram
) -> None:
    for said in (7, "x" * 301, {"a": 1}):
        program.says = {"message": said, "cards": "none"}
        press(alices_console, seen)
        tell()
        last = look(alices_console, seen)["order"]["last_action"]
        assert (last["state"], last["message"]) == ("done", None)


def test_what_is_no_button_here_is_not_found(
    alices_console: Console, boris: Agent, seen: Chat, rival: Rival, shop: Widget, program: ShopProgram
) -> None:
    foreign = ChatFactory.create(contact__widget=rival.widget)
    body = {"client_id": str(uuid4()), "action": "order.cancel"}
    for console, path, sent in (
        (alices_console, f"/chats/{seen.pk}/cards/order/actions", {**body, "action": "order.pay"}),
        (alices_console, f"/chats/{seen.pk}/cards/bonus/actions", body),
        (alices_console, f"/chats/{seen.pk}/cards/none/actions", body),
        (alices_console, f"/chats/{foreign.pk}/cards/order/actions", body),
        (Console(rival.agent), f"/chats/{seen.pk}/cards/order/actions", body),
    ):
        assert_problem(console.post(path, json=sent), 404, "not_found")
    press(alices_console, seen, client_id=body["client_id"])
    # Another's client_id is nobody's business.
    assert_problem(Console(boris).post(f"/chats/{seen.pk}/cards/order/actions", json=body), 404, "not_found")
    assert CardAction.objects.for_widget(shop.pk).count() == 1
