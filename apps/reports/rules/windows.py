"""Windows of reports: read and cut by the clocks of a time zone, over the nights in which these change. Pure."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from apps.core.parsing.periods import Interval, Period, Window, buckets

MAX_DAYS = 1_100
TRAILING = timedelta(days=30)  # as `/v1/stats`
_DAY = timedelta(days=1)


def window_of(
    *, now: datetime, zone: ZoneInfo, start: datetime | None, end: datetime | None, period: Period | None
) -> Window | None:
    """The window that is meant: a period of the zone's calendar, or from `start` to `end`.

    Without an end it ends now; without a start it is the trailing 30 days. None where it would end before it starts:
    a lone `start` that is still to come.
    """
    if period is not None:
        return _window_of_period(period, now, zone)
    end = now if end is None else end
    start = end - TRAILING if start is None else start
    return Window(start, end) if start <= end else None


def _window_of_period(period: Period, now: datetime, zone: ZoneInfo) -> Window:
    today = now.astimezone(zone).date()
    if period is Period.YESTERDAY:
        return Window(day_begins(today - _DAY, zone), day_begins(today, zone))
    first_days = {
        Period.TODAY: today,
        Period.WEEK: today - timedelta(days=today.weekday()),
        Period.MONTH: today.replace(day=1),
    }
    return Window(day_begins(first_days[period], zone), now)


def day_begins(day: date, zone: ZoneInfo) -> datetime:
    """The first moment of a day in a zone, not always its midnight: some clocks skip that."""
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


def is_too_long(window: Window, zone: ZoneInfo) -> bool:
    """Whether it is longer than MAX_DAYS days of the zone's calendar."""
    first, last = (moment.astimezone(zone).replace(tzinfo=None) for moment in (window.start, window.end))
    return last - first > timedelta(days=MAX_DAYS) < window.end - window.start


def window_before(window: Window, zone: ZoneInfo) -> Window:
    """The window that ends where this one begins: as many days where both of its ends are midnights, else as long."""
    first, last = (moment.astimezone(zone).date() for moment in (window.start, window.end))
    if (window.start, window.end) == (day_begins(first, zone), day_begins(last, zone)):
        return Window(day_begins(first - (last - first), zone), window.start)
    return Window(window.start - (window.end - window.start), window.start)


def cut(window: Window, zone: ZoneInfo, interval: Interval) -> list[tuple[str, Window]]:
    """The days, weeks or months of a window by their keys, in order, without a gap. Raises TooManyBuckets."""
    return [(_key(each.start.astimezone(zone).date(), interval), each) for each in buckets(window, interval, zone)]


def _key(day: date, interval: Interval) -> str:
    if interval is Interval.MONTH:
        return day.strftime("%Y-%m")
    return (day - timedelta(days=day.weekday() if interval is Interval.WEEK else 0)).isoformat()


def offsets(window: Window, zone: ZoneInfo) -> list[tuple[datetime, int]]:
    """By how many seconds the zone's clocks are ahead of UTC in a window: each with the moment from which it holds."""
    found = [(window.start, _offset(window.start, zone))]
    for before, after in pairwise(_daily(window)):
        if (ahead := _offset(after, zone)) != found[-1][1]:
            found.append((_change(before, after, zone), ahead))
    return found


def _daily(window: Window) -> Iterator[datetime]:
    at = window.start
    while at < window.end:
        yield at
        at += _DAY
    yield window.end


def _change(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """The second in which the clocks change between two moments."""
    old, low, high = _offset(before, zone), int(before.timestamp()), int(after.timestamp()) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if _offset(datetime.fromtimestamp(middle, UTC), zone) == old:
            low = middle
        else:
            high = middle
    return datetime.fromtimestamp(high, UTC)


def _offset(moment: datetime, zone: ZoneInfo) -> int:
    ahead = moment.astimezone(zone).utcoffset()
    return int(ahead.total_seconds()) if ahead is not None else 0
