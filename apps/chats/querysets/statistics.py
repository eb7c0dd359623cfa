"""Counts of a widget's chats and messages in a window, for statistics.

Hours that are over were counted beforehand; the rest is counted from the rows (docs/adr/0015). Chats are grouped by
their attribution, so that one pass gives every figure. Each count costs two statements: the first asks what is tallied.
"""

from collections.abc import Mapping, Sequence

from apps.chats.querysets.conditions import CONDITIONS
from apps.chats.querysets.counted_messages import COUNTS, IS_ANSWER
from apps.chats.rules.agent_statistics import RATINGS
from apps.chats.rules.statistics import Group, Mean, Tallied, portions
from apps.core.database import Parameters, fetch_all, fetch_one
from apps.core.parsing.periods import Window

# Index: chats_stalehour_of_hour.
_STATE = """
SELECT (SELECT until FROM chats_tallyprogress),
       ARRAY(SELECT DISTINCT hour FROM chats_stalehour
             WHERE widget_id = %(widget_id)s AND hour >= %(start)s AND hour < %(end)s AND kind = %(kind)s)"""

# The tallied hours. Indexes: chats_chattally_of_hour and the like.
_TALLIED = """
WHERE t.widget_id = %(widget_id)s AND t.hour >= %(first)s AND t.hour < %(last)s AND t.hour <> ALL (%(stale)s)"""
# The spans between them. What is counted of each is a subquery of its own, so that it is read by its index.
_SPANS = """unnest(%(starts)s::timestamptz[], %(ends)s::timestamptz[]) AS span (start, "end")"""

# Index: chats_chat_counted, which holds every column read.
_OPENED = f"""
FROM chats_chat c
WHERE c.widget_id = %(widget_id)s AND {CONDITIONS["created_at__gte"].sql("span.start")}
  AND {CONDITIONS["created_at__lt"].sql('span."end"')}"""

_GROUPS = f"""
SELECT handling, accepted_type, handled_type, sum(chats)::int8, sum(answered)::int8, sum(waited)
FROM (
    SELECT t.handling, t.accepted_type, t.handled_type, t.chats, t.answered, t.waited FROM chats_chattally t {_TALLIED}
    UNION ALL
    SELECT opened.* FROM {_SPANS} CROSS JOIN LATERAL (
        SELECT c.handling, c.accepted_type, c.handled_type, count(*), count(c.accepted_at),
               coalesce(sum(c.accepted_at - c.created_at), interval '0')
        {_OPENED}
        GROUP BY c.handling, c.accepted_type, c.handled_type
    ) opened
) AS counted
GROUP BY handling, accepted_type, handled_type"""  # noqa: S608 - of constants

_CHANNELS = f"""
SELECT channel, handling, accepted_type, handled_type, sum(chats)::int8
FROM (
    SELECT t.channel, t.internal, t.handling, t.accepted_type, t.handled_type, t.chats
    FROM chats_chattally t {_TALLIED}
    UNION ALL
    SELECT opened.* FROM {_SPANS} CROSS JOIN LATERAL (
        SELECT c.channel, c.internal, c.handling, c.accepted_type, c.handled_type, count(*)
        {_OPENED}
        GROUP BY c.channel, c.internal, c.handling, c.accepted_type, c.handled_type
    ) opened
) AS counted
WHERE NOT internal
GROUP BY channel, handling, accepted_type, handled_type"""  # noqa: S608 - of constants

_SERIES = f"""
SELECT bucket - 1, handling, accepted_type, handled_type, sum(chats)::int8
FROM (
    SELECT width_bucket(t.hour, %(buckets)s::timestamptz[]) AS bucket, t.handling, t.accepted_type, t.handled_type,
           t.chats
    FROM chats_chattally t {_TALLIED}
    UNION ALL
    SELECT opened.* FROM {_SPANS} CROSS JOIN LATERAL (
        SELECT width_bucket(c.created_at, %(buckets)s::timestamptz[]), c.handling, c.accepted_type, c.handled_type,
               count(*)
        {_OPENED}
        GROUP BY 1, 2, 3, 4
    ) opened
) AS counted
GROUP BY bucket, handling, accepted_type, handled_type"""  # noqa: S608 - of constants

# Index: chats_message_counted.
_WRITTEN = f"""
FROM chats_message m
WHERE m.widget_id = %(widget_id)s AND m.created_at >= span.start AND m.created_at < span."end" AND {COUNTS}"""

_MESSAGES = f"""
SELECT coalesce(sum(messages), 0)::int8
FROM (
    SELECT t.messages FROM chats_messagetally t {_TALLIED}
    UNION ALL
    SELECT written.* FROM {_SPANS} CROSS JOIN LATERAL (SELECT count(*) {_WRITTEN}) written
) AS counted"""  # noqa: S608 - of constants

_MESSAGE_SERIES = f"""
SELECT bucket - 1, sum(messages)::int8
FROM (
    SELECT width_bucket(t.hour, %(buckets)s::timestamptz[]) AS bucket, t.messages FROM chats_messagetally t {_TALLIED}
    UNION ALL
    SELECT written.* FROM {_SPANS} CROSS JOIN LATERAL (
        SELECT width_bucket(m.created_at, %(buckets)s::timestamptz[]), count(*) {_WRITTEN} GROUP BY 1
    ) written
) AS counted
GROUP BY bucket"""  # noqa: S608 - of constants

_RATINGS = """
SELECT r.value, count(*)
FROM chats_rating r
WHERE r.widget_id = %(widget_id)s AND r.rated_at >= %(start)s AND r.rated_at < %(end)s
GROUP BY r.value"""

# A visitor's first message and the first answer after it, for each of `opened`. Index: chats_message_in_chat, twice.
FIRST_RESPONSE = f"""
CROSS JOIN LATERAL (
    SELECT m.id, m.created_at FROM chats_message m
    WHERE m.chat_id = opened.id AND m.sender_kind = 'client' AND NOT m.is_internal
    ORDER BY m.id LIMIT 1
) asked
CROSS JOIN LATERAL (
    SELECT m.created_at FROM chats_message m
    WHERE m.chat_id = opened.id AND m.id > asked.id AND {IS_ANSWER}
    ORDER BY m.id LIMIT 1
) answer"""  # noqa: S608 - of constants

# Of the chats of the tallied hours, the tally has the answers before `until`. Those after it are found from the
# messages: index chats_message_counted.
_FIRST_RESPONSES = f"""
SELECT coalesce(sum(answered), 0)::int8, coalesce(sum(waited), interval '0')
FROM (
    SELECT t.answered, t.waited FROM chats_responsetally t {_TALLIED}
    UNION ALL
    SELECT 1, answer.created_at - asked.created_at
    FROM (
        SELECT opened.id FROM {_SPANS} CROSS JOIN LATERAL (SELECT c.id {_OPENED} OFFSET 0) opened
    ) opened {FIRST_RESPONSE}
    UNION ALL
    SELECT 1, answer.created_at - asked.created_at
    FROM (
        SELECT found.id FROM (
            SELECT DISTINCT m.chat_id FROM chats_message m
            WHERE m.widget_id = %(widget_id)s AND m.created_at >= %(until)s AND {IS_ANSWER}
        ) answered_chat CROSS JOIN LATERAL (
            SELECT c.id FROM chats_chat c
            WHERE c.id = answered_chat.chat_id AND c.created_at >= %(first)s AND c.created_at < %(last)s
              AND chats_hour_of(c.created_at) <> ALL (%(stale)s) OFFSET 0
        ) found
    ) opened {FIRST_RESPONSE}
    WHERE answer.created_at >= %(until)s
) AS counted"""  # noqa: S608 - of constants


def chats_opened(*, widget_id: int, window: Window) -> list[Group]:
    """The chats opened in the window, by their attribution."""
    return [Group(*row) for row in fetch_all(_GROUPS, _parameters(Tallied.CHATS, widget_id, [window]))]


def chats_opened_by_channel(*, widget_id: int, window: Window) -> Mapping[str, list[Group]]:
    """The same for each channel that has any; chats of internal departments are left out."""
    channels: dict[str, list[Group]] = {}
    for channel, *group in fetch_all(_CHANNELS, _parameters(Tallied.CHATS, widget_id, [window])):
        channels.setdefault(channel, []).append(Group(*group))
    return channels


def chats_opened_by_bucket(*, widget_id: int, buckets: Sequence[Window]) -> list[list[Group]]:
    """The same for each of the buckets, which follow each other."""
    groups: list[list[Group]] = [[] for _ in buckets]
    for bucket, *group in fetch_all(_SERIES, _parameters(Tallied.CHATS, widget_id, buckets)):
        groups[bucket].append(Group(*group))
    return groups


def messages_written(*, widget_id: int, window: Window) -> int:
    """The messages written in the window, but for system messages and what is for operators only."""
    row = fetch_one(_MESSAGES, _parameters(Tallied.MESSAGES, widget_id, [window]))
    return row[0] if row else 0


def messages_written_by_bucket(*, widget_id: int, buckets: Sequence[Window]) -> list[int]:
    """The same for each of the buckets, which follow each other."""
    counts = [0] * len(buckets)
    for bucket, count in fetch_all(_MESSAGE_SERIES, _parameters(Tallied.MESSAGES, widget_id, buckets)):
        counts[bucket] = count
    return counts


def first_responses(*, widget_id: int, window: Window) -> Mean:
    """The times from a visitor's first message to the first answer after it, in the chats opened in the window."""
    row = fetch_one(_FIRST_RESPONSES, _parameters(Tallied.RESPONSES, widget_id, [window]))
    if row is None:
        raise LookupError("an aggregate always has a row")
    return Mean(*row)


def ratings_given(*, widget_id: int, window: Window) -> dict[int, int]:
    """How many ratings were given in the window, by value, one a chat. Index: chats_rating_counted."""
    counts = fetch_all(_RATINGS, {"widget_id": widget_id, "start": window.start, "end": window.end})
    return dict.fromkeys(RATINGS, 0) | dict(counts)


def _parameters(kind: Tallied, widget_id: int, buckets: Sequence[Window]) -> Parameters:
    """How to count buckets that follow each other, at least one.

    The tally may move on before it is read, but hours that were tallied still are.
    """
    whole = {"widget_id": widget_id, "start": buckets[0].start, "end": buckets[-1].end}
    until, stale = fetch_one(_STATE, {**whole, "kind": kind}) or (None, [])
    counted = portions(buckets, until=until, stale=stale)
    return {
        "widget_id": widget_id,
        "until": until,
        "first": counted.first,
        "last": counted.last,
        "stale": counted.stale,
        "starts": [span.start for span in counted.by_rows],
        "ends": [span.end for span in counted.by_rows],
        "buckets": [bucket.start for bucket in buckets],
    }
