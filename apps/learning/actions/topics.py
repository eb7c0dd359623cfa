"""Reading demand signals: topics of a window, the most frequent first."""

import json
from typing import Any

from apps.core.database import fetch_all
from apps.core.parsing.periods import Window, in_moscow
from apps.learning.rules.demand import SAMPLES
from apps.learning.rules.states import DemandCategory

# Index: learning_signal_window, for both windows; the samples are read of the topics shown alone.
_TOPICS = """
WITH counted AS (
    SELECT topic_id, category, count(*) FILTER (WHERE at >= %(start)s) AS count,
           count(DISTINCT chat_id) FILTER (WHERE at >= %(start)s) AS chats,
           count(*) FILTER (WHERE at < %(start)s) AS previous,
           min(at) FILTER (WHERE at >= %(start)s) AS first, max(at) FILTER (WHERE at >= %(start)s) AS last
    FROM learning_demandsignal
    WHERE widget_id = %(widget_id)s AND at >= %(before)s AND at < %(end)s
    GROUP BY topic_id, category
), totals AS (
    SELECT coalesce(jsonb_object_agg(category, n), '{}') AS told
    FROM (SELECT category, sum(count) AS n FROM counted GROUP BY category) by_category
), shown AS (
    SELECT * FROM counted WHERE count > 0 AND (%(category)s::text IS NULL OR category = %(category)s)
    ORDER BY count DESC, last DESC, topic_id DESC LIMIT %(limit)s
)
SELECT totals.told::text, shown.category, t.topic, shown.count, shown.chats, shown.previous, shown.first, shown.last,
       (SELECT array_agg(question ORDER BY newest DESC) FROM (
            SELECT question, max(id) AS newest FROM learning_demandsignal s
            WHERE s.topic_id = shown.topic_id AND s.at >= %(start)s AND s.at < %(end)s
            GROUP BY question ORDER BY newest DESC LIMIT %(samples)s
       ) newest)
FROM totals LEFT JOIN shown ON true
LEFT JOIN learning_demandtopic t ON t.id = shown.topic_id AND t.widget_id = %(widget_id)s
ORDER BY shown.count DESC, shown.last DESC, shown.topic_id DESC"""


def demand_of(*, widget_id: int, window: Window, category: str | None, limit: int) -> dict[str, Any]:
    """The unmet demand of visitors in a window, by topic; one statement."""
    rows = fetch_all(
        _TOPICS,
        {
            "widget_id": widget_id,
            "start": window.start,
            "end": window.end,
            "before": window.start - (window.end - window.start),
            "category": category,
            "limit": limit,
            "samples": SAMPLES,
        },
    )
    totals = json.loads(rows[0][0])
    return {
        "from": in_moscow(window.start),
        "to": in_moscow(window.end),
        "totals": {one.value: totals.get(one.value, 0) for one in DemandCategory},
        "signals": [_signal(row) for row in rows if row[1] is not None],
    }


def _signal(row: Any) -> dict[str, Any]:
    _, category, topic, count, chats, previous, first, last, samples = row
    return {
        "category": category,
        "topic": topic,
        "count": count,
        "chats": chats,
        "previous_count": previous,
        "samples": samples,
        "first_seen_at": first,
        "last_seen_at": last,
    }
