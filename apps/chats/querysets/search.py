"""Chats by what was said in them. How a search finds its page, and what it costs, is told in docs/adr/0013."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.chats.querysets.chats import COLUMNS, NEWEST_FIRST, Position, conditions
from apps.core.database import Row, fetch_all

# How many of the newest chats are looked through first, and at most where the index found too much to sort: all of the
# block, as chats of other blocks seldom lie between its own.
FIRST_WALK, LONGEST_WALK = 300, 8_192
# How many messages the index may find before it is held to have found too many to sort, and of how many blocks of chats
# it is asked at first: it has what is said now and then in the newest few.
MOST_FOUND, FIRST_BLOCKS = 300, 8
# Chats are indexed in blocks of 2^13 by their ids. Part of the indexes: it cannot be changed here alone.
BLOCK_BITS = 13
# How many trigrams of a needle are asked of the index: those that the fewest of so many messages hold.
TRIGRAMS, HEARD = 5, 120

_LAST_ID = 2**63 - 1
ALL_BLOCKS = 2**31

# `strpos`, not LIKE: nothing to escape, and no guess of the planner's that a long needle must be rare.
_SAID = "NOT m.is_internal AND strpos(chats_folded(m.body), chats_folded(%(q)s)) > 0"
# Looks through the newest chats that the filters leave: those in which it was said, beside each (or beside nothing) how
# many were looked through and where the last one stands. A subquery with a LIMIT, not EXISTS: the planner would make a
# join of that, and read every message there is. Indexes: those of the list, and chats_message_in_chat.
_WALK = """
WITH {named}walked AS MATERIALIZED (
    SELECT c.id, c.created_at, c.contact_id FROM chats_chat c WHERE {where} {newest_first} LIMIT %(walk)s
), page AS (
    SELECT w.id, w.created_at FROM walked w
    WHERE {is_named} AND (SELECT true FROM chats_message m WHERE m.chat_id = w.id AND {said} LIMIT 1)
    ORDER BY w.created_at DESC, w.id DESC LIMIT %(rows)s
)
SELECT (SELECT count(*) FROM walked), last.created_at, last.id, {columns}
FROM (SELECT w.created_at, w.id FROM walked w ORDER BY w.created_at, w.id LIMIT 1) last
LEFT JOIN (page JOIN chats_chat c ON c.id = page.id JOIN chats_contact contact ON contact.id = c.contact_id) ON true
{newest_first}"""
# The chats of a block that the index names, and what keeps a walk to them while it is in that block: passing by a chat
# costs a tenth of looking through it. Index: chats_message_trigrams.
_NAMED = """named AS MATERIALIZED (
    SELECT m.chat_id FROM chats_message m
    WHERE chats_message_trigrams(m.widget_id, m.chat_id, m.body) {holds} %(entries)s::bigint[]
      AND m.widget_id + 0 = %(widget_id)s AND NOT m.is_internal
), """
_IS_NAMED = "((w.id >> {bits}) <> %(crowd)s OR w.id IN (SELECT chat_id FROM named))"

# Asks the index of one block of chats after the other, from the one with the newest chat on, until enough messages are
# found. Where it stopped short, only chats newer than all of the next block (or of the one it stopped in) are certain:
# they are the answer, and beside each (or beside nothing) stands how new that block is, and which crowd it stopped in.
# What the index gives is compared with the needle. Its trigrams are chosen by what was said in the newest blocks.
# "c.id >> n" twice with an inequality: as an equality the planner would look for the newest in the list's index. Where
# a row is to be looked up by its id, OFFSET 0 keeps the planner from reading the list instead.
# Indexes: chats_chat_in_block, chats_message_trigrams, chats_message_in_chat.
_LOOK_UP = """
WITH RECURSIVE needle AS MATERIALIZED (
    SELECT chats_folded(%(q)s) AS folded
), block (number) AS (
    (SELECT c.id >> {bits} FROM chats_chat c WHERE c.widget_id = %(widget_id)s ORDER BY c.id >> {bits} DESC LIMIT 1)
    UNION ALL
    SELECT (SELECT c.id >> {bits} FROM chats_chat c
            WHERE c.widget_id = %(widget_id)s AND c.id >> {bits} < block.number ORDER BY c.id >> {bits} DESC LIMIT 1)
    FROM block WHERE block.number IS NOT NULL
), dated AS MATERIALIZED (
    SELECT block.number, newest.id, newest.created_at FROM block CROSS JOIN LATERAL (
        SELECT c.id, c.created_at FROM chats_chat c
        WHERE {dates} AND c.id >> {bits} >= block.number AND c.id >> {bits} <= block.number
        ORDER BY c.id >> {bits} DESC, c.created_at DESC LIMIT 1
    ) newest
    ORDER BY newest.created_at DESC
), heard AS MATERIALIZED (
    SELECT chats_folded(left(said.body, 1000)) AS body FROM dated CROSS JOIN LATERAL (
        SELECT m.body FROM chats_message m WHERE m.chat_id = dated.id ORDER BY m.id LIMIT 6
    ) said
    LIMIT {heard}
), rarest AS MATERIALIZED (
    SELECT array_agg(place) AS places FROM (
        SELECT place FROM needle, generate_series(1, char_length(folded) - 2) AS place
        ORDER BY (SELECT count(*) FROM heard WHERE strpos(heard.body, substr(folded, place, 3)) > 0), place %% 3, place
        LIMIT {trigrams}
    ) AS chosen
), asked AS MATERIALIZED (
    SELECT created_at, number,
           chats_needle_trigrams(%(widget_id)s, number << {bits}, folded, coalesce(places, '{{}}')) AS entries
    FROM dated, needle, rarest ORDER BY created_at DESC LIMIT %(blocks)s
), found AS MATERIALIZED (
    SELECT asked.created_at AS newest, said.chat_id FROM asked CROSS JOIN LATERAL (
        SELECT m.chat_id FROM chats_message m
        WHERE chats_message_trigrams(m.widget_id, m.chat_id, m.body) {holds} asked.entries
          AND m.widget_id + 0 = %(widget_id)s AND {said}
        OFFSET 0
    ) said
    LIMIT %(most)s
), crowd AS MATERIALIZED (
    SELECT asked.created_at, asked.number, asked.entries FROM asked
    WHERE (SELECT count(*) FROM found) = %(most)s AND asked.created_at = (SELECT min(newest) FROM found)
    LIMIT 1
), stop AS MATERIALIZED (
    SELECT coalesce(
        (SELECT created_at FROM crowd),
        (SELECT created_at FROM dated ORDER BY created_at DESC OFFSET %(blocks)s LIMIT 1)
    ) AS at
), page AS (
    SELECT c.id, c.created_at FROM (SELECT DISTINCT chat_id FROM found) said CROSS JOIN LATERAL (
        SELECT c.id, c.created_at FROM chats_chat c
        WHERE c.id = said.chat_id AND {where} AND c.created_at > coalesce((SELECT at FROM stop), '-infinity')
        OFFSET 0
    ) c
    {newest_first} LIMIT %(rows)s
)
SELECT stop.at, crowd.number, crowd.entries,
       (SELECT c.created_at FROM chats_chat c
        WHERE c.widget_id = %(widget_id)s AND c.id >> {bits} >= crowd.number AND c.id >> {bits} <= crowd.number
        ORDER BY c.id >> {bits}, c.created_at LIMIT 1),
       {columns}
FROM stop LEFT JOIN crowd ON true
LEFT JOIN (page JOIN chats_chat c ON c.id = page.id JOIN chats_contact contact ON contact.id = c.contact_id) ON true
{newest_first}"""


@dataclass(frozen=True, slots=True)
class _Crowd:
    """A block of chats in which too much was found to sort: its number, what the index was asked, its oldest time."""

    number: int
    entries: list[int]
    oldest: datetime


@dataclass(frozen=True, slots=True)
class _Step:
    """What one statement found, after which chat the search goes on (None: it is at its end), and in which crowd."""

    rows: list[Row]
    goes_on_after: Position | None
    crowd: _Crowd | None = None


def search_page(*, widget_id: int, filters: dict[str, Any], after: Position | None, limit: int) -> list[Row]:
    """One page of the chats in which a visible message contains `filters["q"]`, as `querysets.chat_page` gives it.

    In any case of letters. Most pages are filled by the newest chats, nearly all others by the index: at most three
    statements. Where the index finds more in one block of chats than should be sorted, one more looks through those;
    should too few of them pass the filters to fill the page, that is done again for the next such block.
    """
    wanted, blocks = limit + 1, FIRST_BLOCKS
    step = _walk(widget_id, filters, after, rows=wanted, walk=FIRST_WALK)
    found = step.rows
    while len(found) < wanted and step.goes_on_after is not None:
        rows, after = wanted - len(found), step.goes_on_after
        if step.crowd is not None:
            step = _walk(widget_id, filters, after, rows=rows, walk=LONGEST_WALK, crowd=step.crowd)
        else:
            step = _look_up(widget_id, filters, after, rows=rows, blocks=blocks)
            blocks = ALL_BLOCKS
        found = found + step.rows
    return found


def _walk(
    widget_id: int,
    filters: dict[str, Any],
    after: Position | None,
    *,
    rows: int,
    walk: int,
    crowd: _Crowd | None = None,
) -> _Step:
    """Looks through chats; in a crowd, to its end, and only through those of it that the index names."""
    where, parameters = conditions(widget_id=widget_id, filters=filters, after=after)
    parameters |= {"rows": rows, "walk": walk}
    named, is_named = "", "true"
    if crowd is not None:
        where += " AND c.created_at >= %(oldest)s"
        named, is_named = _NAMED.format(holds=_holds(filters)), _IS_NAMED.format(bits=BLOCK_BITS)
        parameters |= {"oldest": crowd.oldest, "entries": crowd.entries, "crowd": crowd.number}
    sql = _WALK.format(
        where=where, named=named, is_named=is_named, said=_SAID, columns=COLUMNS, newest_first=NEWEST_FIRST
    )
    answer = fetch_all(sql, parameters)
    walked, last_at, last_id = answer[0][:3] if answer else (0, None, None)
    found = [row[3:] for row in answer if row[3] is not None]
    if walked == walk:
        return _Step(found, (last_at, last_id))
    return _Step(found, (crowd.oldest, 0) if crowd is not None else None)


def _look_up(widget_id: int, filters: dict[str, Any], after: Position, *, rows: int, blocks: int) -> _Step:
    where, parameters = conditions(widget_id=widget_id, filters=filters, after=after)
    between = {name: value for name, value in filters.items() if name in ("from", "to")}
    dates, _ = conditions(widget_id=widget_id, filters=between, after=after)
    sql = _LOOK_UP.format(
        where=where,
        # What the position says of the time alone can be looked up.
        dates=f"{dates} AND c.created_at <= %(after_at)s",
        said=_SAID,
        holds=_holds(filters),
        columns=COLUMNS,
        newest_first=NEWEST_FIRST,
        bits=BLOCK_BITS,
        heard=HEARD,
        trigrams=TRIGRAMS,
    )
    answer = fetch_all(sql, {**parameters, "rows": rows, "most": MOST_FOUND, "blocks": blocks})
    stopped_at, *crowd = answer[0][:4]
    found = [row[4:] for row in answer if row[4] is not None]
    # Never back to before `after`: many chats may have begun at once.
    goes_on_after = None if stopped_at is None else min(after, (stopped_at, _LAST_ID))
    return _Step(found, goes_on_after, None if crowd[0] is None else _Crowd(*crowd))


def _holds(filters: dict[str, Any]) -> str:
    """The index's operator. A needle of two characters is in a text with any of the trigrams which begin with them."""
    return "@>" if len(filters["q"]) > 2 else "&&"
