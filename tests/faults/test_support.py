"""The support desk under kill -9, at once, and while PostgreSQL, Redis or a colleague's lock is in the way: a reply is
said once or not at all, and its action tells which.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from threading import Barrier, Event
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import F

from apps.agents.models import Agent
from apps.chats.actions import post_client_message
from apps.chats.models import Chat, Contact, Message
from apps.core.database import execute
from apps.support.actions.replies import confirm_replies
from apps.support.models import ChatHold, SupportAction, SupportSettings, Ticket
from tests.client import assert_problem
from tests.factories.support import TicketFactory, at_desk
from tests.faults.conftest import Figures
from tests.faults.failpoints import restore, run_apart, state
from tests.faults.odd_valkey import STATES, OddValkey
from tests.faults.scale import SCALE
from tests.faults.test_redis_states import shared_valkey, valkey  # noqa: F401 - fixtures
from tests.support.test_desk import Desk
from tests.waits import AT_MOST_S, wait_until_somebody_waits
from tests.webhooks.receivers import wait_until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(3600 if SCALE.is_long else 300),
]

CALLERS = 40
PLACES = 3
ROUNDS = 20 if SCALE.is_long else 1
TEXT = "Заказ в пути."
LATER = timedelta(seconds=30)


@pytest.fixture
def desk(token: str, alice: Agent, settings: Any) -> Desk:
    settings.API_RATE_LIMIT = 1_000_000
    at_desk(token, alice)
    SupportSettings.objects.update(room_reply_limit=PLACES, token_reply_limit_10min=0, token_reply_limit_day=0)
    return Desk(token)


@pytest.fixture
def asked(chat: Chat, ivan: Contact) -> int:
    """Ivan's question, which the desk answers; its id."""
    return post_client_message(contact=ivan, content={"type": "text", "body": "Где заказ?"}).id


def said(chat: Chat) -> list[int]:
    """The ids of all that people said in the chat."""
    rows = Message.objects.filter(chat=chat, sender_kind="agent", is_internal=False)
    return list(rows.order_by("id").values_list("id", flat=True))


def time_passes() -> None:
    """Half a minute, after which the job looks at what nobody waits for any more."""
    SupportAction.objects.update(created_at=F("created_at") - LATER)
    confirm_replies()


def apart(work: Callable[[], Any]) -> Any:
    """What work comes to in a thread, whose connection ends with it."""
    try:
        return work()
    finally:
        connection.close()


def at_once(work: Callable[[], Any]) -> list[Any]:
    """What the work came to for each of the callers, who all begin at the same moment."""
    barrier = Barrier(CALLERS)

    def run() -> Any:
        barrier.wait(60)
        return work()

    with ThreadPoolExecutor(CALLERS) as threads:
        return [done.result() for done in [threads.submit(apart, run) for _ in range(CALLERS)]]


def until_told(call: Callable[[], Any]) -> Any:
    """The answer of a call that is made again while the machine is too slow for it (503, which has done nothing)."""
    while (answer := call()).status_code == 503:
        pass
    return answer


def test_a_reply_killed_anywhere_is_said_once_and_its_action_tells(
    desk: Desk, chat: Chat, asked: int, figures: Figures
) -> None:
    """A web process killed between any two steps, and the same call again: nothing is said twice, or stored unsaid."""
    ticket = TicketFactory.create(chat=chat).pk

    def reply() -> int:
        answer = desk.reply(chat, TEXT, expected=asked, ticket=ticket, note="Проверить.", idempotency_key="k")
        return int(answer.status_code)

    before = state()
    undisturbed = run_apart(reply)
    assert undisturbed.result == 201
    states = Counter[str]()
    for number, point in enumerate(undisturbed.passed, start=1):
        restore(before)
        assert run_apart(reply, killed_at=number).was_killed
        left = SupportAction.objects.first()
        states[left.status if left else "none"] += 1
        assert len(said(chat)) == (left is not None and left.status == "stored"), f"killed {point}"
        again = desk.reply(chat, TEXT, expected=asked, ticket=ticket, note="Проверить.", idempotency_key="k")
        if left is None:
            assert again.status_code == 201, f"killed {point}"
        else:
            previous = assert_problem(again, 409, "idempotency_key_reused")["previous"]
            assert previous["action_id"] == left.pk, f"killed {point}"
            assert previous["status"] in (left.status, "stored")
        time_passes()
        action = SupportAction.objects.exclude(status="refused").get()
        assert (action.status, [action.message_id]) == ("stored", said(chat)), f"killed {point}"
        assert Message.objects.filter(chat=chat, is_internal=True).count() == 1, "the note"
        assert Ticket.objects.get(pk=ticket).close_reason == "answered"
        assert desk.get(f"/actions/{action.pk}").json()["data"]["message_id"] == action.message_id
    assert set(states) == {"none", "unconfirmed", "stored"}, "kills before, between and behind the commits"
    figures.add("support desk", f"a reply killed at {len(undisturbed.passed)} points: said once ({dict(states)})")


def test_a_job_killed_anywhere_ends_the_reply_once(desk: Desk, chat: Chat, asked: int, figures: Figures) -> None:
    """The worker that looks at an unconfirmed reply is killed, too."""
    with locked(chat):
        assert desk.reply(chat, TEXT, expected=asked).status_code == 202
    SupportAction.objects.update(created_at=F("created_at") - LATER)
    before = state()
    points = run_apart(confirm_replies).passed
    for number in range(1, len(points) + 1):
        restore(before)
        run_apart(confirm_replies, killed_at=number)
        assert len(said(chat)) == (SupportAction.objects.get().status == "stored"), f"killed {points[number - 1]}"
        confirm_replies()
        action = SupportAction.objects.get()
        assert (action.status, [action.message_id]) == ("stored", said(chat))
    figures.add("support desk", f"its job killed at {len(points)} points: said once")


def test_of_forty_replies_for_three_places_three_are_said(desk: Desk, chat: Chat, asked: int, figures: Figures) -> None:
    """Each reads again and tries again while the chat has moved on, until there is no place."""

    def answers() -> str:
        own, last = Desk(desk.api.token or ""), asked
        while True:
            told = until_told(lambda last=last: own.reply(chat, TEXT, expected=last)).json()  # type: ignore[misc]
            while told.get("data", {}).get("status") == "unconfirmed":
                path = f"/actions/{told['data'].get('action_id') or told['data']['id']}"
                told = until_told(lambda path=path: own.get(path)).json()  # type: ignore[misc]
            if told.get("data", {}).get("status") == "stored":
                return "stored"
            if (code := told.get("code") or told["data"]["code"]) != "chat_changed":
                return str(code)
            last = Message.objects.filter(chat=chat, is_internal=False).latest("id").pk

    for _ in range(ROUNDS):
        SupportAction.objects.all().delete()
        Message.objects.filter(pk__in=said(chat)).delete()
        outcomes = Counter(at_once(answers))
        assert outcomes == {"stored": PLACES, "room_reply_limit": CALLERS - PLACES}
        assert len(said(chat)) == PLACES
        assert SupportAction.objects.filter(status="stored").count() == PLACES
    figures.add("support desk", f"{CALLERS} replies at once for {PLACES} places, {ROUNDS} rounds: {PLACES} said")


def test_of_forty_replies_with_one_key_one_is_said(desk: Desk, chat: Chat, asked: int) -> None:
    def answers() -> int:
        own = Desk(desk.api.token or "")
        answer = until_told(lambda: own.reply(chat, TEXT, expected=asked, idempotency_key="k"))
        return int(answer.status_code)

    outcomes = Counter(at_once(answers))
    assert outcomes[409] == CALLERS - 1
    time_passes()
    assert SupportAction.objects.filter(status="stored").count() == 1
    assert len(said(chat)) == 1


def test_of_forty_claims_one_has_the_chat(desk: Desk, chat: Chat, figures: Figures) -> None:
    def claims() -> str:
        own = Desk(desk.api.token or "")
        answer = until_told(lambda: own.post(f"/chats/{chat.pk}/claim"))
        return "claimed" if answer.status_code == 200 else str(answer.json()["code"])

    for _ in range(ROUNDS):
        ChatHold.objects.all().delete()
        assert Counter(at_once(claims)) == {"claimed": 1, "chat_claimed": CALLERS - 1}
        assert ChatHold.objects.count() == 1
    figures.add("support desk", f"{CALLERS} claims at once, {ROUNDS} rounds: 1 has the chat")


@contextmanager
def locked(chat: Chat) -> Iterator[None]:
    """Another session has the chat's row until the end of the block."""
    has_it, ends = Event(), Event()

    def hold() -> None:
        try:
            with transaction.atomic():
                Chat.objects.for_widget(chat.widget_id).get_for_update(pk=chat.pk)
                has_it.set()
                ends.wait()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        holding = threads.submit(hold)
        try:
            wait_until(lambda: has_it.is_set() or holding.done(), AT_MOST_S)
            yield
        finally:
            ends.set()
            holding.result()


@pytest.mark.slow
def test_while_another_session_has_the_chat_a_reply_is_unconfirmed_and_then_told(
    desk: Desk, chat: Chat, asked: int
) -> None:
    with locked(chat):
        waiting = desk.reply(chat, TEXT, expected=asked, idempotency_key="k")
        data = waiting.json()["data"]
        assert (waiting.status_code, data["status"], data["message_id"]) == (202, "unconfirmed", None)
        action = desk.get(f"/actions/{data['action_id']}").json()["data"]
        assert (action["status"], action["http_status"]) == ("unconfirmed", 202)
        assert said(chat) == []
    action = desk.get(f"/actions/{data['action_id']}").json()["data"]
    assert (action["status"], [action["message_id"]]) == ("stored", said(chat))
    again = assert_problem(desk.reply(chat, TEXT, expected=asked, idempotency_key="k"), 409, "idempotency_key_reused")
    assert again["previous"]["message_id"] == action["message_id"]


@pytest.mark.slow
def test_one_that_is_locked_out_for_two_minutes_has_failed(desk: Desk, chat: Chat, asked: int) -> None:
    with locked(chat):
        data = desk.reply(chat, TEXT, expected=asked).json()["data"]
        SupportAction.objects.update(created_at=F("created_at") - timedelta(minutes=2))
        confirm_replies()
    action = desk.get(f"/actions/{data['action_id']}").json()["data"]
    assert (action["status"], action["message_id"]) == ("failed", None)
    confirm_replies()
    assert said(chat) == []


def test_a_reply_whose_session_postgresql_ends_is_said_once(desk: Desk, chat: Chat, asked: int) -> None:
    """PostgreSQL goes while the message is being stored: 202 or 503, and the truth afterwards."""

    def answers() -> Any:
        return Desk(desk.api.token or "").reply(chat, TEXT, expected=asked, idempotency_key="k")

    with locked(chat), ThreadPoolExecutor(1) as threads:
        replying = threads.submit(apart, answers)
        wait_until_somebody_waits()
        ended = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0"
        )
        execute(ended, {})
        answer = replying.result()
        assert answer.status_code in (202, 503), answer.json()
    assert said(chat) == []
    again = assert_problem(desk.reply(chat, TEXT, expected=asked, idempotency_key="k"), 409, "idempotency_key_reused")
    action_id = again["previous"]["action_id"]
    action = desk.get(f"/actions/{action_id}").json()["data"]
    assert (action["status"], [action["message_id"]]) == ("stored", said(chat))


@pytest.mark.parametrize("name", STATES if SCALE.is_long else ("frozen", "with a full disk"))
def test_without_redis_nothing_differs(
    desk: Desk,
    chat: Chat,
    asked: int,
    valkey: OddValkey,  # noqa: F811 - a fixture
    name: str,
) -> None:
    ticket = TicketFactory.create(chat=chat).pk

    def works() -> list[int]:
        claimed = desk.post(f"/chats/{chat.pk}/claim")
        claim = {"claim_id": claimed.json()["data"]["claim_id"]}
        answers = [
            claimed,
            desk.post(f"/chats/{chat.pk}/claim"),
            desk.get("/tickets"),
            desk.get(f"/chats/{chat.pk}/messages"),
            *(desk.reply(chat, TEXT, **claim) for _ in range(PLACES + 1)),
            desk.post(f"/tickets/{ticket}/close", {"reason": "resolved", **claim}),
            desk.post(f"/chats/{chat.pk}/release", claim),
        ]
        return [answer.status_code for answer in answers]

    usual = works()
    assert usual == [200, 409, 200, 200, *[201] * PLACES, 429, 200, 200]
    SupportAction.objects.all().delete()
    Ticket.objects.update(state="open", closed_at=None, close_reason=None)
    with valkey.in_state(name):
        assert works() == usual
    assert len(said(chat)) == 2 * PLACES
