"""The question that a report answers: a window in a zone, a clock, a group, filters; and its address. Pure.

These are the parameters of `GET /v1/reports`, `/v1/reports/episodes` and `/v1/reports/export`, and of the cabinet's
pages.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Self
from urllib.parse import urlencode
from zoneinfo import ZoneInfo, available_timezones

from apps.core.endpoints.windows import parse_moment
from apps.core.parsing.periods import Interval, Period, TooManyBuckets, Window
from apps.reports.rules.figures import FIGURES, TimeFigure
from apps.reports.rules.filters import FILTERS, BadValue, Value, read_values, written
from apps.reports.rules.windows import MAX_DAYS, cut, is_too_long, window_of

CLOCKS = ("always", "open")
TIME_GROUPS = tuple(str(each) for each in Interval)
HEAT_MAP = "weekday_hour"
OVERLAPPING = ("agent", "assistant", "tag")
# The filter of each group, whose values are its keys.
GROUPED_BY: Mapping[str, str] = {
    "channel": "channel",
    "department": "department_id",
    "assistant": "assistant_id",
    "agent": "agent_id",
    "tag": "tag",
    "language": "language",
    "page": "page",
    "handover": "handover",
    "outcome": "outcome",
    "ended_by": "ended_by",
    "rating": "rating",
}
GROUPS = (*TIME_GROUPS, HEAT_MAP, *GROUPED_BY)
BEFORE = "before"

# The parameters of a window and its filters, of a report, and of a list of episodes.
SHARED = ("from", "to", "period", "zone", "clock", *FILTERS)
OF_REPORT = (*SHARED, "group", "compare")
OF_EPISODES = (*SHARED, "figure", "slowest")


class QueryRefused(ValueError):
    """The refusals of parameters, by name."""

    def __init__(self, errors: dict[str, list[str]]) -> None:
        super().__init__(str(errors))
        self.errors = errors


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportQuery:
    """A report's question. `figure` and `slowest` narrow its list of episodes to those behind a figure."""

    window: Window
    zone: ZoneInfo
    clock: str = "always"
    group: str | None = None
    compare: bool = False
    filters: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    figure: str | None = None
    slowest: bool = False

    def narrowed(self, **filters: tuple[Value, ...]) -> Self:
        """With these filters in place of those of their names."""
        return replace(self, filters={**self.filters, **filters})

    @property
    def episodes(self) -> Self:
        """The question for all of its episodes."""
        return replace(self, group=None, compare=False, figure=None, slowest=False)


def address(query: ReportQuery, **changes: Any) -> str:
    """The query string of a question, one for each; `changes` are fields of it in place of its own."""
    query = replace(query, **changes)
    start, end = (moment.astimezone(query.zone) for moment in (query.window.start, query.window.end))
    pairs = [("from", start.isoformat()), ("to", end.isoformat()), ("zone", query.zone.key)]
    if query.clock != CLOCKS[0]:
        pairs.append(("clock", query.clock))
    if query.group is not None:
        pairs.append(("group", query.group))
    if query.compare:
        pairs.append(("compare", BEFORE))
    pairs += [(name, written(query.filters[name])) for name in FILTERS if name in query.filters]
    if query.figure is not None:
        pairs.append(("figure", query.figure))
    if query.slowest:
        pairs.append(("slowest", "1"))
    return urlencode(pairs)


def parsed(
    params: Mapping[str, str],
    *,
    now: datetime,
    zone: ZoneInfo,
    takes: Collection[str],
    groups: tuple[str, ...] = GROUPS,
) -> ReportQuery:
    """The question that parameters ask; `zone` is the widget's, `takes` and `groups` are those that there are.

    Raises QueryRefused. Whether the named rows are there is not looked at (`querysets/known.py`).
    """
    reader = _ParameterReader(params, takes)
    named = reader.zone(zone)
    query = ReportQuery(
        window=reader.window(now, named),
        zone=named,
        clock=reader.choice("clock", CLOCKS) or CLOCKS[0],
        group=reader.choice("group", groups),
        compare=reader.choice("compare", (BEFORE,)) is not None,
        filters=reader.filters(),
        figure=reader.choice("figure", tuple(FIGURES)),
        slowest=reader.slowest(),
    )
    if query.group in TIME_GROUPS and not reader.errors:
        try:
            cut(query.window, query.zone, Interval(query.group))
        except TooManyBuckets:
            reader.refuse("group", "At most 366 groups: shorten the window, or take longer ones.")
    if reader.errors:
        raise QueryRefused(reader.errors)
    return query


class _ParameterReader:
    """Reads parameters one by one, and keeps the refusals."""

    def __init__(self, params: Mapping[str, str], takes: Collection[str]) -> None:
        self.params, self.errors = params, dict[str, list[str]]()
        for name in params:
            if name not in takes:
                self.refuse(name, "There is no such query parameter.")

    def refuse(self, name: str, message: str) -> None:
        self.errors.setdefault(name, [message])

    def choice(self, name: str, choices: tuple[str, ...]) -> str | None:
        given = self.params.get(name)
        if given is not None and given not in choices:
            self.refuse(name, f"This is none of {', '.join(choices)}.")
            return None
        return given

    def zone(self, zone: ZoneInfo) -> ZoneInfo:
        given = self.params.get("zone")
        if given is None:
            return zone
        if given not in available_timezones():
            self.refuse("zone", "There is no such time zone. Example: Europe/Berlin.")
            return zone
        return ZoneInfo(given)

    def window(self, now: datetime, zone: ZoneInfo) -> Window:
        period = self.choice("period", tuple(Period))
        start, end = (self._moment(name, zone) for name in ("from", "to"))
        if period is not None and ("from" in self.params or "to" in self.params):
            self.refuse("period", "Send a `period`, or `from` and `to`, not both.")
        if start is not None and end is not None and start > end:
            self.refuse("to", "`to` must not be before `from`.")
        none = Window(now, now)
        if self.errors.keys() & {"period", "from", "to"}:
            return none
        window = window_of(now=now, zone=zone, start=start, end=end, period=Period(period) if period else None)
        if window is None:
            self.refuse("from", "`from` is still to come, and without `to` the window ends now.")
            return none
        if is_too_long(window, zone):
            self.refuse("from", f"At most {MAX_DAYS} days before `to`.")
            return none
        return window

    def _moment(self, name: str, zone: ZoneInfo) -> datetime | None:
        given = self.params.get(name)
        moment = None if given is None else parse_moment(given, zone)
        if given is not None and moment is None:
            self.refuse(
                name, "This is no date-time. Example: 2026-11-21T13:45:00+03:00, or 2026-11-21 for its midnight."
            )
        return moment

    def filters(self) -> dict[str, tuple[Value, ...]]:
        found = {}
        for name, each in FILTERS.items():
            if name in self.params:
                try:
                    found[name] = read_values(each, self.params[name])
                except BadValue as refusal:
                    self.refuse(name, str(refusal))
        return found

    def slowest(self) -> bool:
        if "slowest" not in self.params or self.choice("slowest", ("1",)) is None:
            return False
        figure = FIGURES.get(self.params.get("figure", ""))
        if not isinstance(figure, TimeFigure):
            self.refuse("slowest", "Only a figure of times has slowest ones: name it as `figure`.")
        return True
