"""Departments: their channels, their hours, and whether one is open. Pure.

Specification: "Department"; Endpoints, "Departments".
"""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

MAX_NAME = 255
CHANNELS = ("tg", "vk", "wa", "vb", "fb", "ok", "mx", "cian", "ali", "apple", "smb")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
FULL = "full"

# A day's hours as they are kept and shown: open all day, from one time to another, or closed.
Hours = str | Mapping[str, str] | None
Schedule = Mapping[str, Hours]

ALL_WEEK: Schedule = dict.fromkeys(DAYS, FULL)

_CABINET = re.compile(r"av__([0-9]{1,18})")
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")


def department_channel(channel: str) -> str:
    """The departments' name of a chat's channel: the on-site widget is `smb` there (specification, "Chat")."""
    return "smb" if channel == "widget" else channel


def cabinet_channel(cabinet_id: int) -> str:
    """The departments' name of an ad cabinet's channel."""
    return f"av__{cabinet_id}"


def names_cabinet(channels: Sequence[str]) -> bool:
    """Whether an ad cabinet may be among the channels."""
    return any(_CABINET.fullmatch(channel) for channel in channels)


def channel_refusals(channels: Sequence[str], cabinet_ids: Collection[int] = ()) -> dict[int, str]:
    """Why a department can't take those channels, by their position; empty when it can.

    An ad cabinet (`av__<id>`) must be among those of `cabinet_ids`: one that never was and one of another account are
    refused in the same words.
    """
    refusals: dict[int, str] = {}
    taken: set[str] = set()
    for position, channel in enumerate(channels):
        if cabinet := _CABINET.fullmatch(channel):
            known = int(cabinet[1]) in cabinet_ids and channel == cabinet_channel(int(cabinet[1]))
            if not known:
                refusals[position] = "There is no such ad cabinet."
                continue
        elif channel not in CHANNELS:
            refusals[position] = f"There is no such channel. Known are: {', '.join(CHANNELS)} and av__<cabinet id>."
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
    refusals = {name: "There is no such member." for name in hours if name not in ("from", "to")}
    for name in ("from", "to"):
        value = hours.get(name)
        if name not in hours:
            refusals[name] = "This field is required."
        elif not isinstance(value, str) or not _TIME.fullmatch(value):
            refusals[name] = "A time is written HH:MM, from 00:00 to 23:59."
    if not refusals and hours["from"] >= hours["to"]:
        refusals[""] = "`from` must be earlier than `to`: hours past midnight are two days' hours."
    return refusals


def whole_week(week: Schedule) -> dict[str, Hours]:
    """All seven days, in their order; one that is omitted is closed."""
    return {day: week.get(day) for day in DAYS}


def is_open(week: Schedule, moment: datetime) -> bool:
    """Whether a department of those hours is open at a moment, which is in the widget's time zone.

    `from` is inclusive, and so is the last minute: what is open to 18:00 closes as the clock shows it; 23:59 is the
    end of the day.
    """
    hours = week.get(DAYS[moment.weekday()])
    if hours is None or isinstance(hours, str):
        return hours == FULL
    clock = f"{moment:%H:%M}"
    return hours["from"] <= clock and (clock < hours["to"] or clock == hours["to"] == "23:59")


def opens_at(week: Schedule, moment: datetime) -> datetime | None:
    """When a department of those hours that is closed opens next, within a week of a moment in its time zone.

    None for a department that never opens. Hours that a change of the clocks leaves out begin when the clocks go on.
    """
    for days in range(8):
        day = moment + timedelta(days=days)
        hours = week.get(DAYS[day.weekday()])
        if hours is None:
            continue
        begins = "00:00" if isinstance(hours, str) else hours["from"]
        opens = day.replace(hour=int(begins[:2]), minute=int(begins[3:]), second=0, microsecond=0, fold=0)
        if opens > moment:
            return opens
    return None
