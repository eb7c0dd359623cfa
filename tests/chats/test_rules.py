"""The rules of `apps.chats.rules`, without a database."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.chats import rules
from apps.chats.rules import Mover, Refused, Status
from tests.chats.state_table import expected

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MOVES = expected()


@pytest.mark.parametrize(("mover", "before"), MOVES)
def test_each_state_and_mover_lead_to_what_the_table_says(mover: str, before: str) -> None:
    try:
        after = str(rules.next_status(Status(before), Mover(mover)))
    except Refused:
        after = "409"
    assert after == MOVES[mover, before]


def test_the_table_has_every_state_and_every_mover() -> None:
    assert set(MOVES) == {(str(mover), str(state)) for mover in Mover for state in Status}


@given(st.sampled_from(Status), st.lists(st.sampled_from(Mover), max_size=30))
def test_along_any_way_a_chat_closes_as_often_as_it_moves_into_expired(start: Status, movers: list[Mover]) -> None:
    status, closed, moved_into_expired = start, 0, 0
    for mover in movers:
        wanted = MOVES[str(mover), str(status)]
        try:
            after = rules.next_status(status, mover)
        except Refused:
            assert wanted == "409"
            assert status is Status.SPAM, "only a spam chat refuses"
            continue
        assert after == wanted
        if status is Status.SPAM and after is not Status.SPAM:
            assert mover is Mover.SET_ACTIVE, "`state active` is the only way out of spam"
        closed += rules.is_closing(status, after)
        moved_into_expired += status != "expired" and after == "expired"
        status = after
    assert closed == moved_into_expired


@pytest.mark.parametrize("mover", Mover)
def test_moved_by_names_the_states_that_change_and_no_other(mover: Mover) -> None:
    changes = {
        before: after for (of, before), after in MOVES.items() if of == str(mover) and after not in (before, "409")
    }
    assert {str(before): str(after) for before, after in rules.moved_by(mover).items()} == changes


def test_a_chat_is_idle_from_seven_minutes_on() -> None:
    assert rules.idle_since(NOW) == NOW - timedelta(minutes=7)
    assert timedelta(minutes=5) == rules.SWEEP_EVERY
