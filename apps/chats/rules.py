"""The chat's states, its attribution and what may be posted into it. Pure: the time is an argument.

Source: specification, "Chat", "Chat state", "Message"; docs/adr/0008.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

IDLE_AFTER = timedelta(minutes=7)
SWEEP_EVERY = timedelta(minutes=5)
MAX_BODY_LENGTH = 65_536  # characters; what a transcript keeps of one message
DEFAULT_CLOSE_REASON = "expired"


class Status(StrEnum):
    ACTIVE = "active"
    READY = "ready"
    EXPIRED = "expired"
    SPAM = "spam"


class Handling(StrEnum):
    MISSED = "missed"
    HUMAN = "human"
    AI = "ai"
    AI_TO_HUMAN = "ai_to_human"
    HUMAN_TO_AI = "human_to_ai"


class OperatorType(StrEnum):
    HUMAN = "human"
    AI = "ai"


class MessageType(StrEnum):
    TEXT = "text"
    IMAGE = "image"
    FILE = "file"
    LOCATION = "location"
    STICKER = "sticker"
    KEYBOARD = "keyboard"


class SenderKind(StrEnum):
    CLIENT = "client"
    AGENT = "agent"
    AI = "ai"
    EXTERNAL_OPERATOR = "external_operator"
    SYSTEM = "system"


class Mover(StrEnum):
    """What moves a chat from state to state."""

    CLOSE = "close"
    SET_ACTIVE = "state active"
    SET_READY = "state ready"
    SET_EXPIRED = "state expired"
    SET_SPAM = "state spam"
    CLIENT_WRITES = "the visitor writes"
    AGENT_WRITES = "an agent writes"
    SWEEP_IDLE = "sweep: the last message is 7 minutes old or older"
    SWEEP_TALKING = "sweep: the last message is younger than 7 minutes"


class Refused(Exception):
    """The chat's state does not allow the move."""


_A, _R, _E, _S = Status
_NO = None  # refused: 409

# The whole state machine: what each mover makes of a chat in each state.
_MOVES: dict[Mover, dict[Status, Status | None]] = {
    Mover.CLOSE: {_A: _E, _R: _E, _E: _E, _S: _NO},
    Mover.SET_ACTIVE: {_A: _A, _R: _A, _E: _A, _S: _A},
    Mover.SET_READY: {_A: _R, _R: _R, _E: _R, _S: _NO},
    Mover.SET_EXPIRED: {_A: _E, _R: _E, _E: _E, _S: _NO},
    Mover.SET_SPAM: {_A: _S, _R: _S, _E: _S, _S: _NO},
    Mover.CLIENT_WRITES: {_A: _A, _R: _A, _E: _A, _S: _S},
    Mover.AGENT_WRITES: {_A: _A, _R: _A, _E: _A, _S: _NO},
    Mover.SWEEP_IDLE: {_A: _E, _R: _E, _E: _E, _S: _S},
    Mover.SWEEP_TALKING: {_A: _A, _R: _A, _E: _A, _S: _S},
}

SET_STATE = {
    Status.ACTIVE: Mover.SET_ACTIVE,
    Status.READY: Mover.SET_READY,
    Status.EXPIRED: Mover.SET_EXPIRED,
    Status.SPAM: Mover.SET_SPAM,
}


def next_status(status: Status, mover: Mover) -> Status:
    """The state after the move. Raises Refused where the specification answers 409."""
    after = _MOVES[mover][status]
    if after is None:
        raise Refused
    return after


def moved_by(mover: Mover) -> dict[Status, Status]:
    """The states that a mover changes, and what it makes of them (for moves of many chats in one statement)."""
    return {before: after for before, after in _MOVES[mover].items() if after not in (before, None) and after}


def is_closing(before: Status, after: Status) -> bool:
    """Whether a move emits `chat.closed`: every move into expired does, and no other."""
    return after is Status.EXPIRED and before is not Status.EXPIRED


def idle_since(as_of: datetime) -> datetime:
    """A chat whose last message is this old, or older, is idle."""
    return as_of - IDLE_AFTER


@dataclass(frozen=True, slots=True)
class Operator:
    """Who answered, and when (None for chats accepted before attribution was recorded)."""

    agent_id: int
    type: OperatorType
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Attribution:
    """Who answered a chat first, who handles it now, and how that came."""

    handling: Handling = Handling.MISSED
    accepted_by: Operator | None = None
    handled_by: Operator | None = None


_PERSON_TAKES_OVER = {
    Handling.MISSED: Handling.HUMAN,
    Handling.HUMAN: Handling.HUMAN,
    Handling.AI: Handling.AI_TO_HUMAN,
    Handling.AI_TO_HUMAN: Handling.AI_TO_HUMAN,
    Handling.HUMAN_TO_AI: Handling.AI_TO_HUMAN,
}


def after_human_answer(attribution: Attribution, *, agent_id: int, now: datetime) -> Attribution:
    """The attribution after a person replied to, accepted or was assigned the chat.

    The first operator to answer stays `accepted_by`; `handled_by` changes its time only when the operator changes.
    """
    operator = Operator(agent_id, OperatorType.HUMAN, now)
    handled_by = attribution.handled_by
    if handled_by is None or (handled_by.agent_id, handled_by.type) != (agent_id, OperatorType.HUMAN):
        handled_by = operator
    return Attribution(
        handling=_PERSON_TAKES_OVER[attribution.handling],
        accepted_by=attribution.accepted_by or operator,
        handled_by=handled_by,
    )
