"""The state table of tickets (design/support.md 6; specification, "Ticket state"): each cell, and any walk over it."""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.support.rules.tickets import (
    REOPEN_WINDOW,
    CloseReason,
    TicketEffect,
    TicketMoveRefused,
    TicketStanding,
    TicketState,
    answered,
    closed,
    may_reopen,
    reopened,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
OPEN, CLOSED = TicketState.OPEN, TicketState.CLOSED
BY_AGENTS = [reason for reason in CloseReason if reason is not CloseReason.ANSWERED]


class Event(NamedTuple):
    """What happens to a ticket. `closed_ago` and `chat_has_open` are of a reopening."""

    kind: str
    reason: CloseReason = CloseReason.RESOLVED
    closed_ago: timedelta = timedelta(0)
    chat_has_open: bool = False


class Outcome(NamedTuple):
    """Where a ticket stands after it, what was refused, what a reply did."""

    standing: TicketStanding
    refusal: str | None = None
    effect: TicketEffect | None = None


def happens(standing: TicketStanding, event: Event) -> Outcome:
    """What the rules make of it."""
    try:
        if event.kind == "close":
            return Outcome(closed(standing, event.reason))
        if event.kind == "reopen":
            about = {"closed_at": NOW - event.closed_ago, "now": NOW, "chat_has_open": event.chat_has_open}
            return Outcome(reopened(standing, **about))  # type: ignore[arg-type] # of three kinds
        after, effect = answered(standing, close_ticket=event.kind == "reply_closes")
        return Outcome(after, effect=effect)
    except TicketMoveRefused as refused:
        return Outcome(standing, refusal=refused.code)


def expected(standing: TicketStanding, event: Event) -> Outcome:
    """The same by the design's table, cell by cell."""
    too_late = event.closed_ago >= timedelta(days=7)
    not_again = "reopen_window_passed" if too_late else "chat_has_open_ticket" if event.chat_has_open else None
    table: dict[tuple[TicketState, str], Outcome] = {
        (OPEN, "close"): Outcome(TicketStanding(CLOSED, event.reason)),
        (OPEN, "reopen"): Outcome(standing, "ticket_not_closed"),
        (OPEN, "reply_closes"): Outcome(TicketStanding(CLOSED, CloseReason.ANSWERED), None, TicketEffect.CLOSED),
        (OPEN, "reply_holds"): Outcome(TicketStanding(OPEN, None, True), None, TicketEffect.HELD_FOR_OWNER),
        (CLOSED, "close"): Outcome(standing, "ticket_not_open"),
        (CLOSED, "reopen"): Outcome(standing, not_again) if not_again else Outcome(TicketStanding(OPEN)),
        (CLOSED, "reply_closes"): Outcome(standing, None, TicketEffect.ALREADY_CLOSED),
        (CLOSED, "reply_holds"): Outcome(standing, None, TicketEffect.ALREADY_CLOSED),
    }
    return table[standing.state, event.kind]


EVENTS = st.builds(
    Event,
    kind=st.sampled_from(["close", "reopen", "reply_closes", "reply_holds"]),
    reason=st.sampled_from(BY_AGENTS),
    closed_ago=st.sampled_from([timedelta(0), REOPEN_WINDOW - timedelta(microseconds=1), REOPEN_WINDOW])
    | st.timedeltas(timedelta(0), timedelta(days=30)),
    chat_has_open=st.booleans(),
)


@given(st.lists(EVENTS, max_size=20))
def test_any_walk_goes_by_the_table(events: list[Event]) -> None:
    standing = TicketStanding(OPEN)
    for event in events:
        outcome = happens(standing, event)
        assert outcome == expected(standing, event)
        assert outcome.refusal is None or outcome.standing == standing, "what is refused moves nothing"
        standing = outcome.standing
        assert (standing.close_reason is not None) == (standing.state is CLOSED)
        assert not (standing.held_for_owner and standing.state is CLOSED), "a hold ends with the ticket"


@pytest.mark.parametrize("closed_at", [None, NOW - REOPEN_WINDOW])
def test_one_that_nobody_knows_to_be_closed_or_long_ago_is_not_opened_again(closed_at: Any) -> None:
    assert not may_reopen(closed_at, NOW)
    with pytest.raises(TicketMoveRefused, match="reopen_window_passed"):
        reopened(TicketStanding(CLOSED, CloseReason.RESOLVED), closed_at=closed_at, now=NOW, chat_has_open=True)
