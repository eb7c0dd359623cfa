"""POST /api/v1/chats/{id}/close and /state."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.events import ChatClosed, ChatUpdated
from apps.chats.models import Chat
from apps.chats.rules import SET_STATE, Status, Transition
from apps.core.bus import DomainEvent
from apps.core.problems import Problem
from tests.chats.state_table import expected
from tests.client import ApiClient, assert_problem
from tests.factories import ApiTokenFactory, ChatFactory, MessageFactory, plain_text
from tests.rows import snapshot

MOVES = expected()
STATES = [str(state) for state in Status]


def in_state(chat: Chat, status: str) -> Chat:
    Chat.objects.filter(pk=chat.pk).update(status=status, expired_at=timezone.now() if status == "expired" else None)
    chat.refresh_from_db()
    return chat


def closed(chat: Chat, reason: str = "expired") -> ChatClosed:
    return ChatClosed(widget_id=chat.widget_id, widget_guid=chat.widget.guid, chat_id=chat.pk, reason=reason)


@pytest.mark.parametrize("before", STATES)
@pytest.mark.parametrize("transition", ["close", "state active", "state ready", "state expired", "state spam"])
def test_each_move_answers_and_emits_what_the_table_says(
    api: ApiClient, chat: Chat, happened: list[DomainEvent], transition: str, before: str
) -> None:
    in_state(chat, before)
    rows = snapshot()
    verb, _, state = transition.partition(" ")
    answer = api.post(f"/chats/{chat.pk}/{verb}", json={"state": state} if state else {})
    after = MOVES[transition, before]
    if after == "409":
        assert_problem(answer, 409, "chat_is_spam")
        assert happened == []
        assert snapshot() == rows, "a refusal changes nothing, and leaves the key free"
        return
    assert (answer.status_code, answer.json()["data"]["status"]) == (200, after), answer.content
    assert api.get(f"/chats/{chat.pk}").json() == answer.json()
    assert happened.count(closed(chat)) == (after == "expired" and before != "expired")
    assert (ChatUpdated(widget_id=chat.widget_id, chat_id=chat.pk) in happened) == (before != after)
    assert Chat.objects.get(pk=chat.pk).version == chat.version + (before != after)


@pytest.mark.parametrize("body", [{}, None])
def test_close_needs_no_reason(api: ApiClient, chat: Chat, happened: list[DomainEvent], body: object) -> None:
    assert api.post(f"/chats/{chat.pk}/close", json=body).json()["data"]["status"] == "expired"
    assert closed(chat, "expired") in happened


@pytest.mark.parametrize(("path", "body"), [("close", {}), ("state", {"state": "expired"})])
def test_receivers_of_chat_closed_read_the_callers_reason(
    api: ApiClient, chat: Chat, happened: list[DomainEvent], path: str, body: dict[str, str]
) -> None:
    api.post(f"/chats/{chat.pk}/{path}", json={**body, "reason": "заказ доставлен"})
    assert closed(chat, "заказ доставлен") in happened


@pytest.mark.parametrize("reason", ["", "x" * 256, None, 1, ["a"]])
def test_a_reason_is_a_text_of_1_to_255_characters(api: ApiClient, chat: Chat, reason: object) -> None:
    for path, body in (("close", {}), ("state", {"state": "expired"})):
        answer = api.post(f"/chats/{chat.pk}/{path}", json={**body, "reason": reason})
        assert_problem(answer, 422, "invalid_input", errors=["reason"])
    assert api.post(f"/chats/{chat.pk}/close", json={"reason": "x" * 255}).status_code == 200


@pytest.mark.parametrize("body", [{}, {"state": "closed"}, {"state": None}, {"state": "ACTIVE"}, {"status": "active"}])
def test_a_state_is_one_of_the_four(api: ApiClient, chat: Chat, body: dict[str, object]) -> None:
    problem = assert_problem(api.post(f"/chats/{chat.pk}/state", json=body), 422, "invalid_input")
    assert "state" in problem["errors"]


def test_a_chat_closed_twice_emits_once(api: ApiClient, chat: Chat, happened: list[DomainEvent]) -> None:
    for _ in range(2):
        assert api.post(f"/chats/{chat.pk}/close").json()["data"]["status"] == "expired"
    assert happened.count(closed(chat)) == 1


def test_each_further_move_into_expired_emits_again(api: ApiClient, chat: Chat, happened: list[DomainEvent]) -> None:
    for state in ("expired", "active", "expired", "ready", "expired"):
        api.post(f"/chats/{chat.pk}/state", json={"state": state})
    assert happened.count(closed(chat)) == 3


TRANSITIONS = st.sampled_from(list(Transition))


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(transitions=st.lists(TRANSITIONS, max_size=8))
def test_through_the_actions_a_chat_goes_the_tables_way(
    shop: Widget, alice: Agent, happened: list[DomainEvent], transitions: list[Transition]
) -> None:
    """The whole state machine on real rows: what the actions make of a chat is what the table says."""
    chat = ChatFactory.create(contact__widget=shop, agent=alice)
    MessageFactory.create(chat=chat)
    status, emitted = "active", 0
    happened.clear()
    for transition in transitions:
        wanted = MOVES[str(transition), status]
        move(chat, transition)
        emitted += wanted == "expired" and status != "expired"
        status = status if wanted == "409" else wanted
        assert Chat.objects.get(pk=chat.pk).status == status, (transition, transitions)
    assert sum(isinstance(event, ChatClosed) for event in happened) == emitted
    chat.delete()  # the next example sweeps again


def move(chat: Chat, transition: Transition) -> None:
    """Makes the move, as whoever makes it; a refusal is the table's 409."""
    chat.refresh_from_db()
    last = chat.last_message_at
    assert last is not None
    moves = {
        Transition.CLOSE: lambda: actions.close_chat(widget_id=chat.widget_id, chat_id=chat.pk),
        Transition.CLIENT_WRITES: lambda: actions.post_client_message(
            contact=chat.contact, content={"type": "text", "body": "Hello"}
        ),
        Transition.AGENT_WRITES: lambda: actions.post_agent_message(
            widget_id=chat.widget_id, chat_id=chat.pk, content={"type": "text", "body": "Hello"}
        ),
        Transition.SWEEP_IDLE: lambda: actions.sweep_chats(as_of=last + timedelta(minutes=7)),
        Transition.SWEEP_TALKING: lambda: actions.sweep_chats(as_of=last + timedelta(minutes=7, microseconds=-1)),
    }
    states = {by: state for state, by in SET_STATE.items()}
    try:
        if transition in states:
            actions.set_chat_state(widget_id=chat.widget_id, chat_id=chat.pk, status=states[transition])
        else:
            moves[transition]()
    except Problem as problem:
        if problem.type is not CHAT_IS_SPAM:
            raise


@pytest.mark.django_db(transaction=True)
def test_the_answer_of_a_move_that_waited_for_a_message_shows_it() -> None:
    chat = ChatFactory.create()
    MessageFactory.create(chat=chat)
    api = ApiClient(plain_text(ApiTokenFactory.create(widget=chat.widget)))

    def close() -> Any:
        try:
            return api.post(f"/chats/{chat.pk}/close").json()["data"]
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as somebody:
        with transaction.atomic(), connection.cursor() as cursor:
            posted = actions.post_client_message(contact=chat.contact, content={"type": "text", "body": "Wait!"})
            closing = somebody.submit(close)
            while not closing.done():
                cursor.execute("SELECT FROM pg_locks WHERE NOT granted")
                if cursor.rowcount:
                    break
        answer = closing.result(30)
    assert (answer["status"], answer["last_message"]["id"]) == ("expired", posted.id)
    assert answer["last_message"]["preview"] == "Wait!"
