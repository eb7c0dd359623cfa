"""Chats by what was said in them. How a search finds its page, and what it costs, is told in docs/adr/0013."""

from typing import Any

from apps.chats.querysets.chats import COLUMNS, NEWEST_FIRST, conditions
from apps.core.database import Parameters, Row, fetch_all
from apps.core.endpoints.paging import Found, Position

# How many of the newest chats are looked through first, so many at a time, and how many of their messages are read.
# What is left of those is shared out among the next chats; a talk longer than its share ends the walk.
WALKED, AT_A_TIME, READ = 300, 16, 8_000
# Once the index has named so many messages, no further block is asked; asking for one costs as much as so many.
MOST_NAMED, ASKING = 5_000, 50
# How many messages of a block are named at most, if the search can stop before it: some more than one of each chat.
CROWD = 8_200
# How many chats of a block are compared with the needle at most, where what the index names is mostly only alike.
MOST_COMPARED = 1_000
# Chats are indexed in blocks of 2^13 by their ids. Part of the indexes: it cannot be changed here alone.
BLOCK_BITS = 13
# How many trigrams of a needle are asked of the index: those that the fewest of so many texts hold, from all over it.
# As the trigrams of a word mostly come together: beyond so many of a word, those of others first that are seldom.
TRIGRAMS, HEARD, OF_A_WORD, SELDOM = 5, 120, 2, 3

_LAST_ID = 2**63 - 1

_PAGE_AND_STOP = f"""
SELECT stop.at, stop.id, {COLUMNS}
FROM (VALUES (1)) one LEFT JOIN stop ON true
LEFT JOIN (page JOIN chats_chat c ON c.id = page.id JOIN chats_contact contact ON contact.id = c.contact_id) ON true
{NEWEST_FIRST}"""  # noqa: S608 - of constants
# `strpos`, not LIKE: nothing to escape, and no guess of the planner's that a long needle must be rare.
_SAID = "strpos(chats_folded(m.body), chats_folded(%(q)s)) > 0"
# Looks through the newest chats that the filters leave, some at a time, until the page is full: those in which it was
# said, beside each (or beside nothing) the position after which the search goes on. It reads a chat up to where it was
# said, to its end, or to its share of the reading.
# Indexes: those of the list, and chats_message_in_chat.
_WALK = """
WITH RECURSIVE walked AS MATERIALIZED (
    SELECT c.id, c.created_at, row_number() OVER ({newest_first}) AS nth
    FROM (SELECT c.id, c.created_at FROM chats_chat c WHERE {where} {newest_first} LIMIT {walked}) c
), looked (walked, read, share, found, ids, too_long) AS (
    SELECT 0, 0::bigint, ({read} / {at_a_time})::bigint, 0::bigint, '{{}}'::bigint[], NULL::bigint
    UNION ALL
    SELECT looked.walked + {at_a_time}, looked.read + part.read,
           greatest(({read} - looked.read - part.read) / {at_a_time}, 1),
           looked.found + part.found, part.ids, part.too_long
    FROM looked CROSS JOIN LATERAL (
        SELECT coalesce(sum(m.place), 0)::bigint AS read, count(*) FILTER (WHERE m.was_said) AS found,
               array_agg(c.id) FILTER (WHERE m.was_said) AS ids,
               min(c.nth) FILTER (WHERE m.place > looked.share) AS too_long
        FROM walked c CROSS JOIN LATERAL (
            SELECT m.place, m.was_said FROM (
                SELECT m.place, m.is_last, {said} AS was_said FROM (
                    SELECT m.body, row_number() OVER talk AS place, lead(m.id) OVER talk IS NULL AS is_last
                    FROM chats_message m WHERE m.chat_id = c.id AND NOT m.is_internal
                    WINDOW talk AS (ORDER BY m.id) LIMIT looked.share + 1
                ) m
                OFFSET 0
            ) m
            WHERE m.was_said OR m.is_last OR m.place > looked.share LIMIT 1
        ) m
        WHERE c.nth > looked.walked AND c.nth <= looked.walked + {at_a_time}
    ) part
    WHERE looked.found < %(rows)s AND looked.too_long IS NULL AND looked.walked < (SELECT count(*) FROM walked)
), stop AS MATERIALIZED (
    SELECT c.created_at AS at, CASE WHEN too_long.nth IS NULL THEN c.id ELSE c.id + 1 END AS id
    FROM walked c, (SELECT min(too_long) AS nth FROM looked) too_long
    WHERE c.nth = coalesce(too_long.nth, {walked})
), page AS MATERIALIZED (
    SELECT c.id FROM walked c
    WHERE c.id IN (SELECT unnest(ids) FROM looked) AND (c.created_at, c.id) >= ALL (SELECT at, id FROM stop)
    {newest_first} LIMIT %(rows)s
)
{page_and_stop}"""

# Asks the index of one block of chats after the other, from the one with the newest chat on (`place` 1), until enough
# chats are found, enough was looked at, or a block is a crowd: says it too often to be named while it may wait. Of each
# block: the newest chats in which it was said, and where it stopped comparing, if it did. Only what is newer than all
# that was not looked at is certain, and only that is answered, beside each (or beside nothing) the position after which
# the search goes on. It never stops where that would be no step.
# The needle's trigrams are chosen by what was said in the newest blocks.
# "c.id >> n" twice with an inequality: as an equality the planner would look for the newest in the list's index. Where
# a row is to be looked up by its id, OFFSET 0 keeps the planner from reading the list instead.
# Indexes: chats_chat_in_block, chats_message_said, and the primary keys.
_LOOK_UP = """
WITH RECURSIVE needle AS MATERIALIZED (
    SELECT chats_folded(%(q)s) AS folded
), numbered (number) AS (
    (SELECT c.id >> {bits} FROM chats_chat c WHERE c.widget_id = %(widget_id)s ORDER BY c.id >> {bits} DESC LIMIT 1)
    UNION ALL
    SELECT (SELECT c.id >> {bits} FROM chats_chat c
            WHERE c.widget_id = %(widget_id)s AND c.id >> {bits} < numbered.number ORDER BY c.id >> {bits} DESC LIMIT 1)
    FROM numbered WHERE numbered.number IS NOT NULL
), block AS MATERIALIZED (
    SELECT row_number() OVER (ORDER BY newest.created_at DESC) AS place, numbered.number, newest.id, newest.created_at,
           newest.created_at < max(newest.created_at) OVER () AS may_wait
    FROM numbered CROSS JOIN LATERAL (
        SELECT c.id, c.created_at FROM chats_chat c
        WHERE {dates} AND c.id >> {bits} >= numbered.number AND c.id >> {bits} <= numbered.number
        ORDER BY c.id >> {bits} DESC, c.created_at DESC LIMIT 1
    ) newest
), heard AS MATERIALIZED (
    SELECT chats_folded(left(said.body, 1000)) AS body
    FROM (SELECT * FROM block ORDER BY place OFFSET 0) block CROSS JOIN LATERAL (
        SELECT m.body FROM chats_message m WHERE m.chat_id = block.id ORDER BY m.id LIMIT 6
    ) said
    LIMIT {heard}
), rarest AS MATERIALIZED (
    SELECT coalesce(array_agg(place), '{{}}') AS places FROM (
        SELECT place FROM (
            SELECT place, number, row_number() OVER (PARTITION BY word ORDER BY number, place * 89 %% 144) AS nth FROM (
                SELECT place, regexp_count(left(folded, place), '[[:space:]]') AS word,
                       (SELECT count(*) FROM heard WHERE strpos(heard.body, substr(folded, place, 3)) > 0) AS number
                FROM needle, generate_series(1, char_length(folded) - 2) AS place
            ) AS trigram
        ) AS ranked
        ORDER BY number + CASE WHEN nth > {of_a_word} THEN {seldom} ELSE 0 END, place * 89 %% 144 LIMIT {trigrams}
    ) AS chosen
), looked (place, effort, ids, times, cut_at, cut_id) AS (
    SELECT 0::bigint, 0::bigint, '{{}}'::bigint[], '{{}}'::timestamptz[], NULL::timestamptz, NULL::bigint
    UNION ALL
    SELECT block.place, looked.effort + found.effort, looked.ids || found.ids, looked.times || found.times,
           found.cut_at, found.cut_id
    FROM looked JOIN block ON block.place = looked.place + 1 CROSS JOIN LATERAL (
        WITH asked AS MATERIALIZED (
            SELECT chats_needle_entries(%(widget_id)s, block.number << {bits}, folded, places) AS entries
            FROM needle, rarest
        ), named AS MATERIALIZED (
            SELECT m.chat_id, array_agg(m.id) AS messages FROM asked CROSS JOIN LATERAL (
                SELECT m.chat_id, m.id FROM chats_message m
                WHERE chats_message_entries(m.widget_id, m.chat_id, m.body) {holds} asked.entries
                  AND m.widget_id + 0 = %(widget_id)s AND NOT m.is_internal
                LIMIT CASE WHEN block.may_wait THEN {crowd} + 1 END
            ) m
            GROUP BY m.chat_id
        ), number AS MATERIALIZED (
            SELECT coalesce(sum(cardinality(messages)), 0)::bigint AS named,
                   sum(cardinality(messages)) > {crowd} AND block.may_wait AS is_crowd
            FROM named
        ), compared AS MATERIALIZED (
            SELECT c.id, c.created_at, named.messages FROM named CROSS JOIN LATERAL (
                SELECT c.id, c.created_at FROM chats_chat c WHERE c.id = named.chat_id AND {where} OFFSET 0
            ) c
            WHERE NOT (SELECT is_crowd FROM number)
            {newest_first} LIMIT {compared}
        ), said AS MATERIALIZED (
            SELECT c.id, c.created_at FROM (SELECT * FROM compared c {newest_first} OFFSET 0) c
            WHERE (SELECT true FROM unnest(c.messages) AS message CROSS JOIN LATERAL (
                SELECT FROM chats_message m WHERE m.id = message AND {said} OFFSET 0
            ) m LIMIT 1)
            {newest_first} LIMIT %(rows)s
        ), cut AS (
            SELECT block.created_at, {last_id} AS id FROM number WHERE is_crowd
            UNION ALL
            (SELECT c.created_at, c.id FROM compared c
             WHERE (SELECT count(*) FROM compared) = {compared} AND (SELECT count(*) FROM said) < %(rows)s
             ORDER BY c.created_at, c.id LIMIT 1)
        )
        SELECT {asking} + (SELECT named FROM number)
                   + CASE WHEN EXISTS (SELECT FROM cut) THEN {enough} ELSE 0 END AS effort,
               ARRAY(SELECT c.id FROM said c {newest_first}) AS ids,
               ARRAY(SELECT c.created_at FROM said c {newest_first}) AS times,
               (SELECT created_at FROM cut) AS cut_at, (SELECT id FROM cut) AS cut_id
    ) found
    WHERE (SELECT count(*) FROM unnest(looked.times) AS time WHERE time > block.created_at) < %(rows)s
      AND (looked.effort < {enough} OR NOT block.may_wait)
), stop AS MATERIALIZED (
    SELECT * FROM (
        SELECT created_at AS at, {last_id} AS id FROM block WHERE place > (SELECT max(place) FROM looked)
        UNION ALL
        SELECT cut_at, cut_id FROM looked WHERE cut_at IS NOT NULL
    ) unknown
    ORDER BY at DESC, id DESC LIMIT 1
), page AS MATERIALIZED (
    SELECT c.id FROM (
        SELECT unnest(ids) AS id, unnest(times) AS created_at FROM looked WHERE place = (SELECT max(place) FROM looked)
    ) c
    WHERE (c.created_at, c.id) >= ALL (SELECT at, id FROM stop) {newest_first} LIMIT %(rows)s
)
{page_and_stop}"""


def search_page(*, widget_id: int, filters: dict[str, Any], after: Position | None, limit: int) -> Found:
    """One page of the chats in which a visible message contains `filters["q"]`, as `querysets.chat_page` gives it.

    In any case of letters. Most pages are filled by the newest chats, nearly all others by the index. A search that has
    looked at a lot looks through the next chats once more, then ends its page early, and says where it goes on.
    """
    rows: list[Row] = []
    for look in (_walk, _look_up, _walk):
        more, after = look(widget_id, filters, after, rows=limit + 1 - len(rows))
        rows += more
        if len(rows) > limit or after is None:
            break
    return Found(rows, after)


def _walk(widget_id: int, filters: dict[str, Any], after: Position | None, *, rows: int) -> Found:
    where, parameters = conditions(widget_id=widget_id, filters=filters, after=after)
    sizes = {"walked": WALKED, "at_a_time": AT_A_TIME, "read": READ}
    return _found(_WALK, {**parameters, "rows": rows}, where=where, **sizes)


def _look_up(widget_id: int, filters: dict[str, Any], after: Position | None, *, rows: int) -> Found:
    where, parameters = conditions(widget_id=widget_id, filters=filters, after=after)
    between = {name: value for name, value in filters.items() if name.startswith("created_at")}
    dates, _ = conditions(widget_id=widget_id, filters=between, after=after)
    return _found(
        _LOOK_UP,
        {**parameters, "rows": rows},
        where=where,
        # What the position says of the time alone can be looked up.
        dates=f"{dates} AND c.created_at <= %(after_at)s",
        # A needle of two characters is in a text with any of the trigrams which begin with them.
        holds="@>" if len(filters["q"]) > 2 else "&&",
        bits=BLOCK_BITS,
        heard=HEARD,
        trigrams=TRIGRAMS,
        of_a_word=OF_A_WORD,
        seldom=SELDOM,
        crowd=CROWD,
        compared=MOST_COMPARED,
        enough=MOST_NAMED,
        asking=ASKING,
        last_id=_LAST_ID,
    )


def _found(statement: str, parameters: Parameters, **parts: Any) -> Found:
    sql = statement.format(said=_SAID, newest_first=NEWEST_FIRST, page_and_stop=_PAGE_AND_STOP, **parts)
    answer = fetch_all(sql, parameters)
    stopped_at, stopped_id = answer[0][:2]
    rows = [row[2:] for row in answer if row[2] is not None]
    return Found(rows, None if stopped_at is None else (stopped_at, stopped_id))
