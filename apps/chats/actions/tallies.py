"""Counting hours beforehand, for statistics (docs/adr/0015).

A tally and the notes of what makes it stale are read in one statement, so in one snapshot: a change is either in the
count, and then its note is taken away with it, or in neither, and then the note stays.
"""

from datetime import UTC, datetime, timedelta

from django.db import transaction

from apps.chats.querysets.counted_messages import COUNTS, IS_ANSWER
from apps.chats.querysets.statistics import FIRST_RESPONSE
from apps.chats.querysets.writers import writing_to
from apps.chats.rules.statistics import SETTLED_AFTER, hour_of
from apps.core.database import execute, fetch_one

# The most that one transaction counts.
STEP = timedelta(days=1)
_THE_BEGINNING = datetime(1, 1, 1, tzinfo=UTC)

_LOCK = "INSERT INTO chats_tallyprogress (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 1 RETURNING until"

_WRITERS = writing_to("chats_chat", "chats_message")
_CHECK_WRITERS = f"SELECT seen_at, ARRAY({_WRITERS}) && seen_writing FROM chats_tallyprogress"  # noqa: S608 - of constants
_NOTE_WRITERS = f"UPDATE chats_tallyprogress SET seen_at = now(), seen_writing = ARRAY({_WRITERS})"  # noqa: S608 - of constants

_NEXT_ROW = f"""
SELECT least(min(next.opened_at), min(next.written_at))
FROM accounts_widget w CROSS JOIN LATERAL (
    SELECT (SELECT min(c.created_at) FROM chats_chat c
            WHERE c.widget_id = w.id AND c.created_at >= %(since)s) AS opened_at,
           (SELECT min(m.created_at) FROM chats_message m
            WHERE m.widget_id = w.id AND m.created_at >= %(since)s AND {COUNTS}) AS written_at
) next /* unscoped: every widget */"""  # noqa: S608 - of constants

# The spans of time to count: what is new, and each hour that was noted. Notes of later hours are dropped: those are not
# tallied yet.
_SPANS = """
WITH noted AS (
    DELETE FROM chats_stalehour WHERE kind = '{0}s' RETURNING widget_id, hour
), stale AS (
    SELECT DISTINCT widget_id, hour FROM noted WHERE hour < %(since)s
), cleared AS (
    DELETE FROM chats_{0}tally t USING stale WHERE t.widget_id = stale.widget_id AND t.hour = stale.hour
), span AS (
    SELECT widget_id, hour AS start, hour + interval '1 hour' AS "end" FROM stale
    UNION ALL
    SELECT id, %(since)s, %(until)s FROM accounts_widget WHERE %(since)s::timestamptz < %(until)s::timestamptz
)"""

# Index: chats_chat_counted, once a span.
_TALLY_CHATS = f"""
{_SPANS.format("chat")} /* unscoped: every widget */
INSERT INTO chats_chattally (widget_id, hour, channel, internal, handling, accepted_type, handled_type, chats,
                             answered, waited)
SELECT span.widget_id, counted.* FROM span CROSS JOIN LATERAL (
    SELECT chats_hour_of(c.created_at) AS hour, c.channel, c.internal, c.handling, c.accepted_type,
           c.handled_type, count(*), count(c.accepted_at), coalesce(sum(c.accepted_at - c.created_at), interval '0')
    FROM chats_chat c
    WHERE c.widget_id = span.widget_id AND c.created_at >= span.start AND c.created_at < span."end"
    GROUP BY 1, 2, 3, 4, 5, 6
) counted"""  # noqa: S608 - of constants

# Index: chats_message_counted, once a span.
_TALLY_MESSAGES = f"""
{_SPANS.format("message")} /* unscoped: every widget */
INSERT INTO chats_messagetally (widget_id, hour, messages)
SELECT span.widget_id, counted.* FROM span CROSS JOIN LATERAL (
    SELECT chats_hour_of(m.created_at) AS hour, count(*)
    FROM chats_message m
    WHERE m.widget_id = span.widget_id AND m.created_at >= span.start AND m.created_at < span."end"
      AND {COUNTS}
    GROUP BY 1
) counted"""  # noqa: S608 - of constants

# First answers of the new hours, whenever their chats were opened; and all there are, of the chats of stale hours.
# Indexes: chats_message_counted, chats_chat_counted; then chats_message_in_chat, twice a chat. Without OFFSET the
# planner joins the chats that were answered with all there are.
_TALLY_RESPONSES = f"""
WITH noted AS (
    DELETE FROM chats_stalehour WHERE kind = 'responses' RETURNING widget_id, hour
), stale AS (
    SELECT DISTINCT widget_id, hour FROM noted
), cleared AS (
    DELETE FROM chats_responsetally t USING stale WHERE t.widget_id = stale.widget_id AND t.hour = stale.hour
), answered_chat AS (
    SELECT DISTINCT answers.chat_id FROM accounts_widget w CROSS JOIN LATERAL (
        SELECT m.chat_id FROM chats_message m
        WHERE m.widget_id = w.id AND m.created_at >= %(since)s AND m.created_at < %(until)s
          AND {IS_ANSWER}
    ) answers
    WHERE %(since)s::timestamptz < %(until)s::timestamptz
), opened AS (
    SELECT found.*, %(since)s::timestamptz AS since FROM answered_chat CROSS JOIN LATERAL (
        SELECT c.id, c.widget_id, chats_hour_of(c.created_at) AS hour FROM chats_chat c
        WHERE c.id = answered_chat.chat_id OFFSET 0
    ) found
    WHERE (found.widget_id, found.hour) NOT IN (SELECT widget_id, hour FROM stale)
    UNION ALL
    SELECT again.id, stale.widget_id, stale.hour, '-infinity' FROM stale CROSS JOIN LATERAL (
        SELECT c.id FROM chats_chat c
        WHERE c.widget_id = stale.widget_id AND c.created_at >= stale.hour
          AND c.created_at < stale.hour + interval '1 hour'
    ) again
)
INSERT INTO chats_responsetally (widget_id, hour, answered, waited) /* unscoped: every widget */
SELECT opened.widget_id, opened.hour, count(*), sum(answer.created_at - asked.created_at)
FROM opened {FIRST_RESPONSE}
WHERE answer.created_at >= opened.since AND answer.created_at < %(until)s
GROUP BY opened.widget_id, opened.hour"""  # noqa: S608 - of constants

_MOVE_ON = "UPDATE chats_tallyprogress SET until = %(until)s"


def keep_tallies() -> None:
    """Counts the hours that are settled by now, and recounts those whose rows have changed.

    Hours are settled when they are long over and every transaction that wrote then has ended: what comes later for
    them is noted by the triggers. To run often: what is settled is what an earlier run saw.
    """
    until = _settled_until()
    while not tally_hours(until=until):
        pass


@transaction.atomic
def tally_hours(*, until: datetime | None) -> bool:
    """Counts the next hours, a day of them at most, until a whole hour that is settled; and what is stale, in any case.

    Without `until` it counts no new hours. False when there is more to count.
    """
    since = _lock()
    if since is None:
        if until is None:
            return True
        _start_anew()
        since = _next_hour(_THE_BEGINNING, until)
    until = max(since, until or since)
    end = until if until - since <= STEP else min(until, _next_hour(since, until) + STEP)
    for statement in (_TALLY_CHATS, _TALLY_MESSAGES, _TALLY_RESPONSES, _MOVE_ON):
        execute(statement, {"since": since, "until": end})
    return end == until


def _lock() -> datetime | None:
    """Until when hours are tallied. Another process that tallies waits for the end of this transaction."""
    row = fetch_one(_LOCK, {})
    return row[0] if row else None


def _start_anew() -> None:
    for table in ("chattally", "messagetally", "responsetally"):
        execute(f"DELETE FROM chats_{table} /* unscoped: every widget */", {})  # noqa: S608 - of constants


def _next_hour(since: datetime, until: datetime) -> datetime:
    """The hour of the first chat or message there is since then, else `until`."""
    row = fetch_one(_NEXT_ROW, {"since": since})
    return min(hour_of(row[0]), until) if row and row[0] else until


@transaction.atomic
def _settled_until() -> datetime | None:
    """The end of the last hour that is settled; None while a transaction is open that wrote at the last look."""
    _lock()
    seen_at, is_under_way = fetch_one(_CHECK_WRITERS, {}) or (None, False)
    if is_under_way:
        return None
    execute(_NOTE_WRITERS, {})
    return hour_of(seen_at - SETTLED_AFTER) if seen_at else None
