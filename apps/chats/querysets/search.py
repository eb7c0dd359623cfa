"""Chats by what was said in them: the newest are read, then the index is asked. Why it is so: docs/adr/0013."""

from typing import Any

from apps.chats.querysets.chats import COLUMNS, NEWEST_FIRST, RELATED, conditions
from apps.chats.rules.folding import folded
from apps.core.database import Row, fetch_all, fetch_one
from apps.core.endpoints.paging import Position, RowPage

# For how many milliseconds a page reads chats, and then asks the index. If it is not full by then, it ends early.
READING_MS, ASKING_MS = 10, 100
# How many bytes of what is said a page reads of what the index gives for one period.
READING_BYTES = 4_000_000
# The index holds chats in blocks of 2^13 by their ids. Part of two indexes: it cannot be changed here alone.
BLOCK_BITS = 13
# How many characters of a message are searched, the first ones: as chats_searchable says.
SEARCHED = 10_000
LAST_ID = 2**63 - 1

# `strpos`, not LIKE: nothing to escape, and no guess of the planner's that a long term must be rare.
# `q` is folded before (rules/folding.py).
_SAID = "strpos(chats_searchable(m.body), %(q)s) > 0"
_TIME_IS_UP = "clock_timestamp() > statement_timestamp() + %(milliseconds)s * interval '1 millisecond'"

# How much of a message is read, at most; asked without reading it.
_BYTES = f"least(octet_length(m.body), {4 * SEARCHED})"

# Both statements answer rows of: whether it is a chat found in time; created_at and id of a position, and the message
# of the chat before it at which the search goes on; the chat. The first row that is no chat has that position.

# Reads chat after chat, message after message; when the time is up, no more text. The chat in which it is up is the
# first that is not answered for. (Of a small tenant the planner may have all chats read before they are sorted: those
# for which there is no time cost next to nothing.) Indexes: those of the list, and chats_message_in_chat.
_READ_NEWEST = f"""
SELECT looked.was_said IS NOT NULL, c.created_at, c.id + 1, {LAST_ID}, {COLUMNS}
FROM chats_chat c CROSS JOIN LATERAL (
    SELECT was_said FROM (
        SELECT CASE WHEN NOT {_TIME_IS_UP} THEN {_SAID} END AS was_said FROM chats_message m
        WHERE m.chat_id = c.id AND NOT m.is_internal OFFSET 0
    ) message
    WHERE was_said IS NOT false
    UNION ALL
    SELECT NULL WHERE {_TIME_IS_UP}
    LIMIT 1
) looked {RELATED}
WHERE {{where}} {NEWEST_FIRST} LIMIT %(rows)s"""  # noqa: S608 - of constants

# The same for a term that folds to one character, which the index does not know: nearly every text has it. A chat is
# read whole, so that each page gets on; one that was read when the time was up is the last that is answered for.
_READ_ON = f"""
SELECT looked.was_said IS NOT NULL, c.created_at, c.id, {LAST_ID}, {COLUMNS}
FROM chats_chat c CROSS JOIN LATERAL (
    SELECT was_said FROM (
        SELECT {_SAID} AS was_said FROM chats_message m WHERE m.chat_id = c.id AND NOT m.is_internal OFFSET 0
    ) message
    WHERE was_said
    UNION ALL
    SELECT NULL WHERE {_TIME_IS_UP}
    LIMIT 1
) looked {RELATED}
WHERE {{where}} {NEWEST_FIRST} LIMIT %(rows)s"""  # noqa: S608 - of constants

# The messages of a block in which, by their entries, it may have been said. "widget_id + 0" and OFFSET 0 keep the
# planner to chats_searchedmessage_found. Their texts are not read here: they can be long. It may have been said
# in messages that wait for the index, too; and in all that it lacks while it is filled anew, else that is a question to
# one row. (The bounds of a block stand there twice: so the planner does not think of many.)
_MAYBE_SAID = f"""
                SELECT maybe.* FROM (
                    SELECT m.chat_id, m.message_id AS id, {_BYTES} AS bytes FROM chats_searchedmessage m
                    WHERE chats_message_trigrams(m.widget_id, m.chat_id, m.body)
                          {{holds}} chats_term_trigrams(%(widget_id)s, block.number << {BLOCK_BITS}, %(q)s)
                      AND m.widget_id + 0 = %(widget_id)s
                      AND NOT (m.chat_id = %(within_id)s AND m.message_id >= %(before_message_id)s) OFFSET 0
                ) maybe
                UNION ALL
                SELECT m.* FROM waiting m
                WHERE m.chat_id >> {BLOCK_BITS} = block.number
                  AND NOT (m.chat_id = %(within_id)s AND m.id >= %(before_message_id)s)
                UNION ALL
                SELECT m.* FROM (
                    SELECT c.id FROM chats_chat c
                    WHERE c.widget_id = %(widget_id)s AND c.id >> {BLOCK_BITS} BETWEEN block.number AND block.number
                      AND c.id >= block.number << {BLOCK_BITS} AND c.id < (block.number + 1) << {BLOCK_BITS}
                    OFFSET 0
                ) c CROSS JOIN LATERAL (
                    SELECT m.chat_id, m.id, {_BYTES} AS bytes FROM chats_message m
                    WHERE m.chat_id = c.id AND NOT m.is_internal
                      AND m.id > 0 AND m.id < (SELECT filled_from FROM progress)
                      AND NOT (m.chat_id = %(within_id)s AND m.id >= %(before_message_id)s) OFFSET 0
                ) m
                WHERE (SELECT filled_from FROM progress) > 0"""  # noqa: S608 - of constants
# How far the index is filled; without a row, not at all. Above the last id that was given here are those of messages
# that came with another installation's numbers: they are noted.
_PROGRESS = f"""
    SELECT coalesce(max(settled_id), {LAST_ID}) AS settled_id, coalesce(max(filled_from), {LAST_ID}) AS filled_from,
           coalesce(pg_sequence_last_value('chats_message_id_seq'), 0) AS last_id
    FROM chats_searchprogress"""  # noqa: S608 - of constants
# The tenant's messages that wait for the index: the newest of all, and those that are noted. Indexes: the primary key
# (two bounds have the planner think of few), and chats_unsearched_noted.
_WAITING = f"""
    SELECT m.chat_id, m.id, {_BYTES} AS bytes FROM chats_message m
    WHERE m.id > (SELECT settled_id FROM progress) AND m.id <= (SELECT last_id FROM progress)
      AND m.widget_id + 0 = %(widget_id)s AND NOT m.is_internal
    UNION ALL
    SELECT m.chat_id, m.id, {_BYTES} FROM (
        SELECT DISTINCT message_id FROM chats_unsearchedmessage WHERE widget_id = %(widget_id)s
    ) noted CROSS JOIN LATERAL (SELECT * FROM chats_message m WHERE m.id = noted.message_id OFFSET 0) m
    WHERE m.widget_id + 0 = %(widget_id)s AND NOT m.is_internal"""  # noqa: S608 - of constants
# The tenant's chats of a block within the dates. For "=" the planner would look for them in the list's index.
_IN_BLOCK = f"{{dates}} AND c.id >> {BLOCK_BITS} BETWEEN number AND number"

# Asks the index for the chats of one period after the other, the latest first. A period begins with the newest chat of
# a block and ends before the newest one of the next; mostly only one block has chats in it. The nested loop takes a
# period when the page is not full without it. The first is taken whatever the time: so each page is a step. Of a
# period's chats the newest are read, message after message, until there was as much text as a page may read: the
# first message in any case, and where it stops, the next page goes on with the message.
# Indexes: chats_chat_in_block, chats_searchedmessage_found, and the primary keys.
_ASK_INDEX = f"""
WITH progress AS MATERIALIZED ({_PROGRESS}
), waiting AS MATERIALIZED ({_WAITING}
), block AS MATERIALIZED (
    SELECT number, newest.created_at AS newest, oldest.created_at AS oldest
    FROM generate_series(
        (SELECT min(c.id >> {BLOCK_BITS}) FROM chats_chat c WHERE c.widget_id = %(widget_id)s),
        (SELECT max(c.id >> {BLOCK_BITS}) FROM chats_chat c WHERE c.widget_id = %(widget_id)s)
    ) number
    CROSS JOIN LATERAL (
        SELECT c.created_at FROM chats_chat c WHERE {_IN_BLOCK}
        ORDER BY c.id >> {BLOCK_BITS} DESC, c.created_at DESC LIMIT 1
    ) newest
    CROSS JOIN LATERAL (
        SELECT c.created_at FROM chats_chat c WHERE {_IN_BLOCK} ORDER BY c.id >> {BLOCK_BITS}, c.created_at LIMIT 1
    ) oldest
), period AS MATERIALIZED (
    SELECT newest AS until, coalesce(lead(newest) OVER latest_first, '-infinity') AS since,
           row_number() OVER latest_first AS place
    FROM (SELECT DISTINCT newest FROM block) block WINDOW latest_first AS (ORDER BY newest DESC)
)
SELECT coalesce(chat.was_said, false), coalesce(chat.at, period.until), coalesce(chat.next_id, {LAST_ID}),
       coalesce(chat.next_message_id, {LAST_ID}), chat.*
FROM (SELECT * FROM period ORDER BY place OFFSET 0) period
CROSS JOIN LATERAL (SELECT period.place = 1 OR NOT {_TIME_IS_UP} AS in_time OFFSET 0) clock
LEFT JOIN LATERAL (
    SELECT {COLUMNS}, c.was_said, c.created_at AS at, c.id + 1 AS next_id, c.message_id + 1 AS next_message_id
    FROM (
        SELECT c.*, looked.* FROM (
            SELECT c.*, found.message_ids,
                   sum(found.bytes) OVER ({NEWEST_FIRST} ROWS UNBOUNDED PRECEDING) - found.bytes AS bytes_before
            FROM (
                SELECT maybe.chat_id, array_agg(DISTINCT maybe.id ORDER BY maybe.id DESC) AS message_ids,
                       sum(maybe.bytes) AS bytes
                FROM block CROSS JOIN LATERAL ({_MAYBE_SAID}
                ) maybe
                WHERE block.newest > period.since AND block.oldest <= period.until AND in_time
                GROUP BY maybe.chat_id
            ) found
            CROSS JOIN LATERAL (SELECT * FROM chats_chat c WHERE c.id = found.chat_id OFFSET 0) c
            WHERE {{where}} AND c.created_at > period.since AND c.created_at <= period.until
            {NEWEST_FIRST}
        ) c
        CROSS JOIN LATERAL (
            SELECT * FROM (
                SELECT m.id AS message_id, CASE
                    WHEN c.bytes_before + sum({_BYTES}) OVER (ROWS UNBOUNDED PRECEDING) - {_BYTES} < %(bytes)s
                    THEN {_SAID}
                END AS was_said
                FROM unnest(c.message_ids) AS maybe (id)
                CROSS JOIN LATERAL (
                    SELECT * FROM chats_message m
                    WHERE m.id = maybe.id AND m.widget_id + 0 = %(widget_id)s AND m.chat_id = c.id AND NOT m.is_internal
                    OFFSET 0
                ) m
            ) message
            WHERE was_said IS NOT false LIMIT 1
        ) looked
        LIMIT %(rows)s
    ) c {RELATED}
    {NEWEST_FIRST}
) chat ON true
WHERE chat.at IS NOT NULL OR NOT in_time
ORDER BY place LIMIT %(rows)s"""  # noqa: S608 - of constants


_WAIT = f"""
WITH progress AS MATERIALIZED ({_PROGRESS})
SELECT least(filled_from, last_id) + greatest(0, last_id - settled_id)
     + (SELECT count(*) FROM chats_unsearchedmessage)
FROM progress /* unscoped: every widget */"""  # noqa: S608 - of constants


def waiting_messages() -> int:
    """How many ids of messages the index does not have yet, of every widget: an id may be of no message."""
    row = fetch_one(_WAIT, {})
    return int(row[0]) if row else 0


def search_page(*, widget_id: int, filters: dict[str, Any], after: Position | None, limit: int) -> RowPage:
    """One page of the chats in which a visible message contains `filters["q"]`, as `querysets.chat_page` gives it.

    Texts are compared folded (rules/folding.py); a term that folds to nothing finds nothing. A search for which a page
    takes too long ends it early, and says where it goes on.
    """
    term = folded(filters["q"])
    if not term:
        return RowPage([])
    filters = {**filters, "q": term}
    if len(term) == 1:
        return _read_on(widget_id, filters, after, rows=limit + 1)
    read = _read_newest(widget_id, filters, after, rows=limit + 1)
    if read.resume_after is None:
        return read
    # Reading that came to no other chat knows not of the message at which the last page stopped in it.
    place = after if after and after[:2] == read.resume_after[:2] else read.resume_after
    asked = _ask_index(widget_id, filters, place, rows=limit + 1 - len(read.rows))
    return RowPage(read.rows + asked.rows, asked.resume_after)


def _read_newest(widget_id: int, filters: dict[str, Any], after: Position | None, *, rows: int) -> RowPage:
    where, parameters = conditions(widget_id=widget_id, filters=filters, after=after)
    return _found(fetch_all(_READ_NEWEST.format(where=where), {**parameters, "rows": rows, "milliseconds": READING_MS}))


def _read_on(widget_id: int, filters: dict[str, Any], after: Position | None, *, rows: int) -> RowPage:
    where, parameters = conditions(widget_id=widget_id, filters=filters, after=after)
    return _found(fetch_all(_READ_ON.format(where=where), {**parameters, "rows": rows, "milliseconds": ASKING_MS}))


def _ask_index(widget_id: int, filters: dict[str, Any], after: Position, *, rows: int) -> RowPage:
    where, parameters = conditions(widget_id=widget_id, filters=filters, after=after)
    between = {name: value for name, value in filters.items() if name.startswith("created_at")}
    dates, _ = conditions(widget_id=widget_id, filters=between, after=after)
    sql = _ASK_INDEX.format(
        where=where,
        # What the position says of the time alone can be looked up.
        dates=f"{dates} AND c.created_at <= %(after_at)s",
        # A term of two characters is in a text with any of the trigrams which begin with them.
        holds="@>" if len(filters["q"]) > 2 else "&&",
    )
    _, after_id, *message_id = after
    parameters |= {"within_id": after_id - 1, "before_message_id": message_id[0] if message_id else LAST_ID}
    parameters |= {"rows": rows, "milliseconds": ASKING_MS, "bytes": READING_BYTES}
    return _found(fetch_all(sql, parameters))


def _found(answer: list[Row]) -> RowPage:
    """The chats of an answer, and the position after which the search goes on, if the time was up."""
    rows: list[Row] = []
    for was_said, *position, row in ((*row[:4], row[4:]) for row in answer):
        if not was_said:
            return RowPage(rows, tuple(position))
        rows.append(row)
    return RowPage(rows)
