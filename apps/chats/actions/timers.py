"""Timers of chats: setting, moving and dropping them, and telling of each once its moment has come.

A timer changes in a transaction that holds the chat's lock, and is told of in another one: so a handler of
`TimerDue` sees the chat as it is, and a timer that was moved or dropped meanwhile is not told of.
"""

import logging
from collections.abc import Collection
from datetime import datetime

from django.db import connection, transaction
from django.db.models.functions import Now

from apps.chats.events import TimerDue
from apps.chats.models import Timer
from apps.chats.rules.timers import TimerKind
from apps.core import bus
from apps.core.database import Parameters, fetch_one
from apps.core.observability import metrics
from apps.leases import Lease, wake_workers

logger = logging.getLogger(__name__)

# A newer generation: work that was begun for the older moment does not count.
_SET = """
INSERT INTO chats_timer AS t (widget_id, chat_id, kind, key, anchor, due_at)
VALUES (%(widget_id)s, %(chat_id)s, %(kind)s, %(key)s, %(anchor)s, %(due_at)s)
ON CONFLICT (chat_id, kind, key) DO UPDATE SET
    anchor = excluded.anchor, due_at = excluded.due_at, attempts = 0, generation = t.generation + 1"""

_LOCK = """
WITH chat AS MATERIALIZED (
    SELECT id FROM chats_chat WHERE id = %(chat_id)s AND widget_id = %(widget_id)s FOR UPDATE
)
SELECT clock_timestamp() FROM chat"""
AGAIN_S = 3600.0


def set_timer(*, widget_id: int, chat_id: int, kind: TimerKind, due_at: datetime, anchor: str, key: str = "") -> None:
    """Sets a locked chat's timer of that kind and key to that moment; one that stands is moved.

    `anchor` names the message or moment that set it.
    """
    row: Parameters = {"widget_id": widget_id, "chat_id": chat_id, "kind": str(kind), "key": key}
    with connection.cursor() as cursor:
        cursor.execute(_SET, {**row, "anchor": str(anchor), "due_at": due_at})
    wake_workers()


def drop_timers(*, chat_id: int, kinds: Collection[TimerKind], key: str | None = None) -> None:
    """Drops a locked chat's timers of those kinds; those of one key, if it is named."""
    timers = Timer.objects.unscoped("of a chat that is locked").filter(chat_id=chat_id, kind__in=kinds)
    (timers if key is None else timers.filter(key=key)).delete()


@transaction.atomic
def tell(lease: Lease[Timer]) -> None:
    """The work of the queue of timers: tells of one that is due, under its chat's lock, and drops it."""
    timer = lease.row
    as_of = _locked_at(timer)
    if as_of is None:
        return  # the chat is gone, and its timers are
    lease.drop()
    if timer.due_at is not None:
        metrics.TIMER_LATE.observe(max(0.0, (as_of - timer.due_at).total_seconds()))
    _publish(timer, as_of)


def put_off(lease: Lease[Timer], reason: str) -> None:
    """A timer that could not be told of, for an error of ours, is never lost: it is tried again, each hour."""
    logger.error("timer %s of chat %s is put off: it %s", lease.row.kind, lease.row.chat_id, reason)
    lease.later(AGAIN_S)


def run_due(*, as_of: datetime | None = None, chat_id: int | None = None) -> dict[str, int]:
    """Tells of all timers that are due, as of now or of a moment; returns how many of each kind.

    A timer that is set meanwhile waits for the next pass. Harmless beside workers.
    """
    fired: dict[str, int] = {}
    due = Timer.objects.unscoped("every widget's rows").filter(due_at__lte=as_of or Now())
    due = due if chat_id is None else due.filter(chat_id=chat_id)
    for timer in list(due.order_by("due_at", "pk")):
        with transaction.atomic():
            now = _locked_at(timer)
            same = due.filter(pk=timer.pk, generation=timer.generation)
            if now is not None and same._raw_delete(same.db):
                _publish(timer, as_of or now)
                fired[timer.kind] = fired.get(timer.kind, 0) + 1
    return fired


def _locked_at(timer: Timer) -> datetime | None:
    """Locks the timer's chat; the database's time then, None if the chat is gone."""
    row = fetch_one(_LOCK, {"chat_id": timer.chat_id, "widget_id": timer.widget_id})
    return row[0] if row else None


def _publish(timer: Timer, as_of: datetime) -> None:
    bus.publish(
        TimerDue(
            widget_id=timer.widget_id,
            chat_id=timer.chat_id,
            kind=timer.kind,
            key=timer.key,
            anchor=timer.anchor,
            as_of=as_of,
        )
    )
