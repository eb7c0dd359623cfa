"""How long a visitor will wait still, by the waits that people ended lately; nothing where it is not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil
from typing import NamedTuple

# The waits that are looked at: the newest, and those of a day where they are few.
LATELY, A_DAY = timedelta(hours=2), timedelta(hours=24)
ENOUGH_LATELY = 20
FEWEST = 10  # waits longer than this one, below which nothing is told
LONGEST_MIN = 60


class Estimate(NamedTuple):
    """From how many minutes to how many a visitor waits still; the second is the greater."""

    from_min: int
    to_min: int


# The figures of managers are of so many days, and of today.
FIGURES_DAYS = 30


@dataclass(frozen=True, slots=True)
class EstimateFigure:
    """The told times of waits that a person ended: how many, and how many were kept."""

    count: int
    kept: int


class EndedWait(NamedTuple):
    """A wait that a person ended: how long ago, and how long it was, in seconds."""

    ago: float
    waited: float


def estimate(ended: Sequence[EndedWait], waited: float) -> Estimate | None:
    """The rest of the waits of a department that were longer than this one is by now: median to 90th percentile.

    None where fewer than FEWEST were, and where it could be more than LONGEST_MIN.
    """
    lately = [each for each in ended if each.ago <= LATELY.total_seconds()]
    if len(lately) < ENOUGH_LATELY:
        lately = [each for each in ended if each.ago <= A_DAY.total_seconds()]
    rest = sorted(each.waited - waited for each in lately if each.waited > waited)
    if len(rest) < FEWEST:
        return None
    from_min = ceil(nearest_rank(rest, 50) / 60)
    to_min = max(ceil(nearest_rank(rest, 90) / 60), from_min + 1)
    return None if to_min > LONGEST_MIN else Estimate(from_min, to_min)


def nearest_rank(ordered: Sequence[float], percent: int) -> float:
    """A percentile of values in order, as one of them."""
    return ordered[max(ceil(len(ordered) * percent / 100), 1) - 1]


def held(to_min: int, told_waited: float, waited: float) -> bool:
    """Whether a wait ended by the upper number of minutes that was told when it had lasted so long, in seconds."""
    return waited - told_waited <= to_min * 60
