"""The answer of a report: figures with the addresses of their lists, and groups. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from apps.core.parsing.periods import Interval, Window
from apps.reports.rules.figures import COUNTS, PERCENTS, TIMES, CountFigure, rate
from apps.reports.rules.filters import FILTERS, NONE, Value
from apps.reports.rules.reports import GROUPED_BY, HEAT_MAP, TIME_GROUPS, ReportQuery, address
from apps.reports.rules.windows import cut

EPISODES_PATH = "/api/v1/reports/episodes?"
MAX_GROUPS = 100


@dataclass(frozen=True, slots=True)
class Count:
    """How many: out of how many, the share, and the address of their list."""

    value: int
    of: int | None
    rate: float | None
    chats: str


@dataclass(frozen=True, slots=True)
class Times:
    """How many times there are, their percentiles in seconds, the address of their list, and that of the slowest."""

    n: int
    p50: int | None
    p90: int | None
    chats: str
    slowest: str


Figures = Mapping[str, Count | Times]


@dataclass(frozen=True, slots=True)
class ReportGroup:
    """The figures of one key. `query` is the question whose report has the same figures."""

    key: str
    label: str
    figures: Figures
    query: ReportQuery


@dataclass(frozen=True, slots=True)
class Before:
    """The figures of the window before."""

    window: Window
    figures: Figures


@dataclass(frozen=True, slots=True)
class ReportAnswer:
    """The answer to a question, as of a moment. `rest` is how many groups, and episodes of them, are left out."""

    query: ReportQuery
    as_of: datetime
    settled_until: datetime
    kept_days: int | None
    page: str
    figures: Figures
    before: Before | None
    groups: Sequence[ReportGroup]
    overlaps: bool
    rest_groups: int
    rest_episodes: int


def chats_address(query: ReportQuery, figure: str, *, slowest: bool = False) -> str:
    """The address of the list behind a figure of a report."""
    return EPISODES_PATH + address(query, group=None, compare=False, figure=figure, slowest=slowest)


def figures_of(query: ReportQuery, row: Sequence[Any] | None) -> dict[str, Count | Times]:
    """The figures of a row of counts, then of times (`n`, and each of PERCENTS); without a row, of nothing."""
    width = 1 + len(PERCENTS)
    row = row if row is not None else [0] * len(COUNTS) + [0, *[None] * len(PERCENTS)] * len(TIMES)
    values = {each.name: value for each, value in zip(COUNTS, row, strict=False)}
    found: dict[str, Count | Times] = {each.name: _count(query, each, values) for each in COUNTS}
    for place, each in enumerate(TIMES):
        n, p50, p90 = row[len(COUNTS) + place * width :][:width]
        slowest = chats_address(query, each.name, slowest=True)
        found[each.name] = Times(n, p50, p90, chats_address(query, each.name), slowest)
    return found


def _count(query: ReportQuery, figure: CountFigure, values: Mapping[str, int]) -> Count:
    of = None if figure.of is None else values[figure.of]
    value = values[figure.name]
    return Count(value, of, rate(value, of), chats_address(query, figure.name))


def group_keys(query: ReportQuery) -> list[tuple[str, ReportQuery]]:
    """The keys of a group of times, all of them in order, and the question of each."""
    if query.group == HEAT_MAP:
        days, hours = (
            query.filters.get(name) or every for name, every in (("weekday", range(1, 8)), ("hour", range(24)))
        )
        return [
            (f"{day}-{hour:02}", query.narrowed(weekday=(day,), hour=(hour,)))
            for day in range(1, 8)
            for hour in range(24)
            if day in days and hour in hours
        ]
    cuts = cut(query.window, query.zone, Interval(query.group or ""))
    return [(key, replace(query, window=window)) for key, window in cuts]


def key_query(query: ReportQuery, key: str | None) -> ReportQuery:
    """The question of a group that is no time; its key is null where the episodes have none."""
    name = GROUPED_BY[query.group or ""]
    value: Value = key if key is None or not (FILTERS[name].named or name == "rating") else int(key)
    return query.narrowed(**{name: (value,)})


def shown_key(key: str | None) -> str:
    """A key as it is shown."""
    return NONE if key is None else key


def is_of_times(query: ReportQuery) -> bool:
    """Whether its groups are stretches of time, or hours of the week."""
    return query.group == HEAT_MAP or query.group in TIME_GROUPS
