"""The episodes of a week that are reviewed: a sample that nobody can choose, and all that is flagged. Pure."""

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from math import ceil
from zoneinfo import ZoneInfo

from apps.reviews.rules.scorecards import OF_MACHINES, Flag

WEEK = timedelta(days=7)
# From this percentile on, a wait is one of the slowest of its week.
SLOW = 90
UNTRUSTED, SAFETY = "untrusted_handoff", "safety_floor"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An episode that ended in the week, as its row tells.

    `machine_flags` are known of AI's part in it; `answerer`: the AI operator and the assistant of its last exchange.
    """

    id: int
    chat_id: int
    agents: Sequence[int]
    assistants: Sequence[int]
    rating: int | None
    is_reopened: bool
    wait: int | None
    handover: str | None
    machine_flags: frozenset[Flag] = frozenset()
    answerer: tuple[int | None, int | None] | None = None


def week_before(as_of: datetime, zone: ZoneInfo) -> date:
    """The Monday of the newest week that is over."""
    today = as_of.astimezone(zone).date()
    return today - timedelta(days=today.weekday()) - WEEK


def is_monday(as_of: datetime, zone: ZoneInfo) -> bool:
    return as_of.astimezone(zone).weekday() == 0


def moments_of(week: date, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """The first moment of a week and that of the next, in UTC."""
    days = (week, week + WEEK)
    start, end = (datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC) for day in days)
    return start, end


def in_lot_order(candidates: Iterable[Candidate], week: date, secret: bytes) -> list[Candidate]:
    """The candidates by the hash of the installation's secret, the week and the episode, the smallest first."""
    return sorted(candidates, key=lambda each: hmac.digest(secret, f"{week}:{each.id}".encode(), "sha256"))


def slow_from(waits: Sequence[int]) -> int | None:
    """The seconds from which a wait is one of the slowest: the 90th percentile by nearest rank; None if nobody waited.

    A wait of no whole second is never slow.
    """
    ordered = sorted(waits)
    return max(1, ordered[ceil(SLOW * len(ordered) / 100) - 1]) if ordered else None


def flags_of(candidate: Candidate, *, low: int, slow: int | None) -> list[Flag]:
    """The flags of an episode, in their order. `low`: up to which value a rating is low."""
    holds = {
        Flag.LOW_RATING: candidate.rating is not None and candidate.rating <= low,
        Flag.REOPENED: candidate.is_reopened,
        Flag.SLOW: slow is not None and candidate.wait is not None and candidate.wait >= slow,
        Flag.UNTRUSTED_HANDOFF: candidate.handover == UNTRUSTED,
        Flag.SAFETY: candidate.handover == SAFETY,
    }
    return [flag for flag in Flag if holds.get(flag, False) or flag in candidate.machine_flags]


def by_side(flags: Sequence[Flag]) -> tuple[list[Flag], list[Flag]]:
    """Flags of a machine's work, and those of the last answerer."""
    return [flag for flag in flags if flag in OF_MACHINES], [flag for flag in flags if flag not in OF_MACHINES]
