"""The idle sweep (specification, "Chat state", scheduled job)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from apps.chats import rules
from apps.chats.actions.changes import VERSION_RAISED
from apps.chats.events import ChatClosed, ChatUpdated
from apps.chats.models import Chat
from apps.chats.querysets.waiting import waits_once_closed
from apps.chats.rules import Transition
from apps.core import bus
from apps.core.bus import DomainEvent
from apps.core.database import Row, fetch_all

BATCH = 500

# Of the row as the statement found it.
_BEFORE = "(SELECT before.status FROM chats_chat before WHERE before.id = c.id)"
# Both walk their index once, by key, a batch a transaction; locked chats are left to the next sweep. The
# update goes straight to the rows that were locked, by their place (ctid): half the cost of finding them anew by id.
_EXPIRE = f"""
UPDATE chats_chat c SET status = %(status)s, expired_at = clock_timestamp(), {VERSION_RAISED},
    left_unanswered_at = NULL
FROM accounts_widget w
WHERE w.id = c.widget_id AND c.ctid = ANY (ARRAY(
    SELECT ctid FROM chats_chat
    WHERE status IN ('active', 'ready') AND id > %(after)s AND last_message_at <= %(idle_since)s
    ORDER BY id LIMIT %(batch)s FOR NO KEY UPDATE SKIP LOCKED
))
RETURNING c.id, c.widget_id, w.guid, w.answerers, {_BEFORE} /* unscoped: every widget */"""  # noqa: S608 - of constants

_REACTIVATE = f"""
UPDATE chats_chat c SET status = %(status)s, {VERSION_RAISED}, left_unanswered_at = NULL
FROM accounts_widget w
WHERE w.id = c.widget_id AND c.ctid = ANY (ARRAY(
    SELECT ctid FROM chats_chat
    WHERE (status = 'ready' OR status = 'expired' AND expired_at > %(idle_since)s)
      AND id > %(after)s AND last_message_at > %(idle_since)s
    ORDER BY id LIMIT %(batch)s FOR NO KEY UPDATE SKIP LOCKED
))
RETURNING c.id, c.widget_id, w.guid, w.answerers, {_BEFORE} /* unscoped: every widget */"""  # noqa: S608 - of constants


@dataclass(frozen=True, slots=True)
class Swept:
    """How many chats a sweep moved."""

    expired: int
    reactivated: int


def sweep_chats(*, as_of: datetime) -> Swept:
    """Expires chats whose last message is 7 minutes old or older, and makes those with a younger one active.

    Spam chats and chats without messages are left alone. Each batch is one transaction, guarded by the chats' states,
    so two sweeps at once emit each `chat.closed` once.
    """
    idle_since = rules.idle_since(as_of)
    # In this order: reactivation reads what was closed lately, which should not include what is closed now.
    reactivated = _in_batches(_REACTIVATE, Transition.SWEEP_TALKING, idle_since)
    expired = _in_batches(_EXPIRE, Transition.SWEEP_IDLE, idle_since)
    return Swept(expired=expired, reactivated=reactivated)


def _in_batches(sql: str, transition: Transition, idle_since: datetime) -> int:
    (status,) = set(rules.changed_by(transition).values())
    moved, after = 0, 0
    while True:
        batch = _move_batch(
            sql, {"status": status, "idle_since": idle_since, "after": after, "batch": BATCH}, transition
        )
        if not batch:
            return moved
        moved += len(batch)
        after = max(row[0] for row in batch)


@transaction.atomic
def _move_batch(sql: str, parameters: dict[str, Any], transition: Transition) -> list[Row]:
    batch = fetch_all(sql, parameters)
    if not batch:
        return batch
    closings: list[DomainEvent] = []
    if transition is Transition.SWEEP_IDLE:
        # A chat that is closed while somebody waits there is found among the closed ones by its mark.
        closed = Chat.objects.unscoped("every widget's rows").filter(pk__in=[row[0] for row in batch])
        closed.filter(waits_once_closed()).update(left_unanswered_at=Now())
        closings = [
            ChatClosed(
                widget_id=widget_id,
                widget_guid=widget_guid,
                chat_id=chat_id,
                reason=rules.DEFAULT_CLOSE_REASON,
                answerers=tuple(answerers),
            )
            for chat_id, widget_id, widget_guid, answerers, _ in batch
        ]
    (after,) = set(rules.changed_by(transition).values())
    bus.publish(
        *closings,
        *(ChatUpdated(widget_id=row[1], chat_id=row[0], changed={"status": (row[4], str(after))}) for row in batch),
    )
    return batch
