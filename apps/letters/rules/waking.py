"""When an operator is woken by a letter. Pure."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

SOONEST = timedelta(minutes=3)
AGAIN_AFTER = timedelta(minutes=60)
A_DAY = 12
NOTICE_AGAIN_AFTER = timedelta(minutes=10)  # of automations, to one operator
# Who waits for longer than that woke nobody in time; a letter more helps nobody.
NOT_LONGER_THAN = timedelta(hours=24)
NAMES, CHARACTERS = 10, 200

_TIME = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")


def quiet_refusal(quiet: Mapping[str, Any]) -> str | None:
    """Why these are no quiet hours; None if they are."""
    for name in ("from", "to"):
        if _time(quiet.get(name)) is None:
            return f"`{name}` must be a time such as 22:00."
    if quiet.get("zone") is not None and quiet["zone"] not in available_timezones():
        return "`zone` must be a time zone such as Europe/Moscow."
    return "The hours are empty." if quiet["from"] == quiet["to"] else None


def _time(text: object) -> str | None:
    """A time of the day, `22:00`; such texts are in the order of the day."""
    return text if isinstance(text, str) and _TIME.fullmatch(text) else None


def zone_of(quiet: Mapping[str, Any] | None, widgets: str) -> str:
    """The time zone of an operator: of their quiet hours, else the widget's."""
    named = (quiet or {}).get("zone")
    return named if named in available_timezones() else widgets


def is_quiet(quiet: Mapping[str, Any] | None, now: datetime, *, zone: str) -> bool:
    """Whether somebody's quiet hours are now by the clock of `zone`, of today or since yesterday."""
    if not quiet:
        return False
    begin, end = _time(quiet.get("from")), _time(quiet.get("to"))
    if begin is None or end is None:
        return False
    at = f"{now.astimezone(ZoneInfo(zone)):%H:%M}"
    return begin <= at < end if begin < end else at >= begin or at < end
