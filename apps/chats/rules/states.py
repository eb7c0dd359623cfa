"""The chat's states and what moves it between them. Source: specification, "Chat state"; docs/adr/0008."""

from datetime import datetime, timedelta
from enum import StrEnum

IDLE_AFTER = timedelta(minutes=7)
SWEEP_EVERY = timedelta(minutes=5)
DEFAULT_CLOSE_REASON = "expired"


class Status(StrEnum):
    ACTIVE = "active"
    READY = "ready"
    EXPIRED = "expired"
    SPAM = "spam"


OPEN = (Status.ACTIVE, Status.READY)


class Transition(StrEnum):
    """The calls that may move a chat from state to state."""

    CLOSE = "close"
    SET_ACTIVE = "state active"
    SET_READY = "state ready"
    SET_EXPIRED = "state expired"
    SET_SPAM = "state spam"
    CLIENT_WRITES = "the visitor writes"
    AGENT_WRITES = "an agent writes"
    SWEEP_IDLE = "sweep: the last message is 7 minutes old or older"
    SWEEP_TALKING = "sweep: the last message is younger than 7 minutes"


class MoveRefused(Exception):
    """The chat's state does not allow the move."""


_A, _R, _E, _S = Status
_NO = None  # refused: 409

# The whole state machine: what each transition makes of a chat in each state.
_TRANSITIONS: dict[Transition, dict[Status, Status | None]] = {
    Transition.CLOSE: {_A: _E, _R: _E, _E: _E, _S: _NO},
    Transition.SET_ACTIVE: {_A: _A, _R: _A, _E: _A, _S: _A},
    Transition.SET_READY: {_A: _R, _R: _R, _E: _R, _S: _NO},
    Transition.SET_EXPIRED: {_A: _E, _R: _E, _E: _E, _S: _NO},
    Transition.SET_SPAM: {_A: _S, _R: _S, _E: _S, _S: _NO},
    Transition.CLIENT_WRITES: {_A: _A, _R: _A, _E: _A, _S: _S},
    Transition.AGENT_WRITES: {_A: _A, _R: _A, _E: _A, _S: _NO},
    Transition.SWEEP_IDLE: {_A: _E, _R: _E, _E: _E, _S: _S},
    Transition.SWEEP_TALKING: {_A: _A, _R: _A, _E: _A, _S: _S},
}

SET_STATE = {
    Status.ACTIVE: Transition.SET_ACTIVE,
    Status.READY: Transition.SET_READY,
    Status.EXPIRED: Transition.SET_EXPIRED,
    Status.SPAM: Transition.SET_SPAM,
}


def next_status(status: Status, transition: Transition) -> Status:
    """The state after the move. Raises MoveRefused where the specification answers 409."""
    after = _TRANSITIONS[transition][status]
    if after is None:
        raise MoveRefused
    return after


def changed_by(transition: Transition) -> dict[Status, Status]:
    """The states that a transition changes, and what it makes of them (for moves of many chats in one statement)."""
    return {
        before: after for before, after in _TRANSITIONS[transition].items() if after not in (before, None) and after
    }


def is_closing(before: Status, after: Status) -> bool:
    """Whether a move emits `chat.closed`: every move into expired does, and no other."""
    return after is Status.EXPIRED and before is not Status.EXPIRED


def idle_since(as_of: datetime) -> datetime:
    """A chat whose last message is this old, or older, is idle."""
    return as_of - IDLE_AFTER
