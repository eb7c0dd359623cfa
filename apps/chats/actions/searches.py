"""Filling the table by which searches find messages (docs/adr/0013). A post writes nothing for it.

New messages are found by their ids; changes are noted by triggers. A note is taken away in the transaction that
reads its message again, before that is read: a change is read, or its note stays.
"""

import time

from django.db import transaction
from prometheus_client import Gauge

from apps.chats.querysets.search import LAST_ID, SEARCHED, waiting_messages
from apps.chats.querysets.writers import writing_to
from apps.core.database import execute, fetch_all, fetch_one

# Messages that one transaction reads: a fifth of a second.
STEP = 1_000
# A run ends after so many seconds, and the next one goes on: while all are filled anew, that is soon.
RUN_S = 4.0
# Ids are taken before they are stored. One that is stored after so many others were taken is noted (triggers.sql).
LATE_IDS = 1_000

_LOCK = """
INSERT INTO chats_searchprogress (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 1
RETURNING settled_id, filled_from"""
_WRITERS = writing_to("chats_message")
_SEEN = f"SELECT seen_id, ARRAY({_WRITERS}) && seen_writing FROM chats_searchprogress"  # noqa: S608 - of constants
# The ids that are looked at are read before the writers: a message up to them that is not noted is a writer's by then.
_LAST_ID = "SELECT coalesce(pg_sequence_last_value('chats_message_id_seq'), 0)"
_LOOK = f"""
UPDATE chats_searchprogress SET seen_id = %(seen_id)s, seen_writing = ARRAY({_WRITERS})"""  # noqa: S608 - of constants
_BEGIN = "UPDATE chats_searchprogress SET settled_id = %(up_to)s, filled_from = %(from)s"
_SETTLE = "UPDATE chats_searchprogress SET settled_id = %(up_to)s"
_FILL_FROM = "UPDATE chats_searchprogress SET filled_from = %(from)s"

_NOTED = """
DELETE FROM chats_unsearchedmessage
WHERE id = ANY (ARRAY(SELECT id FROM chats_unsearchedmessage ORDER BY id LIMIT %(step)s))
RETURNING message_id /* unscoped: every widget */"""
_FORGET = """
DELETE FROM chats_searchedmessage WHERE message_id = ANY (%(ids)s) /* unscoped: every widget */"""
_READ = f"""
INSERT INTO chats_searchedmessage (message_id, widget_id, chat_id, body)
SELECT m.id, m.widget_id, m.chat_id, left(m.body, {SEARCHED}) FROM chats_message m
WHERE {{which}} AND NOT m.is_internal AND m.body <> ''
ON CONFLICT (message_id) DO NOTHING /* unscoped: every widget */"""  # noqa: S608 - of constants
_READ_NOTED = _READ.format(which="m.id = ANY (%(ids)s)")
_READ_SPAN = _READ.format(which="m.id BETWEEN %(first)s AND %(last)s")
_END_OF_STEP = """
SELECT id FROM chats_message WHERE id > %(after)s ORDER BY id OFFSET %(step)s - 1 LIMIT 1
/* unscoped: every widget */"""
_BEGIN_OF_STEP = """
SELECT id FROM chats_message WHERE id < %(before)s ORDER BY id DESC OFFSET %(step)s - 1 LIMIT 1
/* unscoped: every widget */"""
# Into the index's own order: a search reads the pending list from end to end.
_PUT_IN_ORDER = "SELECT gin_clean_pending_list('chats_searchedmessage_found')"

UNSEARCHED = Gauge(
    "parley_messages_not_indexed",
    "How many messages searches read themselves, as their index does not have them yet.",
    multiprocess_mode="mostrecent",
)


def keep_searchable() -> None:
    """Brings the table of searches up to the stored messages. A run takes RUN_S at most; the next one goes on.

    Messages are settled once every transaction has ended that may have written one of them: until then searches read
    them themselves. To run often: a run settles the messages that an earlier one saw.
    """
    ends_at, up_to = time.monotonic() + RUN_S, _look()
    while follow(up_to) and time.monotonic() < ends_at:
        pass
    fetch_one(_PUT_IN_ORDER, {})
    UNSEARCHED.set(waiting_messages())


@transaction.atomic
def follow(up_to: int | None) -> bool:
    """Reads the next messages: noted ones, new ones up to the id `up_to`, and those that were never read, the newest
    first. Without `up_to` no new ones. False when there is nothing more to read.
    """
    settled_id, filled_from = fetch_one(_LOCK, {}) or (None, None)
    if settled_id is None:
        if up_to is None:
            return False
        execute(_BEGIN, {"up_to": up_to, "from": LAST_ID})
        return True
    if noted := fetch_all(_NOTED, {"step": STEP}):
        ids = sorted({message_id for (message_id,) in noted})
        execute(_FORGET, {"ids": ids})
        execute(_READ_NOTED, {"ids": ids})
        return True
    if up_to is not None and settled_id < up_to:
        last = min(up_to, _or(fetch_one(_END_OF_STEP, {"after": settled_id, "step": STEP}), up_to))
        execute(_READ_SPAN, {"first": settled_id + 1, "last": last})
        execute(_SETTLE, {"up_to": last})
        return True
    if filled_from > 0:
        first = _or(fetch_one(_BEGIN_OF_STEP, {"before": filled_from, "step": STEP}), 0)
        execute(_READ_SPAN, {"first": first, "last": filled_from - 1})
        execute(_FILL_FROM, {"from": first})
        return True
    return False


@transaction.atomic
def _look() -> int | None:
    """Notes the newest id and who is writing now; the id of the last look, once all who were writing then have ended.

    Behind a transaction that lasts, nothing is settled; the last look stays until it has ended.
    """
    fetch_one(_LOCK, {})
    seen_id: int | None
    seen_id, is_under_way = fetch_one(_SEEN, {}) or (None, False)
    if is_under_way:
        return None
    last_id = _or(fetch_one(_LAST_ID, {}), 0)
    execute(_LOOK, {"seen_id": max(0, last_id - LATE_IDS - 1)})
    return seen_id


def _or(row: tuple[int, ...] | None, default: int) -> int:
    return row[0] if row else default
