"""When a department or a widget is open: weeks with nights and breaks, and dates with other hours. Pure.

All who ask whether it is open, until when, or how many minutes it was, ask `OpenHours`. Times are real: a begin that
the clocks skip is when they go on, and an hour that comes twice is open twice.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from apps.agents.rules.holidays import DaysOff

HORIZON_DAYS = 400  # so far an opening or a closing is looked for
DAY_MINUTES = 24 * 60
_EPOCH = date(1970, 1, 1).toordinal()
_DAY_S = 86_400

# Minutes of the clock since the 00:00 of the day on which it begins; an end beyond DAY_MINUTES is on the next day.
Period = tuple[int, int]
# The periods that begin on each day, Monday first.
Week = Sequence[Sequence[Period]]
# Seconds since 1970, UTC: open from the first one on, closed from the second one on.
Span = tuple[int, int]

ALWAYS: Week = (((0, DAY_MINUTES),),) * 7


@dataclass(frozen=True, slots=True)
class OtherHours:
    """The periods that begin on dates of their own, none where it is closed, and the words for visitors."""

    days: DaysOff
    periods: tuple[Period, ...] = ()
    text: str = ""


class DatedHours(NamedTuple):
    """The hours of one date in place of the week's: none where it is closed."""

    day: date
    periods: tuple[Period, ...]
    text: str


class HoursNow(NamedTuple):
    """The state at a moment. `opens_at` is None while it is open; both are None beyond HORIZON_DAYS."""

    is_open: bool
    opens_at: datetime | None
    closes_at: datetime | None
    source: str  # "week" or "exception"
    text: str | None
    time_zone: str


@dataclass(slots=True)
class Calendar:
    """A week in a time zone, and the dates on which other hours hold.

    `others` come in the order in which they are asked: the first that is on a date holds.
    """

    week: Week
    zone: ZoneInfo
    others: Sequence[OtherHours] = ()
    _years: dict[int, dict[date, OtherHours]] = field(default_factory=dict)

    def other_hours(self, day: date) -> OtherHours | None:
        """The hours in place of the week's for all that begins on a date; None where the week holds."""
        if not self.others:
            return None
        if day.year not in self._years:
            self._years[day.year] = _dates_of(self.others, day.year)
        return self._years[day.year].get(day)

    def periods(self, day: date) -> Sequence[Period]:
        """The periods that begin on a date."""
        other = self.other_hours(day)
        return self.week[day.weekday()] if other is None else other.periods

    def spans(self, first: date, last: date) -> Iterator[Span]:
        """The periods that begin from one date to another, by their begin."""
        offsets = [_offset(self.zone, first + timedelta(days=each)) for each in (0, 1)]
        day = first
        while day <= last:
            offsets.append(_offset(self.zone, day + timedelta(days=2)))
            periods = self.periods(day)
            if periods:
                start = (day.toordinal() - _EPOCH) * _DAY_S - offsets[0]
                is_even = offsets[0] == offsets[2]
                for begin, end in periods:
                    if is_even:
                        yield start + begin * 60, start + end * 60
                    else:
                        yield _instant(self.zone, day, begin, fold=0), _instant(self.zone, day, end, fold=1)
            offsets.pop(0)
            day += timedelta(days=1)

    def is_always_open(self, since: datetime, until: datetime) -> bool:
        """Whether that needs no counting: all days are whole, and no date has other hours."""
        first, last = (moment.astimezone(self.zone).date() for moment in (since, until))
        return self.week == ALWAYS and not any(
            any(other.days.times_between(first - timedelta(days=1), last)) for other in self.others
        )

    def holding(self, at: datetime) -> tuple[bool, OtherHours | None]:
        """Whether it is open at a moment, and the other hours that hold then: a night is of the date it began on."""
        seconds, today = at.timestamp(), at.astimezone(self.zone).date()
        for day in (today, today - timedelta(days=1)):
            if any(begin <= seconds < end for begin, end in self.spans(day, day)):
                return True, self.other_hours(day)
        return False, self.other_hours(today)


@dataclass(frozen=True, slots=True)
class OpenHours:
    """Open while one of some calendars is. The moments that it tells are in UTC, where two of them can be compared."""

    calendars: tuple[Calendar, ...]

    def is_open(self, at: datetime) -> bool:
        return any(calendar.holding(at)[0] for calendar in self.calendars)

    def opens_at(self, at: datetime) -> datetime | None:
        """When it opens next; None while it is open, and where it stays closed for HORIZON_DAYS."""
        seconds = at.timestamp()
        for begin, end in self.spans(at, at + timedelta(days=HORIZON_DAYS)):
            if begin <= seconds < end:
                return None
            if begin > seconds:
                return self._moment(begin)
        return None

    def closes_at(self, at: datetime) -> datetime | None:
        """When it closes next, nights and joined days as one; None where it does not within HORIZON_DAYS."""
        last = at + timedelta(days=HORIZON_DAYS)
        if any(calendar.is_always_open(at, last) for calendar in self.calendars):
            return None
        for _, end in self.spans(at, last):
            if end > at.timestamp():
                return self._moment(end) if end < last.timestamp() else None
        return None

    def now(self, at: datetime) -> HoursNow:
        """The state at a moment, whole."""
        holding = [calendar.holding(at) for calendar in self.calendars]
        is_open = any(opened for opened, _ in holding)
        told = [
            (calendar, other)
            for calendar, (opened, other) in zip(self.calendars, holding, strict=True)
            if opened == is_open
        ]
        calendar, other = told[0] if is_open else next((each for each in told if each[1] is not None), told[0])
        return HoursNow(
            is_open=is_open,
            opens_at=None if is_open else self.opens_at(at),
            closes_at=self.closes_at(at),
            source="week" if other is None else "exception",
            text=other.text or None if other is not None else None,
            time_zone=calendar.zone.key,
        )

    def open_seconds(self, since: datetime, until: datetime) -> int:
        """How many seconds of the time between two moments it is open."""
        first, last = int(since.timestamp()), int(until.timestamp())
        if last <= first:
            return 0
        return sum(max(0, min(end, last) - max(begin, first)) for begin, end in self.spans(since, until))

    def after(self, since: datetime, seconds: int) -> datetime | None:
        """The moment by which it was open for so many seconds; None where that is not within HORIZON_DAYS."""
        first, left = int(since.timestamp()), seconds
        if left <= 0:
            return since
        for begin, end in self.spans(since, since + timedelta(days=HORIZON_DAYS)):
            opened = max(0, end - max(begin, first))
            if opened >= left:
                return self._moment(max(begin, first) + left)
            left -= opened
        return None

    def spans(self, since: datetime, until: datetime) -> Iterator[Span]:
        """The open time between two moments, without overlaps, earliest first; its ends may be outside of them."""
        joined: Span | None = None
        for begin, end in heapq.merge(*(self._spans(calendar, since, until) for calendar in self.calendars)):
            if end <= begin:
                continue  # the clocks skip it whole
            if joined is None or begin > joined[1]:
                if joined is not None:
                    yield joined
                joined = begin, end
            elif end > joined[1]:
                joined = joined[0], end
        if joined is not None:
            yield joined

    @staticmethod
    def _spans(calendar: Calendar, since: datetime, until: datetime) -> Iterator[Span]:
        first = since.astimezone(calendar.zone).date() - timedelta(days=1)
        return calendar.spans(first, until.astimezone(calendar.zone).date())

    @staticmethod
    def _moment(seconds: int) -> datetime:
        return datetime.fromtimestamp(seconds, UTC)


def always_open(zone: ZoneInfo, others: Sequence[OtherHours] = ()) -> OpenHours:
    """The hours of who has set none."""
    return OpenHours((Calendar(ALWAYS, zone, others),))


def _dates_of(others: Iterable[OtherHours], year: int) -> dict[date, OtherHours]:
    found: dict[date, OtherHours] = {}
    for other in others:
        for day in other.days.days_between(date(year, 1, 1), date(year, 12, 31)):
            found.setdefault(day, other)
    return found


@lru_cache(maxsize=4096)
def _offset(zone: ZoneInfo, day: date) -> int:
    """Seconds by which the zone's clocks are ahead of UTC as the date begins."""
    offset = datetime(day.year, day.month, day.day, tzinfo=zone).utcoffset()
    return int(offset.total_seconds()) if offset is not None else 0


def _instant(zone: ZoneInfo, day: date, minutes: int, *, fold: int) -> int:
    """When the clocks show that many minutes since a date's 00:00: the first or second time, or as they go on."""
    wall = datetime(day.year, day.month, day.day) + timedelta(minutes=minutes)  # noqa: DTZ001 - a clock's face
    wanted = int(wall.replace(tzinfo=zone, fold=fold).timestamp())
    if datetime.fromtimestamp(wanted, zone).replace(tzinfo=None, fold=0) == wall:
        return wanted
    before, after = sorted(int(wall.replace(tzinfo=zone, fold=each).timestamp()) for each in (0, 1))
    old = datetime.fromtimestamp(before, zone).utcoffset()
    while after - before > 1:
        middle = (before + after) // 2
        if datetime.fromtimestamp(middle, zone).utcoffset() == old:
            before = middle
        else:
            after = middle
    return after


def shortest_first(others: Iterable[OtherHours]) -> list[OtherHours]:
    """In the order in which they are asked: a date of its own before a holiday of several days around it."""
    return sorted(others, key=lambda other: (other.days.last - other.days.first, other.days.first))
