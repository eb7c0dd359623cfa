"""The changes that operators may make to their own messages, and for how long. Pure.

Source: the console's guide (docs/guides/operator-side.md).
"""

from datetime import datetime, timedelta
from enum import StrEnum

EDITABLE_FOR = timedelta(minutes=15)


class MessageChange(StrEnum):
    EDITED = "edited"
    DELETED = "deleted"


class EditRefusal(StrEnum):
    """Why a message is not changed."""

    NOT_YOURS = "not_yours"
    GONE = "message_deleted"
    TOO_LATE = "too_late"
    CHANNEL = "channel"


def edit_refusal(*, is_own: bool, is_deleted: bool, created_at: datetime, now: datetime) -> EditRefusal | None:
    """Why an operator may not change a message now, wherever it has gone; None when they may.

    Own is what they wrote in the console themselves.
    """
    if not is_own:
        return EditRefusal.NOT_YOURS
    if is_deleted:
        return EditRefusal.GONE
    if now - created_at > EDITABLE_FOR:
        return EditRefusal.TOO_LATE
    return None
