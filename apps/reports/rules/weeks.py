"""The weeks of the weekly letter: from Monday to Monday of a widget's zone, told from Monday 9:00 on. Pure."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

TOLD_AT = timedelta(hours=9)
WEEK = timedelta(days=7)
TOLD_WITHIN = timedelta(days=1)  # by the job, so that nobody gets last week's letter on a Thursday


def week_told(now: datetime, zone: ZoneInfo) -> date:
    """The Monday of the newest week that may be told: over, and since the Monday after it is 9:00 past."""
    here = now.astimezone(zone)
    monday = here.date() - timedelta(days=here.weekday())
    is_told = here.weekday() > 0 or timedelta(hours=here.hour) >= TOLD_AT
    return monday - WEEK if is_told else monday - 2 * WEEK


def moments_of(week: date, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """The first moment of a week and that of the next, in UTC."""
    return _midnight(week, zone).astimezone(UTC), _midnight(week + WEEK, zone).astimezone(UTC)


def told_since(now: datetime, zone: ZoneInfo) -> datetime:
    """Since when the week of `week_told` may be told: Monday 9:00 of the week after it."""
    return (_midnight(week_told(now, zone) + WEEK, zone) + TOLD_AT).astimezone(UTC)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=zone)
