"""Charts as pages draw them: bars of days, weeks and months, and the hours of a week."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.dates import WEEKDAYS_ABBR
from django.utils.formats import date_format
from django.utils.translation import gettext, pgettext

from apps.reports.cabinet.figures import Lists
from apps.reports.labels import (
    TIME_GROUPS,
    TITLES,
    chats_in_words,
    day_label,
    group_label,
    hour_of_week,
)
from apps.reports.rules.charts import HOURS, WEEKDAYS, ChartBox, bars_of, cells_of, top_of

SHOWN_HOURS = (0, 6, 12, 18)
HEAT = "weekday_hour"


@dataclass(frozen=True, slots=True)
class ShownBar:
    """A bar, its column, its name, and the list that it leads to."""

    name: str
    address: str
    column: ChartBox
    bar: ChartBox
    is_now: bool


@dataclass(frozen=True, slots=True)
class BarChart:
    """A chart of groups of time, or of others by their size."""

    id: str
    title: str
    bars: Sequence[ShownBar]
    lines: Sequence[int]
    first: str
    last: str
    ends_now: bool
    template: str = "reports/bars.html"


@dataclass(frozen=True, slots=True)
class ShownCell:
    """An hour of the week."""

    name: str
    address: str
    level: int
    box: ChartBox


@dataclass(frozen=True, slots=True)
class HeatMap:
    """The hours of a week, the days from Monday down."""

    id: str
    title: str
    days: Sequence[str]
    hours: Sequence[str]
    cells: Sequence[ShownCell]
    template: str = "reports/heat.html"


def chart_of(
    group: str, groups: Sequence[Any], figure: str, lists: Lists, *, now_key: str
) -> BarChart | HeatMap | None:
    """The chart of a report's groups by a count; None where all of them are 0. `now_key` is the group of today."""
    if not any(each.figures[figure].value for each in groups):
        return None
    if group == HEAT:
        return _heat_map({each.key: each.figures[figure] for each in groups}, figure, lists)
    counts = [each.figures[figure] for each in groups]
    values = [count.value for count in counts]
    names = [group_label(group, each.key, each.label) for each in groups]
    bars = [
        ShownBar(_name(name, count.value), lists.of(count.chats), bar.column, bar.bar, each.key == now_key)
        for each, name, count, bar in zip(groups, names, counts, bars_of(values), strict=True)
    ]
    top = top_of(values)
    title = gettext("%(figure)s: %(group)s") % {"figure": TITLES[figure], "group": _by(group)}
    first, last = (end_label(group, groups[place], names[place]) for place in (0, -1))
    return BarChart("report-chart", title, bars, (top, top // 2, 0), first, last, groups[-1].key == now_key)


def _heat_map(counts: Mapping[str, Any], figure: str, lists: Lists) -> HeatMap:
    values = {_hour_of(key): count.value for key, count in counts.items()}
    addresses = {_hour_of(key): lists.of(count.chats) for key, count in counts.items()}
    cells = [
        ShownCell(
            _name(hour_of_week(cell.weekday, cell.hour), cell.value),
            addresses.get((cell.weekday, cell.hour), "") if cell.value else "",
            cell.level,
            cell.box,
        )
        for cell in cells_of(values)
    ]
    title = gettext("%(figure)s: %(group)s") % {"figure": TITLES[figure], "group": _by(HEAT)}
    days = [str(WEEKDAYS_ABBR[weekday - 1]) for weekday in WEEKDAYS]
    return HeatMap("report-chart", title, days, [f"{hour:02}:00" for hour in HOURS if hour in SHOWN_HOURS], cells)


def _hour_of(key: str) -> tuple[int, int]:
    weekday, _dash, hour = key.partition("-")
    return int(weekday), int(hour)


def _name(name: str, count: int) -> str:
    """The name of a bar: "Tue 14:00, 12 chats"."""
    return f"{name}, {chats_in_words(count)}"


def _by(group: str) -> str:
    words = {
        "day": gettext("by day"),
        "week": gettext("by week"),
        "month": gettext("by month"),
        HEAT: gettext("by hour of the week"),
    }
    return words.get(group, gettext("by size"))


def end_label(group: str, given: Any, name: str) -> str:
    """The short label below the first or the last bar."""
    if group not in TIME_GROUPS:
        return name
    if group == "month":
        return day_label(group, given.key)
    return date_format(date.fromisoformat(given.key), pgettext("format of a day", "j M"))
