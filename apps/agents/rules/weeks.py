"""A week's hours as they are written: by the periods of each day, nights past midnight included, and day by day. Pure.

A week names periods by the day on which they begin, and one that ends before it began ends on the next day. A schedule
(specification, "Department") is the same week day by day: a night's second half stands in the next day, 23:59 is the
end of a day and 00:00 its begin. Weeks are kept as schedules.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Any
from zoneinfo import available_timezones

from apps.agents.rules.departments import DAYS, FULL, MAX_PERIODS, Schedule, of_periods, periods_of
from apps.agents.rules.hours import DAY_MINUTES, Period, Week
from apps.core.parsing.names import control_refusal

MAX_EXCEPTIONS, MAX_TEXT = 400, 255
LAST_MINUTE, MIDNIGHT = "23:59", "24:00"

_FROM = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_TO = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]|24:00")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

Refusals = dict[str, str]


def time_zone_refusal(name: str) -> str | None:
    """Why that is no time zone of the tz database; none is one, too."""
    return None if not name or name in available_timezones() else "There is no such time zone."


def week_of(schedule: Schedule) -> Week:
    """The periods of a schedule's days, in minutes; one that goes on past midnight is a night."""
    days = [_minutes_of(schedule.get(day)) for day in DAYS]
    for place, periods in enumerate(days):
        following = days[(place + 1) % 7]
        if periods and following and periods[-1][1] == DAY_MINUTES and following[0][0] == 0:
            begin, ends = periods[-1][0], following[0][1]
            if ends < begin:
                periods[-1] = (begin, DAY_MINUTES + ends)
                following.pop(0)
    return tuple(tuple(periods) for periods in days)


def _minutes_of(hours: Any) -> list[Period]:
    if hours == FULL:
        return [(0, DAY_MINUTES)]
    return [(minutes(period["from"]), _end_of(period["to"])) for period in periods_of(hours)]


def _end_of(clock: str) -> int:
    return DAY_MINUTES if clock == LAST_MINUTE else minutes(clock)


def minutes(clock: str) -> int:
    """The minutes from 00:00 to a time written HH:MM."""
    return int(clock[:2]) * 60 + int(clock[3:])


def schedule_of(week: Week) -> Schedule:
    """The same week day by day; periods that touch are one."""
    days: list[list[Period]] = [[] for _ in DAYS]
    for place, periods in enumerate(week):
        for begin, end in periods:
            days[place].append((begin, min(end, DAY_MINUTES)))
            if end > DAY_MINUTES:
                days[(place + 1) % 7].append((0, end - DAY_MINUTES))
    return {name: _hours_of(joined(periods)) for name, periods in zip(DAYS, days, strict=True)}


def _hours_of(periods: Sequence[Period]) -> Any:
    if not periods:
        return None
    if list(periods) == [(0, DAY_MINUTES)]:
        return FULL
    return of_periods(
        [{"from": clock(begin), "to": LAST_MINUTE if end == DAY_MINUTES else clock(end)} for begin, end in periods]
    )


def joined(periods: Sequence[Period]) -> list[Period]:
    """The periods in order; those that touch are one, unless it would end when it began or later."""
    found: list[Period] = []
    for begin, end in sorted(periods):
        if found and begin <= found[-1][1] and (end - found[-1][0] < DAY_MINUTES or end == DAY_MINUTES):
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((begin, end))
    return found


def clock(minute: int) -> str:
    """A minute of the day as HH:MM; the minute 1440 is 24:00, later ones are of the next day."""
    shown = minute if minute <= DAY_MINUTES else minute - DAY_MINUTES
    return f"{shown // 60:02}:{shown % 60:02}"


def shown_periods(periods: Sequence[Period]) -> list[dict[str, str]]:
    """Periods as they are written: `[{from, to}]`."""
    return [{"from": clock(begin), "to": clock(end)} for begin, end in periods]


def shown_week(week: Week) -> dict[str, list[dict[str, str]]]:
    """A week as it is written: the periods of all seven days."""
    return {day: shown_periods(periods) for day, periods in zip(DAYS, week, strict=True)}


def read_periods(periods: Sequence[Mapping[str, str]]) -> tuple[Period, ...]:
    """Periods that `periods_refusals` has nothing against, in order."""
    return tuple(joined([_period(each) for each in periods]))


def _period(period: Mapping[str, str]) -> Period:
    begin, end = minutes(period["from"]), minutes(period["to"])
    return begin, end if end > begin else end + DAY_MINUTES


def read_week(week: Mapping[str, Sequence[Mapping[str, str]]]) -> Week:
    """A week that `week_refusals` has nothing against."""
    return tuple(read_periods(week[day]) for day in DAYS)


def periods_refusals(periods: Any) -> Refusals:
    """Why these are no periods of a day, by their places; empty when they are."""
    if not isinstance(periods, list):
        return {"": "A list of periods is expected; an empty one is closed."}
    if len(periods) > MAX_PERIODS:
        return {"": f"A day has at most {MAX_PERIODS} periods."}
    for place, period in enumerate(periods):
        if not isinstance(period, dict) or set(period) != {"from", "to"}:
            return {f"{place}": "A period is an object of `from` and `to`."}
        if not isinstance(period["from"], str) or not _FROM.fullmatch(period["from"]):
            return {f"{place}.from": "A time is written HH:MM, from 00:00 to 23:59."}
        if not isinstance(period["to"], str) or not _TO.fullmatch(period["to"]):
            return {f"{place}.to": "A time is written HH:MM, from 00:00 to 24:00."}
        if period["from"] == period["to"]:
            return {f"{place}": "`from` and `to` are equal: a whole day is 00:00 to 24:00."}
    by_begin = sorted(range(len(periods)), key=lambda place: _period(periods[place]))
    for before, place in pairwise(by_begin):
        if _period(periods[place])[0] < _period(periods[before])[1]:
            return {f"{place}": "The period overlaps another one."}
    return {}


def week_refusals(week: Any) -> Refusals:
    """Why that is no week, by the dotted path below it; empty when it is one."""
    if not isinstance(week, dict):
        return {"": "An object of the seven days is expected."}
    for day in week:
        if day not in DAYS:
            return {str(day): f"There is no such day. The days are: {', '.join(DAYS)}."}
    for day in DAYS:
        if day not in week:
            return {day: "This field is required."}
        for path, reason in periods_refusals(week[day]).items():
            return {f"{day}.{path}".rstrip("."): reason}
    for place, day in enumerate(DAYS):
        following = DAYS[(place + 1) % 7]
        ends = max((_period(each)[1] for each in week[day]), default=0) - DAY_MINUTES
        for number, period in enumerate(week[following]):
            if minutes(period["from"]) < ends:
                return {f"{following}.{number}": f"The period overlaps the night that begins on {day}."}
    return {}


def exceptions_refusals(exceptions: Any) -> Refusals:
    """Why these are no dates with other hours, by the dotted path below them; empty when they are."""
    if not isinstance(exceptions, list):
        return {"": "A list of dates is expected."}
    if len(exceptions) > MAX_EXCEPTIONS:
        return {"": f"At most {MAX_EXCEPTIONS} dates have other hours."}
    seen = set()
    for place, each in enumerate(exceptions):
        if not isinstance(each, dict):
            return {f"{place}": "An object of `date`, `periods` and `text` is expected."}
        for path, reason in _exception_refusals(each).items():
            return {f"{place}.{path}".rstrip("."): reason}
        if each["date"] in seen:
            return {f"{place}.date": "The date is listed twice."}
        seen.add(each["date"])
    return {}


def _exception_refusals(exception: Mapping[str, Any]) -> Refusals:
    for name in exception:
        if name not in ("date", "periods", "text"):
            return {str(name): "There is no such member."}
    for name in ("date", "periods"):
        if name not in exception:
            return {name: "This field is required."}
    if not _is_date(exception["date"]):
        return {"date": "A date is written YYYY-MM-DD, from 2000 to 2199."}
    text = exception.get("text", "")
    if not isinstance(text, str):
        return {"text": "A text is expected."}
    if len(text) > MAX_TEXT:
        return {"text": f"At most {MAX_TEXT} characters are expected."}
    if refusal := control_refusal(text):
        return {"text": refusal}
    return {f"periods.{path}".rstrip("."): reason for path, reason in periods_refusals(exception["periods"]).items()}


def _is_date(value: Any) -> bool:
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return False
    try:
        return 2000 <= date.fromisoformat(value).year < 2200
    except ValueError:
        return False
