"""Reading demand signals: topics of a window, the most frequent first."""

import json
from typing import Any

from apps.articles.questions import AskedTopic
from apps.core.database import fetch_all
from apps.core.parsing.periods import Window, in_moscow
from apps.learning.rules.demand import SAMPLES
from apps.learning.rules.states import DemandCategory
from apps.learning.serializers.demand import DemandSignalSerializer

# In which language the newest question of a topic was written, where that is known. Index: learning_signal_of_topic.
_LANGUAGE = """(
    SELECT (SELECT m.language FROM chats_message m WHERE m.id = s.burst_id AND m.widget_id = %(widget_id)s)
    FROM learning_demandsignal s WHERE s.topic_id = {topics}.topic_id AND s.widget_id = %(widget_id)s
    ORDER BY s.at DESC, s.id DESC LIMIT 1
)"""
# Index: learning_signal_window, for both windows; samples and languages are read of the topics shown alone.
_TOPICS = f"""
WITH counted AS (
    SELECT topic_id, category, count(*) FILTER (WHERE at >= %(start)s) AS count,
           count(DISTINCT chat_id) FILTER (WHERE at >= %(start)s) AS chats,
           count(*) FILTER (WHERE at < %(start)s) AS previous,
           min(at) FILTER (WHERE at >= %(start)s) AS first, max(at) FILTER (WHERE at >= %(start)s) AS last
    FROM learning_demandsignal
    WHERE widget_id = %(widget_id)s AND at >= %(before)s AND at < %(end)s
      AND (%(topic_id)s::bigint IS NULL OR topic_id = %(topic_id)s)
    GROUP BY topic_id, category
), totals AS (
    SELECT coalesce(jsonb_object_agg(category, n), '{{}}') AS told
    FROM (SELECT category, sum(count) AS n FROM counted GROUP BY category) by_category
), shown AS (
    SELECT * FROM counted WHERE count > 0 AND (%(category)s::text IS NULL OR category = %(category)s)
      AND (%(lang)s::text IS NULL OR {_LANGUAGE.format(topics="counted")} = %(lang)s)
    ORDER BY count DESC, last DESC, topic_id DESC LIMIT %(limit)s
)
SELECT totals.told::text, shown.topic_id, shown.category, t.topic, {_LANGUAGE.format(topics="shown")},
       shown.count, shown.chats, shown.previous,
       (SELECT array_agg(question ORDER BY newest DESC) FROM (
            SELECT question, max(id) AS newest FROM learning_demandsignal s
            WHERE s.topic_id = shown.topic_id AND s.at >= %(start)s AND s.at < %(end)s
            GROUP BY question ORDER BY newest DESC LIMIT %(samples)s
       ) newest),
       shown.first, shown.last
FROM totals LEFT JOIN shown ON true
LEFT JOIN learning_demandtopic t ON t.id = shown.topic_id AND t.widget_id = %(widget_id)s
ORDER BY shown.count DESC, shown.last DESC, shown.topic_id DESC"""  # noqa: S608 - of constants


def topics_of(
    *,
    widget_id: int,
    window: Window,
    limit: int,
    category: str | None = None,
    lang: str | None = None,
    topic_id: int | None = None,
) -> tuple[dict[str, int], list[AskedTopic]]:
    """How often each category was asked in a window, and its topics, the most frequent first; one statement."""
    rows = fetch_all(
        _TOPICS,
        {
            "widget_id": widget_id,
            "start": window.start,
            "end": window.end,
            "before": window.start - (window.end - window.start),
            "category": category,
            "lang": lang,
            "topic_id": topic_id,
            "limit": limit,
            "samples": SAMPLES,
        },
    )
    return json.loads(rows[0][0]), [AskedTopic(*row[1:]) for row in rows if row[1] is not None]


def demand_of(*, widget_id: int, window: Window, category: str | None, limit: int) -> dict[str, Any]:
    """The unmet demand of visitors in a window, by topic; one statement."""
    totals, topics = topics_of(widget_id=widget_id, window=window, category=category, limit=limit)
    return {
        "from": in_moscow(window.start),
        "to": in_moscow(window.end),
        "totals": {one.value: totals.get(one.value, 0) for one in DemandCategory},
        "signals": [_signal(topic) for topic in topics],
    }


def _signal(topic: AskedTopic) -> dict[str, Any]:
    told = topic._asdict()
    return {name: told[name] for name in DemandSignalSerializer().get_fields()}
