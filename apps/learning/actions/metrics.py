"""The results of the chats that a version of a text answered: both sides of a comparison by one statement."""

from datetime import datetime

from apps.chats.rules.activities import StepKind
from apps.core.database import fetch_one
from apps.learning.rules.probation import ESCALATES_WITHIN, Metrics, metrics_of

# A chat counts for the version that gave its first shown AI answer of the window. Index: ai_exchange_by_version. It
# was escalated if it was handed over, or a person took it or spoke in it, within a day of that answer.
_METRICS = """
WITH firsts AS (
    SELECT DISTINCT ON (chat_id) chat_id, persona_version, at FROM ai_exchange
    WHERE widget_id = %(widget_id)s AND assistant_id = %(assistant_id)s AND outcome = 'shown'
      AND at >= %(start)s AND at < %(end)s
    ORDER BY chat_id, at, id
), theirs AS (
    SELECT chat_id, at FROM firsts WHERE persona_version = %(version)s
)
SELECT count(*),
       count(*) FILTER (WHERE EXISTS (
           SELECT FROM chats_message m WHERE m.chat_id = t.chat_id AND m.sender_kind = 'agent' AND NOT m.is_internal
              AND m.created_at > t.at AND m.created_at <= t.at + %(within)s
       ) OR EXISTS (
           SELECT FROM chats_chatstep s WHERE s.chat_id = t.chat_id AND s.kind = ANY (%(taken)s)
              AND s.at > t.at AND s.at <= t.at + %(within)s
       )),
       count(r.value), coalesce(sum(r.value), 0)
FROM theirs t LEFT JOIN LATERAL (
    SELECT g.value FROM chats_rating g
    WHERE g.chat_id = t.chat_id AND g.rated_at >= t.at AND g.widget_id = %(widget_id)s
    ORDER BY g.rated_at DESC, g.id DESC LIMIT 1
) r ON true
"""


def metrics_between(*, widget_id: int, assistant_id: int, version: int, start: datetime, end: datetime) -> Metrics:
    """The figures of a version's chats whose first answer is in the window."""
    row = fetch_one(
        _METRICS,
        {
            "widget_id": widget_id,
            "assistant_id": assistant_id,
            "version": version,
            "start": start,
            "end": end,
            "within": ESCALATES_WITHIN,
            "taken": [StepKind.WAITS, StepKind.ACCEPTED, StepKind.ASSIGNED, StepKind.TRANSFERRED],
        },
    )
    assert row is not None  # noqa: S101 - an aggregate has one row
    chats, escalations, ratings, rating_sum = row
    return metrics_of(chats=chats, escalations=escalations, ratings=ratings, rating_sum=int(rating_sum))
