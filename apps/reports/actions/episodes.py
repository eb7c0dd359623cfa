"""Keeping the derived rows of episodes as their raw rows tell (docs/adr/0030).

A chat is derived with all chats of its person, since a return may be in any of them. Its notes are taken away in the
transaction that writes its rows, before the raw rows are read: a change is in the rows, or its note stays.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

import orjson
from django.db import connection, transaction
from prometheus_client import Gauge

from apps.accounts.models import Widget
from apps.chats.querysets.writers import writing_to
from apps.core import database
from apps.core.database import execute, fetch_one
from apps.reports.models import DerivedChat, EpisodeRow, StaleChat
from apps.reports.querysets.episodes import (
    COLUMNS,
    OF_CHAT,
    chats_of_widget,
    database_now,
    derived,
    last_taken_id,
    pending_among,
    pending_of_all,
    pending_of_widget,
    seconds_behind,
    settled_id,
    stored_rows,
)

logger = logging.getLogger(__name__)

# Chats that one transaction derives, and messages that one look of the job goes through.
BATCH, SPAN = 500, 200_000
# Ids are taken before they are stored. One that is stored after so many others were taken is noted (triggers.sql).
LATE_IDS = 1_000

_LOCK = "INSERT INTO reports_episodeprogress (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 1"
_WRITERS = writing_to("chats_message")
_SEEN = f"SELECT seen_id, ARRAY({_WRITERS}) && seen_writing FROM reports_episodeprogress"  # noqa: S608 - of constants
# The ids that are looked at are read before the writers: a message up to them that is not noted is a writer's by then.
_LOOK = f"""
UPDATE reports_episodeprogress SET seen_id = %(seen_id)s, seen_writing = ARRAY({_WRITERS})"""  # noqa: S608 - of constants
_SETTLE = "UPDATE reports_episodeprogress SET settled_id = greatest(settled_id, %(up_to)s)"
# One parameter, however many rows.
_WRITE = f"""
INSERT INTO reports_episoderow ({", ".join(COLUMNS)})
SELECT {", ".join(COLUMNS)} FROM json_populate_recordset(NULL::reports_episoderow, %(rows)s::json)
ON CONFLICT (id) DO UPDATE SET {", ".join(f"{name} = EXCLUDED.{name}" for name in COLUMNS if name != "id")}
/* unscoped: each row names its widget */"""  # noqa: S608 - of constants
_CAUGHT_UP = "UPDATE reports_episodeprogress SET caught_up_at = %(at)s"
# Of the process that ran the job last.
EPISODES_BEHIND = Gauge(
    "parley_episodes_behind_seconds",
    "How long ago everything was stored that the rows of episodes tell of.",
    multiprocess_mode="mostrecent",
)
_END_OF_SPAN = """
SELECT id FROM chats_message WHERE id > %(after)s ORDER BY id OFFSET %(rows)s LIMIT 1 /* unscoped: every widget */"""
_ONE_MOMENT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"


class DerivedChats(NamedTuple):
    """Chats that were derived, their episodes, and how many rows were others than their raw rows tell."""

    chats: int = 0
    episodes: int = 0
    differ: int = 0

    def plus(self, derived_chats: DerivedChats) -> DerivedChats:
        return DerivedChats(*(one + more for one, more in zip(self, derived_chats, strict=True)))


def caught_up(widget_id: int) -> datetime:
    """Derives all chats of a widget whose rows have changed; returns a moment, behind which nothing was read.

    To be called before a read of episodes: everything counts that was stored before the call. Two calls at once wait
    for each other, and the second finds nothing to do.
    """
    _derive_pending(widget_id, pending_of_widget(widget_id))
    return database_now()


def keep_episodes() -> None:
    """Derives the chats of all widgets whose rows have changed.

    Messages are settled, so that no look goes through them again, once every transaction has ended that may have
    written one of them. A widget whose chats cannot be derived does not keep the others waiting.
    """
    began_at, up_to, settled = database_now(), _look(), settled_id()
    is_all = True
    for end in (*_spans(settled, up_to), None):
        for widget_id, chats in pending_of_all(settled, end).items():
            try:
                _derive_pending(widget_id, chats)
            except Exception:
                logger.exception("episodes of widget %s could not be derived", widget_id)
                is_all = False
        settled = end or settled
        if is_all and (done := up_to if end is None else end) is not None:
            execute(_SETTLE, {"up_to": done})
    if is_all:
        execute(_CAUGHT_UP, {"at": began_at})
    EPISODES_BEHIND.set(max(0.0, seconds_behind()))


def rebuild(widget_id: int) -> DerivedChats:
    """Derives all chats of a widget anew, a batch a transaction."""
    return _all(partial(_derive, widget_id), widget_id)


def check(widget_id: int) -> DerivedChats:
    """Compares all rows of a widget with those that its raw rows tell, and writes nothing.

    Each batch is read as of one moment. Chats that a read would derive before it trusts their rows do not differ.
    """
    return _all(partial(_compare, widget_id), widget_id)


def widgets_of(guid: str | None) -> list[int]:
    """The widget of that guid, or all of them."""
    widgets = Widget.objects.all() if guid is None else Widget.objects.filter(guid=guid)
    return list(widgets.order_by("pk").values_list("pk", flat=True))


def _derive_pending(widget_id: int, chat_ids: Sequence[int]) -> None:
    for first in range(0, len(chat_ids), BATCH):
        _derive(widget_id, chat_ids[first : first + BATCH], only_pending=True)


@transaction.atomic
def _derive(widget_id: int, chat_ids: Collection[int], *, only_pending: bool = False) -> DerivedChats:
    """Derives chats with all others of their people, and writes the rows that are others by now."""
    database.lock(f"episodes:{widget_id}")
    if only_pending:
        chat_ids = pending_among(widget_id, chat_ids)
        if not chat_ids:
            return DerivedChats()
    StaleChat.objects.for_widget(widget_id).filter(chat_id__in=chat_ids).delete()
    found = derived(widget_id, chat_ids)
    stored = stored_rows(widget_id, {*chat_ids, *found.last_messages})
    gone = stored.keys() - found.rows.keys()
    changed = [row for pk, row in found.rows.items() if stored.get(pk) != row]
    if gone:
        EpisodeRow.objects.for_widget(widget_id).filter(pk__in=gone).delete()
    if changed:
        rows = [dict(zip(COLUMNS, row, strict=True)) for row in changed]
        execute(_WRITE, {"rows": orjson.dumps(rows).decode()})
    _note_derived(widget_id, chat_ids, found.last_messages)
    episodes = sum(row[OF_CHAT] in chat_ids for row in found.rows.values())
    return DerivedChats(len(chat_ids), episodes, len(gone) + len(changed))


def _note_derived(widget_id: int, chat_ids: Collection[int], last_messages: dict[int, int]) -> None:
    """Notes up to which message chats are derived; nothing of those that are no more."""
    noted = DerivedChat.objects.for_widget(widget_id)
    if gone := set(chat_ids) - last_messages.keys():
        noted.filter(pk__in=gone).delete()
    before = dict(noted.filter(pk__in=last_messages).values_list("chat_id", "last_message_id"))
    DerivedChat.objects.bulk_create(
        [
            DerivedChat(chat_id=pk, widget_id=widget_id, last_message_id=last)
            for pk, last in last_messages.items()
            if before.get(pk) != last
        ],
        update_conflicts=True,
        unique_fields=["chat_id"],
        update_fields=["widget_id", "last_message_id"],
    )


def _compare(widget_id: int, chat_ids: Collection[int]) -> DerivedChats:
    """Compares the rows of chats, but for those of people some of whose chats are to be derived anew."""
    is_own = not connection.in_atomic_block
    with transaction.atomic():
        if is_own:
            execute(_ONE_MOMENT, {})
        found = derived(widget_id, chat_ids)
        stored = stored_rows(widget_id, chat_ids)
        pending = pending_among(widget_id, {*chat_ids, *found.people})
    unsure = {found.people.get(chat_id) for chat_id in pending}
    sure = {pk for pk in chat_ids if pk not in pending and found.people.get(pk, 0) not in unsure}
    rows = {pk: row for pk, row in found.rows.items() if row[OF_CHAT] in chat_ids}
    numbers = {pk for pk, row in (*rows.items(), *stored.items()) if row[OF_CHAT] in sure}
    differ = sum(rows.get(pk) != stored.get(pk) for pk in numbers)
    return DerivedChats(len(chat_ids), len(rows), differ)


def _look() -> int | None:
    """Notes the newest id and who is writing now; the id of the last look, once all who were writing then have ended.

    Behind a transaction that lasts, nothing is settled; the last look stays until it has ended.
    """
    with transaction.atomic():
        execute(_LOCK, {})
        row = fetch_one(_SEEN, {})
        assert row is not None  # noqa: S101 - it is locked
        seen_id: int | None
        seen_id, is_under_way = row
        if is_under_way:
            return None
        execute(_LOOK, {"seen_id": max(0, last_taken_id() - LATE_IDS - 1)})
    return seen_id


def _spans(after: int, up_to: int | None) -> Iterator[int]:
    """The ends of the spans of settled messages that one look after another goes through."""
    while up_to is not None and (row := fetch_one(_END_OF_SPAN, {"after": after, "rows": SPAN})) and row[0] <= up_to:
        after = row[0]
        yield after


def _all(do: Callable[[list[int]], DerivedChats], widget_id: int) -> DerivedChats:
    """Does something with all chats of a widget, a batch at a time."""
    total, after = DerivedChats(), 0
    while chats := chats_of_widget(widget_id, after, BATCH):
        total, after = total.plus(do(chats)), chats[-1]
    return total
