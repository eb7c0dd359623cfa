"""One side has seen the other side's messages."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from apps.chats.events import AuthorType, MessagesSeen
from apps.core import bus
from apps.core.database import fetch_one
from apps.core.errors import NOT_FOUND
from apps.core.redis import nudges


@transaction.atomic
def mark_seen(
    *, widget_id: int, chat_id: int, message_id: int, seen_by: AuthorType, now: datetime | None = None
) -> int:
    """Marks the other side's messages up to `message_id` as seen; returns how many were not yet.

    Raises NOT_FOUND (404) when the chat is not the widget's or the message not the chat's (an operator-only message is
    none for the visitor).
    """
    parameters = {
        "chat_id": chat_id,
        "widget_id": widget_id,
        "message_id": message_id,
        "by_client": seen_by == "USER",
        "now": now or timezone.now(),
    }
    if fetch_one(_IS_SEEN_BY, parameters) is None:
        raise NOT_FOUND()
    row = fetch_one(_MARK_SEEN, parameters)
    count = int(row[0]) if row else 0
    if count:
        bus.publish(MessagesSeen(widget_id=widget_id, chat_id=chat_id, message_id=message_id, seen_by=seen_by))
        nudges.after_commit(
            "chat", {"chat_id": chat_id, "kind": "message.seen", "message_id": message_id, "seen_by": seen_by}
        )
    return count


_IS_SEEN_BY = """
SELECT 1 FROM chats_message
WHERE id = %(message_id)s AND chat_id = %(chat_id)s AND widget_id = %(widget_id)s
  AND NOT (is_internal AND %(by_client)s)"""
_MARK_SEEN = """
WITH seen AS (
    UPDATE chats_message SET seen_at = %(now)s
    WHERE chat_id = %(chat_id)s AND id <= %(message_id)s AND seen_at IS NULL
      AND (sender_kind = 'client') <> %(by_client)s AND NOT (is_internal AND %(by_client)s)
    RETURNING chat_id
), counted AS (
    UPDATE chats_chat SET version = version + 1 WHERE id = %(chat_id)s AND EXISTS (SELECT FROM seen)
)
SELECT count(*) FROM seen"""
