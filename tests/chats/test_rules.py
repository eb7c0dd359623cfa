"""The rules of `apps.chats.rules`, without a database."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.chats import rules
from apps.chats.rules import MoveRefused, Status, Transition
from tests.chats.state_table import expected

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MOVES = expected()


@pytest.mark.parametrize(("transition", "before"), MOVES)
def test_each_state_and_transition_lead_to_what_the_table_says(transition: str, before: str) -> None:
    try:
        after = str(rules.next_status(Status(before), Transition(transition)))
    except MoveRefused:
        after = "409"
    assert after == MOVES[transition, before]


def test_the_table_has_every_state_and_every_transition() -> None:
    assert set(MOVES) == {(str(transition), str(state)) for transition in Transition for state in Status}


@given(st.sampled_from(Status), st.lists(st.sampled_from(Transition), max_size=30))
def test_along_any_way_a_chat_closes_as_often_as_it_moves_into_expired(
    start: Status, transitions: list[Transition]
) -> None:
    status, closed, moved_into_expired = start, 0, 0
    for transition in transitions:
        wanted = MOVES[str(transition), str(status)]
        try:
            after = rules.next_status(status, transition)
        except MoveRefused:
            assert wanted == "409"
            assert status is Status.SPAM, "only a spam chat refuses"
            continue
        assert after == wanted
        if status is Status.SPAM and after is not Status.SPAM:
            assert transition is Transition.SET_ACTIVE, "`state active` is the only way out of spam"
        closed += rules.is_closing(status, after)
        moved_into_expired += status != "expired" and after == "expired"
        status = after
    assert closed == moved_into_expired


@pytest.mark.parametrize("transition", Transition)
def test_changed_by_names_the_states_that_change_and_no_other(transition: Transition) -> None:
    changes = {
        before: after for (of, before), after in MOVES.items() if of == str(transition) and after not in (before, "409")
    }
    assert {str(before): str(after) for before, after in rules.changed_by(transition).items()} == changes


def test_a_chat_is_idle_from_seven_minutes_on() -> None:
    assert rules.idle_since(NOW) == NOW - timedelta(minutes=7)
    assert timedelta(minutes=5) == rules.SWEEP_EVERY
