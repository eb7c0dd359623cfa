"""Departments: their channels and their hours. Pure.

Specification: "Department"; Endpoints, "Departments".
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

MAX_NAME = 255
ON_SITE = "smb"
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
FULL = "full"
PERIODS, MAX_PERIODS = "periods", 6
MAX_HOLIDAY_TEXT = 255

# A day's hours as they are kept: open all day, from one time to another (with `periods`, where there are several), or
# closed.
Hours = str | Mapping[str, Any] | None
Schedule = Mapping[str, Hours]

ALL_WEEK: Schedule = dict.fromkeys(DAYS, FULL)

_CABINET = re.compile(r"av__([0-9]{1,18})")
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")


def department_channel(channel: str) -> str:
    """The departments' name of a chat's channel: the on-site widget is `smb` there (specification, "Chat")."""
    return ON_SITE if channel == "widget" else channel


def cabinet_channel(cabinet_id: int) -> str:
    """The departments' name of an ad cabinet's channel."""
    return f"av__{cabinet_id}"


def names_cabinet(channels: Sequence[str]) -> bool:
    """Whether an ad cabinet may be among the channels."""
    return any(_CABINET.fullmatch(channel) for channel in channels)


def channel_refusals(
    channels: Sequence[str], messengers: Sequence[str], cabinet_ids: Collection[int] = ()
) -> dict[int, str]:
    """Why a department can't take those channels, by their position; empty when it can.

    Known are the on-site widget and the codes of `messengers`. An ad cabinet (`av__<id>`) must be among those of
    `cabinet_ids`: one that never was and one of another account are refused in the same words.
    """
    refusals: dict[int, str] = {}
    taken: set[str] = set()
    known_codes = (*messengers, ON_SITE)
    for position, channel in enumerate(channels):
        if cabinet := _CABINET.fullmatch(channel):
            known = int(cabinet[1]) in cabinet_ids and channel == cabinet_channel(int(cabinet[1]))
            if not known:
                refusals[position] = "There is no such ad cabinet."
                continue
        elif channel not in known_codes:
            refusals[position] = f"There is no such channel. Known are: {', '.join(known_codes)} and av__<cabinet id>."
            continue
        if channel in taken:
            refusals[position] = "The channel is listed twice."
        taken.add(channel)
    return refusals


def schedule_refusals(week: Mapping[str, Any]) -> dict[str, str]:
    """The refusals of a week's hours, by the day or the dotted path below it; empty when all is well."""
    refusals: dict[str, str] = {}
    for day, hours in week.items():
        if day not in DAYS:
            refusals[day] = f"There is no such day. The days are: {', '.join(DAYS)}."
        elif isinstance(hours, dict):
            refusals |= {f"{day}.{name}".rstrip("."): reason for name, reason in _hours_refusals(hours).items()}
        elif hours is not None and hours != FULL:
            refusals[day] = 'A day is "full", an object {"from", "to"}, or null when closed.'
    return refusals


def _hours_refusals(hours: Mapping[str, Any]) -> dict[str, str]:
    refusals = {name: "There is no such member." for name in hours if name not in ("from", "to", PERIODS)}
    refusals |= _period_refusals(hours)
    if not refusals and PERIODS in hours:
        refusals |= _periods_refusals(hours)
    return refusals


def _period_refusals(period: Mapping[str, Any]) -> dict[str, str]:
    refusals = {}
    for name in ("from", "to"):
        value = period.get(name)
        if name not in period:
            refusals[name] = "This field is required."
        elif not isinstance(value, str) or not _TIME.fullmatch(value):
            refusals[name] = "A time is written HH:MM, from 00:00 to 23:59."
    if not refusals and period["from"] >= period["to"]:
        refusals[""] = "`from` must be earlier than `to`: hours past midnight are two days' hours."
    return refusals


def _periods_refusals(hours: Mapping[str, Any]) -> dict[str, str]:
    periods = hours[PERIODS]
    if not isinstance(periods, list) or not 1 <= len(periods) <= MAX_PERIODS:
        return {PERIODS: f"A list of 1 to {MAX_PERIODS} periods is expected."}
    for place, period in enumerate(periods):
        if not isinstance(period, dict) or set(period) != {"from", "to"}:
            return {f"{PERIODS}.{place}": "A period is an object of `from` and `to`."}
        for name, reason in _period_refusals(period).items():
            return {f"{PERIODS}.{place}.{name}".rstrip("."): reason}
        if place and periods[place - 1]["to"] >= period["from"]:
            return {f"{PERIODS}.{place}": "Periods follow each other, with time between them."}
    if (hours["from"], hours["to"]) != (periods[0]["from"], periods[-1]["to"]):
        return {PERIODS: "`from` and `to` are the begin of the first period and the end of the last one."}
    return {}


def of_periods(periods: Sequence[Mapping[str, str]]) -> Mapping[str, Any]:
    """A day's hours of its periods, which are in order: `from` and `to` are the whole of it."""
    whole = {"from": periods[0]["from"], "to": periods[-1]["to"]}
    return whole if len(periods) == 1 else {**whole, PERIODS: [dict(period) for period in periods]}


def periods_of(hours: Hours) -> Sequence[Mapping[str, str]]:
    """The periods of a day that is open, but not all day."""
    if hours is None or isinstance(hours, str):
        return ()
    return hours.get(PERIODS) or ({"from": hours["from"], "to": hours["to"]},)


def whole_week(week: Schedule) -> dict[str, Hours]:
    """All seven days, in their order; one that is omitted is closed."""
    return {day: _kept(week.get(day)) for day in DAYS}


def _kept(hours: Hours) -> Hours:
    periods = periods_of(hours)
    return of_periods(periods) if periods else hours


def shown_week(week: Schedule) -> dict[str, Any]:
    """All seven days as they are shown: a day that has hours with all its periods."""
    whole = {day: week.get(day) for day in DAYS}
    return {
        day: {**of_periods(periods), PERIODS: [dict(period) for period in periods]}
        if (periods := periods_of(hours))
        else hours
        for day, hours in whole.items()
    }
