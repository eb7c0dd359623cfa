"""Answers questions: the rows that were stored before are derived first, then they are read."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from django.db import transaction

from apps.core.database import fetch_one
from apps.core.endpoints.paging import read_cursor, write_cursor
from apps.core.observability import metrics
from apps.reports.actions.episodes import caught_up
from apps.reports.querysets.lists import count_episodes, read_episodes
from apps.reports.querysets.reports import read_report
from apps.reports.rules.answers import ReportAnswer
from apps.reports.rules.reports import ReportQuery
from apps.reports.serializers import shown_episode
from apps.reports.settings import policy_of

# Rows of a report that are sorted and hashed without a file: 100,000 episodes take 25 MB.
_WORK_MEMORY = "64MB"


class EpisodePage(NamedTuple):
    """Episodes as REST answers them, newest opened first, and the cursor of the next page."""

    rows: list[dict[str, Any]]
    next_cursor: str | None


def report_of(widget_id: int, query: ReportQuery) -> ReportAnswer:
    """The report of this moment."""
    began = time.perf_counter()
    as_of, low = caught_up(widget_id), low_of(widget_id)
    with transaction.atomic():
        fetch_one("SELECT set_config('work_mem', %(memory)s, true)", {"memory": _WORK_MEMORY})
        report = read_report(widget_id, query, as_of, low=low)
    metrics.REPORTS.observe(time.perf_counter() - began)
    return report


def episodes_page(widget_id: int, query: ReportQuery, cursor: str | None, limit: int) -> EpisodePage:
    """A page of the list behind the question's figure. Raises INVALID_INPUT (422) on a cursor of another list."""
    name = f"reports.episodes:{widget_id}"
    after: Any = read_cursor(name, cursor)
    rows = read_episodes(widget_id, query, caught_up(widget_id), after=after, low=low_of(widget_id), limit=limit + 1)
    shown = rows[:limit]
    last = shown[-1] if len(rows) > limit else None
    next_cursor = None if last is None else write_cursor(name, (last["opened_at"], last["id"]))
    return EpisodePage([shown_episode(row) for row in shown], next_cursor)


def count_of(widget_id: int, query: ReportQuery) -> int:
    """How many episodes that list has."""
    return count_episodes(widget_id, query, caught_up(widget_id), low=low_of(widget_id))


def low_of(widget_id: int) -> int:
    """Up to which value a rating is low."""
    return policy_of(widget_id).low
