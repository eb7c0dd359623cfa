"""Counts of a widget's chats and messages in a window, for statistics.

Chats are counted by groups that went alike, so that one pass over the index gives every figure.
"""

from collections.abc import Mapping, Sequence

from apps.chats.rules.statistics import Group, Mean
from apps.core.database import fetch_all, fetch_one
from apps.core.periods import Window

# Index: chats_chat_counted, which holds every column read.
_OPENED = """
FROM chats_chat c
WHERE c.widget_id = %(widget_id)s AND c.created_at >= %(start)s AND c.created_at < %(end)s"""

_GROUPS = f"""
SELECT c.handling, c.accepted_type, c.handled_type, count(*), count(c.accepted_at),
       coalesce(sum(c.accepted_at - c.created_at), interval '0')
{_OPENED}
GROUP BY c.handling, c.accepted_type, c.handled_type"""

_CHANNELS = f"""
SELECT c.channel, c.handling, c.accepted_type, c.handled_type, count(*)
{_OPENED}
  AND (c.department_id IS NULL OR c.department_id NOT IN (
      SELECT id FROM agents_department WHERE widget_id = %(widget_id)s AND internal))
GROUP BY c.channel, c.handling, c.accepted_type, c.handled_type"""  # noqa: S608 - of constants

_SERIES = f"""
SELECT width_bucket(c.created_at, %(starts)s::timestamptz[]) - 1 AS bucket,
       c.handling, c.accepted_type, c.handled_type, count(*)
{_OPENED}
GROUP BY bucket, c.handling, c.accepted_type, c.handled_type"""

# What a message's count leaves out are system messages and what is for operators only. Index: chats_message_counted.
_WRITTEN = """
FROM chats_message m
WHERE m.widget_id = %(widget_id)s AND m.created_at >= %(start)s AND m.created_at < %(end)s
  AND m.sender_kind <> 'system' AND NOT m.is_internal"""

_MESSAGE_SERIES = f"""
SELECT width_bucket(m.created_at, %(starts)s::timestamptz[]) - 1 AS bucket, count(*)
{_WRITTEN}
GROUP BY bucket"""

_RATINGS = """
SELECT coalesce(sum(r.value), 0)::int8, count(*)
FROM chats_rating r
WHERE r.widget_id = %(widget_id)s AND r.rated_at >= %(start)s AND r.rated_at < %(end)s"""

# Index: chats_message_in_chat, twice a chat.
_FIRST_RESPONSES = f"""
SELECT count(*), coalesce(sum(answer.created_at - asked.created_at), interval '0')
FROM (SELECT c.id {_OPENED}) opened
CROSS JOIN LATERAL (
    SELECT m.id, m.created_at FROM chats_message m
    WHERE m.chat_id = opened.id AND m.sender_kind = 'client' AND NOT m.is_internal
    ORDER BY m.id LIMIT 1
) asked
CROSS JOIN LATERAL (
    SELECT m.created_at FROM chats_message m
    WHERE m.chat_id = opened.id AND m.id > asked.id AND NOT m.is_internal
      AND m.sender_kind IN ('agent', 'ai', 'external_operator')
    ORDER BY m.id LIMIT 1
) answer"""  # noqa: S608 - of constants


def chats_opened(*, widget_id: int, window: Window) -> list[Group]:
    """The chats opened in the window, by how they went."""
    return [Group(*row) for row in fetch_all(_GROUPS, _parameters(widget_id, window))]


def chats_opened_by_channel(*, widget_id: int, window: Window) -> Mapping[str, list[Group]]:
    """The same for each channel that has any; chats of internal departments are left out."""
    channels: dict[str, list[Group]] = {}
    for channel, *group in fetch_all(_CHANNELS, _parameters(widget_id, window)):
        channels.setdefault(channel, []).append(Group(*group))
    return channels


def chats_opened_by_bucket(*, widget_id: int, buckets: Sequence[Window]) -> list[list[Group]]:
    """The same for each of the buckets, which follow each other."""
    groups: list[list[Group]] = [[] for _ in buckets]
    for bucket, *group in fetch_all(_SERIES, _parameters_of_series(widget_id, buckets)):
        groups[bucket].append(Group(*group))
    return groups


def messages_written(*, widget_id: int, window: Window) -> int:
    """The messages written in the window, but for system messages and what is for operators only."""
    row = fetch_one(f"SELECT count(*) {_WRITTEN}", _parameters(widget_id, window))
    return int(row[0]) if row else 0


def messages_written_by_bucket(*, widget_id: int, buckets: Sequence[Window]) -> list[int]:
    """The same for each of the buckets, which follow each other."""
    counts = [0] * len(buckets)
    for bucket, count in fetch_all(_MESSAGE_SERIES, _parameters_of_series(widget_id, buckets)):
        counts[bucket] = count
    return counts


def first_responses(*, widget_id: int, window: Window) -> Mean:
    """The times from a visitor's first message to the first answer after it, in the chats opened in the window."""
    row = fetch_one(_FIRST_RESPONSES, _parameters(widget_id, window))
    if row is None:
        raise LookupError("an aggregate always has a row")
    return Mean(*row)


def rating_average(*, widget_id: int, window: Window) -> float | None:
    """Of the ratings given in the window, the last word of each chat; None of none. Index: chats_rating_counted."""
    row = fetch_one(_RATINGS, _parameters(widget_id, window))
    return row[0] / row[1] if row and row[1] else None


def _parameters(widget_id: int, window: Window) -> dict[str, object]:
    return {"widget_id": widget_id, "start": window.start, "end": window.end}


def _parameters_of_series(widget_id: int, buckets: Sequence[Window]) -> dict[str, object]:
    """Of at least one bucket."""
    whole = Window(buckets[0].start, buckets[-1].end)
    return {**_parameters(widget_id, whole), "starts": [bucket.start for bucket in buckets]}
