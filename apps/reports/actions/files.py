"""Files of reports: CSV and workbooks of all that is shown, sent while they are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any, NamedTuple

from apps.accounts.actions.exports import cell, csv_of
from apps.core.files.zipped import zipped
from apps.reports.actions.episodes import caught_up
from apps.reports.actions.reports import low_of, report_of
from apps.reports.errors import TOO_MANY_ROWS
from apps.reports.querysets.lists import all_episodes, count_episodes
from apps.reports.rules.reports import ReportQuery
from apps.reports.rules.tables import EPISODE_COLUMNS, REPORT_COLUMNS, episode_row, report_rows
from apps.reports.rules.workbooks import workbook
from apps.reports.serializers import shown_episode

ROWS, FORMATS = ("report", "episodes"), ("csv", "xlsx")
CONTENT_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
MOST_ROWS = 100_000  # of a workbook


class ReportFile(NamedTuple):
    """A file: its name, its type, and its bytes in pieces."""

    name: str
    content_type: str
    pieces: Iterator[bytes]


def file_of(widget_id: int, query: ReportQuery, rows: str, format: str) -> ReportFile:
    """The file of a report (`rows` "report"), or of the episodes behind its figure (`rows` "episodes").

    Raises TOO_MANY_ROWS (422) of a workbook. Its first rows are read before it is answered.
    """
    if rows == ROWS[0]:
        columns: Sequence[str] = REPORT_COLUMNS
        batches: Iterator[list[list[Any]]] = iter([list(report_rows(report_of(widget_id, query)))])
    else:
        as_of = caught_up(widget_id)
        if format == "xlsx" and count_episodes(widget_id, query, as_of, low=low_of(widget_id)) > MOST_ROWS:
            raise TOO_MANY_ROWS()
        columns, batches = list(EPISODE_COLUMNS), episode_rows(widget_id, query, as_of)
    first = next(batches, [])
    every = chain([[list(columns)], first], batches)
    start, end = (moment.astimezone(query.zone).date() for moment in (query.window.start, query.window.end))
    pieces = zipped(workbook(_cells(every))) if format == "xlsx" else _csv(every)
    return ReportFile(f"{rows}-{start}-{end}.{format}", CONTENT_TYPES[format], pieces)


def episode_rows(widget_id: int, query: ReportQuery, as_of: datetime) -> Iterator[list[list[Any]]]:
    """The lines of the episodes behind a figure, in batches."""
    for rows in all_episodes(widget_id, query, as_of, low=low_of(widget_id)):
        yield [episode_row(shown_episode(row)) for row in rows]


def csv_rows(widget_id: int, query: ReportQuery, as_of: datetime) -> Iterator[list[list[Any]]]:
    """The same lines with the cells of CSV."""
    for rows in episode_rows(widget_id, query, as_of):
        yield [[_csv_cell(value) for value in row] for row in rows]


def _cells(batches: Iterable[list[list[Any]]]) -> Iterator[list[list[Any]]]:
    for rows in batches:
        yield [[cell(value) if isinstance(value, str) else value for value in row] for row in rows]


def _csv(batches: Iterable[list[list[Any]]]) -> Iterator[bytes]:
    begins = True
    for rows in batches:
        yield csv_of([[_csv_cell(value) for value in row] for row in rows], begins=begins)
        begins = False


def _csv_cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return cell(value)
