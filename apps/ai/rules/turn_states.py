"""The turns of external operators: how one ends, and what follows (docs/guides/external-operators.md). Pure.

One table of events. An ending is one update that asks whether the turn is open; the row says which was first.
"""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum

KEPT = timedelta(days=30)
MAX_BODY = 256 * 1024
MOST_HISTORY = 20
# Messages that wait for an answer; older ones are left out.
MOST_MESSAGES = 500
# So many turns in a row without an answer make an operator degraded, for so long.
FAILURES, DEGRADED = 3, timedelta(seconds=60)
# The kinds of destinations that operators are (`core.destinations`).
TURNS, TESTS = "external_operator", "external_test"
CREATED, CANCELLED, TEST = "turn.created", "turn.cancelled", "delivery.test"


class TurnState(StrEnum):
    QUEUED = "queued"
    DELIVERED = "delivered"
    ANSWERED = "answered"
    EXPIRED = "expired"
    FAILED = "failed"
    CANCELLED = "cancelled"
    ABANDONED = "abandoned"


OPEN = (TurnState.QUEUED, TurnState.DELIVERED)


class EventStatus(StrEnum):
    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"
    DROPPED = "dropped"


class Ending(StrEnum):
    """Why a turn has ended without a reply."""

    EXPIRED = "expired"
    DELIVERY_FAILED = "delivery_failed"
    HUMAN_TOOK_OVER = "human_took_over"
    CHAT_CLOSED = "chat_closed"
    OPERATOR_STOPPED = "operator_stopped"
    ABANDONED = "abandoned"
    AI_DISABLED = "ai_disabled"


_T, _E = TurnState, Ending
# Which states a turn is in for an ending to end it, and which state it is in then.
ENDS: Mapping[Ending, tuple[tuple[TurnState, ...], TurnState]] = {
    _E.EXPIRED: (OPEN, _T.EXPIRED),
    _E.DELIVERY_FAILED: ((_T.QUEUED,), _T.FAILED),
    _E.HUMAN_TOOK_OVER: (OPEN, _T.CANCELLED),
    _E.CHAT_CLOSED: (OPEN, _T.CANCELLED),
    _E.OPERATOR_STOPPED: (OPEN, _T.CANCELLED),
    _E.ABANDONED: ((_T.QUEUED,), _T.ABANDONED),
    _E.AI_DISABLED: (OPEN, _T.CANCELLED),
}
# What a pause ends: what the endpoint has taken may still be answered.
PAUSED_ENDS = (_T.QUEUED,)
# After these somebody else answers the visitor.
FALLS_BACK = (_E.EXPIRED, _E.DELIVERY_FAILED, _E.OPERATOR_STOPPED, _E.ABANDONED)
# Of these the operator is told, where it had taken the turn.
IS_TOLD = (_E.HUMAN_TOOK_OVER, _E.CHAT_CLOSED, _E.EXPIRED)
# These count against the operator.
COUNTS_AGAINST = (_E.EXPIRED, _E.DELIVERY_FAILED)
