"""Holidays: a date or several in a row, once or every year. Pure."""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

MAX_DAYS = 92  # of one holiday


class DaysOff(NamedTuple):
    """A holiday's first and last date; `every_year` repeats both from then on."""

    first: date
    last: date
    every_year: bool = False

    def is_on(self, day: date) -> bool:
        """Whether a date is one of the holiday's."""
        return any(first <= day <= last for first, last in self.times_between(day, day))

    def times_between(self, begin: date, end: date) -> Iterable[tuple[date, date]]:
        """The first and last dates of the times that touch the dates from `begin` to `end`, earliest first."""
        years = range(max(0, begin.year - self.last.year), end.year - self.first.year + 1) if self.every_year else (0,)
        for year in years:
            first, last = _years_on(self.first, year), _years_on(self.last, year)
            if first <= end and last >= begin:
                yield first, last

    def days_between(self, begin: date, end: date) -> Iterable[date]:
        """The dates of the holiday from `begin` to `end`, earliest first."""
        for first, last in self.times_between(begin, end):
            day = max(first, begin)
            yield from (day + timedelta(days=number) for number in range((min(last, end) - day).days + 1))


def _years_on(day: date, years: int) -> date:
    """The same date some years on; February 29th is the 28th where the year has none."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=28)
