"""The states of a message on its way to a messenger. Pure."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any


class DeliveryState(StrEnum):
    """How far a message has come."""

    QUEUED = "queued"
    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"


# The code of a message that was sent, and was not changed by its messenger when an operator edited or deleted it.
EDIT_REFUSED = "edit_refused"
MOVED_ON = (DeliveryState.DELIVERED, DeliveryState.READ)
_RANKS = {
    DeliveryState.QUEUED: 0,
    DeliveryState.SENT: 1,
    DeliveryState.DELIVERED: 2,
    DeliveryState.READ: 3,
}


def moves(before: str, after: DeliveryState, *, is_of_part: bool = False) -> bool:
    """Whether a delivery may go from one state to another: forward, or to QUEUED after a failure.

    is_of_part: it is said of a part that is not the last one, which fails the whole also after the last had come.
    """
    if before == DeliveryState.FAILED:
        return after == DeliveryState.QUEUED
    if after == DeliveryState.FAILED:
        return is_of_part or before in (DeliveryState.QUEUED, DeliveryState.SENT)
    if after == DeliveryState.QUEUED:
        return before == DeliveryState.QUEUED
    return _RANKS[after] > _RANKS[DeliveryState(before)]


def queued(at: datetime) -> Mapping[str, Any]:
    """The delivery of a message that waits to be sent."""
    when = at.isoformat().replace("+00:00", "Z")
    return {
        "state": DeliveryState.QUEUED.value,
        "code": None,
        "detail": None,
        "attempts": 0,
        "sent_as": None,
        "at": when,
    }
