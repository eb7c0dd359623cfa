"""The desk: channels and what becomes of an answer there, holds, limits, and what an action on record is."""

from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum

AGENT = "[a-z0-9][a-z0-9_.-]{0,47}"
MAX_NOTE = 1_000
DEFAULT_TTL_S, MIN_TTL_S, MAX_TTL_S = 600, 60, 1_800
KEPT = timedelta(days=180)
ROOM_WINDOW = timedelta(minutes=30)
TOKEN_WINDOW = timedelta(minutes=10)
DAY = timedelta(days=1)
MAX_UPDATED_SINCE = timedelta(days=7)
DEFAULT_IDLE_S, MAX_IDLE_S = 180, 86_400
MAX_CHATS = 200
MAX_PREVIEW = 500
MAX_TRANSCRIPT = 30
# Longer than a stored reply is waited for; after which one that was never stored has failed.
STORED_WITHIN_S = 4.5
FAILED_AFTER = timedelta(minutes=2)

DELIVERY = {"widget": "widget_on_return", "tg": "messenger_at_once", "app": "app_on_poll"}


class ActionKind(StrEnum):
    REPLY = "reply"
    CLAIM = "claim"
    RELEASE = "release"
    CLOSE = "close"
    REOPEN = "reopen"


class ActionStatus(StrEnum):
    STORED = "stored"
    UNCONFIRMED = "unconfirmed"
    FAILED = "failed"
    DONE = "done"
    REFUSED = "refused"


COUNTED = (ActionStatus.STORED, ActionStatus.UNCONFIRMED)


def delivery_of(channel: str, status: str, allowed: Sequence[str]) -> str | None:
    """How an answer reaches the customer; None if a reply would be refused."""
    if status == "spam" or channel not in allowed:
        return None
    return DELIVERY.get(channel)
