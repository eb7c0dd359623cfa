"""Reads the episodes behind a figure, newest opened first, each as it is at a moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from apps.core.database import fetch_all, fetch_one
from apps.reports.querysets.hours import HOURS
from apps.reports.querysets.view import DEPARTMENT, ENDED_BY, IS_DURABLE, EpisodeView
from apps.reports.rules.figures import FIGURES, SLOW, CountFigure, TimeFigure
from apps.reports.rules.reports import ReportQuery

# The place of an episode in its list: its opening, then its number.
Place = tuple[datetime, int]

_ENDED = "CASE WHEN e.ended_from <= %(as_of)s THEN e.{column} END"
# Columns of a row beside those that figures are counted of.
_COLUMNS = {
    "chat_id": "e.chat_id",
    "contact_id": "(SELECT c.guid FROM chats_contact c WHERE c.widget_id = e.widget_id AND c.id = e.contact_id)",
    "channel": "e.channel",
    "department_id": DEPARTMENT,
    "language": "e.language",
    "page": "e.page",
    "opened_by": "e.opened_by",
    "first_reply_at": "e.first_reply_at",
    "first_reply_kind": "e.first_reply_kind",
    "person_reply_at": "e.person_reply_at",
    "handed_over_at": "e.handed_over_at",
    "handed_over_reason": "e.handed_over_reason",
    "ended_at": _ENDED.format(column="ended_at"),
    "ended_by": ENDED_BY,
    "ended_by_agent_id": _ENDED.format(column="ended_by_agent_id"),
    "reopened_at": _ENDED.format(column="reopened_at"),
    "is_durable": IS_DURABLE,
    "asked_at": "e.asked_at",
    "rated_at": "e.rated_at",
    "agents": "e.agents",
    "assistants": "e.assistants",
    "messages_visitor": "e.messages_visitor",
    "messages_person": "e.messages_person",
    "messages_ai": "e.messages_ai",
}
_OWN = (
    *("id", "opened_at", "outcome", "first_reply_seconds", "first_reply_agent_id", "person_reply_seconds"),
    *("person_reply_agent_id", "longest_wait_s", "rating_value", "given_kind", "rating_agent_id"),
)
_READ = (*_COLUMNS, *_OWN)
_ROWS_AT_ONCE = 1_000


def read_episodes(
    widget_id: int,
    query: ReportQuery,
    as_of: datetime,
    *,
    after: Place | None = None,
    ids: Sequence[int] | None = None,
    low: int,
    limit: int,
) -> list[dict[str, Any]]:
    """At most so many episodes behind a place of the list; all columns, by name. With `ids`, those of the list."""
    if ids is None and _is_compared(query):
        ids = _numbers(widget_id, query, as_of, low, after=after, limit=limit)
        after = None
    view = EpisodeView(widget_id, query, as_of, low, [query.window])
    view.parameters["limit"] = limit
    more = _behind(view, after)
    if ids is not None:
        query = query.episodes
        more.append("v.id = ANY(%(ids)s::bigint[])")
        view.parameters["ids"] = list(ids)
    sql = f"""
{_listed(view, query, **_COLUMNS)} SELECT {", ".join(f"v.{name}" for name in _READ)} FROM listed v
WHERE {" AND ".join(["true", *more])} ORDER BY v.opened_at DESC, v.id DESC LIMIT %(limit)s"""  # noqa: S608
    return [dict(zip(_READ, row, strict=True)) for row in fetch_all(sql, view.parameters)]


def count_episodes(widget_id: int, query: ReportQuery, as_of: datetime, *, low: int) -> int:
    """How many episodes the list has."""
    view = EpisodeView(widget_id, query, as_of, low, [query.window])
    row = fetch_one(f"{_listed(view, query)} SELECT count(*) FROM listed", view.parameters)  # noqa: S608
    return int(row[0]) if row else 0


def all_episodes(widget_id: int, query: ReportQuery, as_of: datetime, *, low: int) -> Iterator[list[dict[str, Any]]]:
    """The whole list, in batches.

    A list that is found by comparing its episodes with each other is found once, and read by their numbers.
    """
    if _is_compared(query):
        ids = _numbers(widget_id, query, as_of, low)
        for place in range(0, len(ids), _ROWS_AT_ONCE):
            chosen = ids[place : place + _ROWS_AT_ONCE]
            yield read_episodes(widget_id, query, as_of, ids=chosen, low=low, limit=_ROWS_AT_ONCE)
        return
    after: Place | None = None
    while True:
        rows = read_episodes(widget_id, query, as_of, after=after, low=low, limit=_ROWS_AT_ONCE)
        if rows:
            yield rows
            after = (rows[-1]["opened_at"], rows[-1]["id"])
        if len(rows) < _ROWS_AT_ONCE:
            return


def _is_compared(query: ReportQuery) -> bool:
    """Whether the episodes of a list are found by comparing them with each other."""
    return query.figure == "people" or query.slowest


def _behind(view: EpisodeView, after: Place | None) -> list[str]:
    """The condition on rows `v` that stand behind a place."""
    if after is None:
        return []
    view.parameters |= {"after_at": after[0], "after_id": after[1]}
    return ["(v.opened_at, v.id) < (%(after_at)s, %(after_id)s)"]


def _numbers(
    widget_id: int,
    query: ReportQuery,
    as_of: datetime,
    low: int,
    *,
    after: Place | None = None,
    limit: int | None = None,
) -> list[int]:
    """The numbers of a list's episodes, in its order: at most so many behind a place."""
    view = EpisodeView(widget_id, query, as_of, low, [query.window])
    view.parameters["limit"] = limit
    where = " AND ".join(["true", *_behind(view, after)])
    sql = f"""
{_listed(view, query)} SELECT v.id FROM listed v
WHERE {where} ORDER BY v.opened_at DESC, v.id DESC LIMIT %(limit)s"""  # noqa: S608
    return [row[0] for row in fetch_all(sql, view.parameters)]


def _listed(view: EpisodeView, query: ReportQuery, **columns: str) -> str:
    """Common table expressions whose last, `listed`, has the episodes of the query's figure."""
    figure = FIGURES[query.figure or "episodes"]
    hours = f"{HOURS}, " if view.is_open_clock else ""
    seen = f"SELECT * FROM (SELECT {view.seen()} FROM b) v WHERE {view.rated()} AND {figure.where}"  # noqa: S608
    by_set = ""
    if isinstance(figure, CountFigure) and figure.by_person:
        seen, by_set = (
            f"{seen}",
            ("SELECT DISTINCT ON (s.person_id) s.* FROM seen s ORDER BY s.person_id, s.opened_at DESC, s.id DESC"),
        )
    elif isinstance(figure, TimeFigure) and query.slowest:
        by_set = f"""
    SELECT s.* FROM seen s WHERE s.{figure.column} >= (
        SELECT percentile_disc({SLOW / 100}) WITHIN GROUP (ORDER BY p.{figure.column}) FROM seen p)"""  # noqa: S608
    return f"""WITH {hours}b AS (
    {view.source(**columns)}
), seen AS ({seen}), listed AS ({by_set or "SELECT * FROM seen"})"""  # noqa: S608
