"""Chats by what was said in them. How a search finds its page, and what it costs, is told in docs/adr/0013."""

from dataclasses import dataclass
from typing import Any

from apps.chats.querysets.chats import COLUMNS, NEWEST_FIRST, Position, conditions
from apps.core.database import Row, fetch_all

# How many of the newest chats are looked through first, and at most in the second step.
FIRST_WALK, LONGEST_WALK = 300, 3_000

# `strpos`, not LIKE: nothing to escape, and no guess of the planner's that a long needle must be rare.
_SAID = "NOT m.is_internal AND strpos(chats_folded(m.body), chats_folded(%(q)s)) > 0"

# Looks through the newest chats that the filters leave: those in which it was said, beside each (or beside nothing) how
# many were looked through and where the last one stands. A subquery with a LIMIT, not EXISTS: the planner would make a
# join of that, and read every message there is. Indexes: those of the list, and chats_message_in_chat.
_WALK = """
WITH walked AS MATERIALIZED (
    SELECT c.id, c.created_at, c.contact_id FROM chats_chat c WHERE {where} {newest_first} LIMIT %(walk)s
), page AS (
    SELECT w.id, w.created_at FROM walked w
    WHERE (SELECT true FROM chats_message m WHERE m.chat_id = w.id AND {said} LIMIT 1)
    ORDER BY w.created_at DESC, w.id DESC LIMIT %(rows)s
)
SELECT (SELECT count(*) FROM walked), last.created_at, last.id, {columns}
FROM (SELECT w.created_at, w.id FROM walked w ORDER BY w.created_at, w.id LIMIT 1) last
LEFT JOIN (page JOIN chats_chat c ON c.id = page.id JOIN chats_contact contact ON contact.id = c.contact_id) ON true
{newest_first}"""

# Every chat in which it was said, by the index (chats_message_search), which gives more than it should: what it gives
# is compared with the needle.
_LOOK_UP = """
WITH found AS MATERIALIZED (
    SELECT DISTINCT m.chat_id FROM chats_message m
    WHERE chats_message_grams(m.widget_id, m.body) @> chats_message_needle(%(widget_id)s, %(q)s)
      AND m.widget_id + 0 = %(widget_id)s AND {said}
)
SELECT {columns}
FROM found JOIN chats_chat c ON c.id = found.chat_id JOIN chats_contact contact ON contact.id = c.contact_id
WHERE {where}
{newest_first} LIMIT %(rows)s"""


@dataclass(frozen=True, slots=True)
class _Walk:
    """What a look through the newest chats found, and where it stopped (None when there was no chat at all)."""

    rows: list[Row]
    walked: int
    stopped_at: Position | None


def search_page(*, widget_id: int, filters: dict[str, Any], after: Position | None, limit: int) -> list[Row]:
    """One page of the chats in which a visible message contains `filters["q"]`, as `chats.chat_page` gives it.

    In any case of letters. At most three statements: most pages are filled by the
    newest chats, or by those after them when these have it often enough, and all others by the index.
    """
    wanted = limit + 1
    first = _walk(widget_id, filters, after, rows=wanted, walk=FIRST_WALK)
    if len(first.rows) == wanted or first.walked < FIRST_WALK:
        return first.rows
    found, last = first.rows, first
    if _is_likely_to_fill(wanted - len(found), found=len(found), walked=first.walked):
        last = _walk(widget_id, filters, first.stopped_at, rows=wanted - len(found), walk=LONGEST_WALK)
        found = found + last.rows
        if len(found) == wanted or last.walked < LONGEST_WALK:
            return found
    return found + _look_up(widget_id, filters, last.stopped_at, rows=wanted - len(found))


def _is_likely_to_fill(rows: int, *, found: int, walked: int) -> bool:
    """Whether the next chats should hold so many rows more, as the first ones did, with half as many chats to spare."""
    return rows * walked * 3 <= found * 2 * LONGEST_WALK


def _walk(widget_id: int, filters: dict[str, Any], after: Position | None, *, rows: int, walk: int) -> _Walk:
    where, parameters = conditions(widget_id=widget_id, filters=filters, after=after)
    sql = _WALK.format(where=where, said=_SAID, columns=COLUMNS, newest_first=NEWEST_FIRST)
    answer = fetch_all(sql, {**parameters, "rows": rows, "walk": walk})
    if not answer:
        return _Walk([], 0, None)
    walked, last_at, last_id = answer[0][:3]
    return _Walk([row[3:] for row in answer if row[3] is not None], walked, (last_at, last_id))


def _look_up(widget_id: int, filters: dict[str, Any], after: Position | None, *, rows: int) -> list[Row]:
    where, parameters = conditions(widget_id=widget_id, filters=filters, after=after)
    sql = _LOOK_UP.format(where=where, said=_SAID, columns=COLUMNS, newest_first=NEWEST_FIRST)
    return fetch_all(sql, {**parameters, "rows": rows})
