"""Windows of time on a calendar, in which statistics are counted: Moscow's, unless another zone is named. Pure: the
time is an argument.

Source: specification, Endpoints, "Statistics"; docs/adr/0011.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

MOSCOW = ZoneInfo("Europe/Moscow")
TRAILING = timedelta(days=30)
MAX_BUCKETS = 366


class Period(StrEnum):
    """A stretch of the calendar that ends now, but for `yesterday`, which ends at midnight."""

    TODAY = "today"
    YESTERDAY = "yesterday"
    WEEK = "week"
    MONTH = "month"


class Interval(StrEnum):
    """How long a bucket of a time series is: a day, a week from Monday, a month from the 1st."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class Window:
    """From `start` (inclusive) to `end` (exclusive), both in UTC and `start` not after `end`."""

    start: datetime
    end: datetime

    def __post_init__(self) -> None:
        if self.start > self.end:
            raise StartsAfterEnd


class StartsAfterEnd(ValueError):
    """A window would end before it starts."""


class TooManyBuckets(ValueError):
    """A window holds more than MAX_BUCKETS buckets."""


def in_moscow(moment: datetime) -> datetime:
    """The same moment, with Moscow's offset at that time."""
    return moment.astimezone(MOSCOW)


def window_of(
    *, now: datetime, start: datetime | None = None, end: datetime | None = None, period: Period | None = None
) -> Window:
    """The window that is meant: a period's, or from `start` to `end`.

    Without an end it ends now; without a start it is the trailing 30 days. Raises StartsAfterEnd, also for a lone
    `start` that is still to come.
    """
    if period is not None:
        return _window_of_period(period, now)
    end = now if end is None else end
    return Window(end - TRAILING if start is None else start, end)


def _window_of_period(period: Period, now: datetime) -> Window:
    today = in_moscow(now).date()
    if period is Period.YESTERDAY:
        return Window(_day_begins(today - timedelta(days=1)), _day_begins(today))
    first_days = {
        Period.TODAY: today,
        Period.WEEK: _first_day(today, Interval.WEEK),
        Period.MONTH: _first_day(today, Interval.MONTH),
    }
    return Window(_day_begins(first_days[period]), now)


def buckets(window: Window, interval: Interval, zone: ZoneInfo = MOSCOW) -> list[Window]:
    """The window cut at the zone's midnights, Mondays or firsts of months; the first and last bucket may be shorter.

    They follow each other without a gap, from the window's start to its end; an empty window has none. Raises
    TooManyBuckets.
    """
    found: list[Window] = []
    start = window.start
    for end in _boundaries(window.start, interval, zone):
        if start >= window.end:
            break
        if len(found) == MAX_BUCKETS:
            raise TooManyBuckets
        found.append(Window(start, min(end, window.end)))
        start = end
    return found


def _boundaries(after: datetime, interval: Interval, zone: ZoneInfo) -> Iterator[datetime]:
    """The starts of the intervals that follow the one a moment lies in."""
    day = _first_day(after.astimezone(zone).date(), interval)
    while True:
        day = _next_first_day(day, interval)
        yield _day_begins(day, zone)


def _first_day(day: date, interval: Interval) -> date:
    if interval is Interval.WEEK:
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if interval is Interval.MONTH else day


def _next_first_day(day: date, interval: Interval) -> date:
    if interval is Interval.MONTH:
        return (day + timedelta(days=31)).replace(day=1)
    return day + timedelta(days=7 if interval is Interval.WEEK else 1)


def _day_begins(day: date, zone: ZoneInfo = MOSCOW) -> datetime:
    """The first moment of a day in a zone, not always its midnight: in Moscow on 1 April 1981 there was none."""
    return datetime.combine(day, time(), zone).astimezone(UTC)
