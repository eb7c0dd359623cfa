"""Changes of a week that are no noise. Pure.

Counts differ if their difference is over two standard deviations, shares by the test of two proportions, times if their
p90 grew or fell by half. At most five changes are told, the strongest first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log, sqrt

MOST = 5
DEVIATIONS = 2.0
LEAST = 20  # episodes on each side, below which no share and no time is compared
TIMES = 1.5


@dataclass(frozen=True, slots=True)
class Counted:
    """How many, of how many (None: a count that is no share)."""

    value: int
    of: int | None = None


@dataclass(frozen=True, slots=True)
class Timed:
    """The p90 of `n` waits, in seconds; None without any."""

    n: int
    p90: int | None


Compared = Counted | Timed


@dataclass(frozen=True, slots=True)
class WeekChange:
    """A figure that changed by more than chance. `strength` is in standard deviations, and over two."""

    figure: str
    now: Compared
    before: Compared
    strength: float

    @property
    def is_more(self) -> bool:
        """Whether the figure grew."""
        return _size(self.now) > _size(self.before)


def changes_of(now: Mapping[str, Compared], before: Mapping[str, Compared]) -> list[WeekChange]:
    """The changes between two weeks that are no noise: at most five, the strongest first, equal ones in their order."""
    found = [
        WeekChange(name, figure, before[name], strength)
        for name, figure in now.items()
        if (strength := strength_of(figure, before[name])) > DEVIATIONS
    ]
    return sorted(found, key=lambda change: -change.strength)[:MOST]


def strength_of(now: Compared, before: Compared) -> float:
    """How strong a change is, in standard deviations; 0 where too little happened to tell."""
    if isinstance(now, Timed) and isinstance(before, Timed):
        return _of_times(now.p90, before.p90) if min(now.n, before.n) >= LEAST else 0.0
    if isinstance(now, Counted) and isinstance(before, Counted):
        if now.of is None or before.of is None:
            return _of_counts(now.value, before.value)
        return _of_shares(now.value, now.of, before.value, before.of)
    raise TypeError("a count is compared with a count, a time with a time")


def _of_counts(now: int, before: int) -> float:
    return abs(now - before) / sqrt(now + before) if now + before else 0.0


def _of_shares(now: int, of_now: int, before: int, of_before: int) -> float:
    """The test of two proportions, with their common share."""
    if min(of_now, of_before) < LEAST:
        return 0.0
    common = (now + before) / (of_now + of_before)
    spread = sqrt(common * (1 - common) * (1 / of_now + 1 / of_before))
    return abs(now / of_now - before / of_before) / spread if spread else 0.0


def _of_times(now: int | None, before: int | None) -> float:
    """A p90 that is half as much again counts as just over two deviations."""
    if now is None or before is None:
        return 0.0
    shorter, longer = sorted((now, before))
    if longer == shorter or longer < TIMES * shorter:
        return 0.0
    strength = DEVIATIONS * log(longer / shorter) / log(TIMES) if shorter else inf
    return max(strength, DEVIATIONS * (1 + 1e-9))


def _size(figure: Compared) -> float:
    if isinstance(figure, Timed):
        return figure.p90 or 0
    return figure.value if figure.of is None else figure.value / figure.of if figure.of else 0.0


@dataclass(frozen=True, slots=True)
class GroupPart:
    """A group's part of a change: its dimension, such as `channel`, its key, and its figure now and before."""

    group: str
    key: str
    now: Counted
    before: Counted


def most_of(change: WeekChange, parts: Sequence[GroupPart]) -> GroupPart | None:
    """The group that made most of a change: over half of it. None where no group did, or for a time."""
    if not isinstance(change.now, Counted) or not isinstance(change.before, Counted):
        return None
    share = None if change.before.of is None else change.before.value / change.before.of if change.before.of else 0.0
    whole = _excess(change.now.value, change.now.of, change.before.value, share)
    if not whole:
        return None
    weighed = [
        (_excess(part.now.value, part.now.of, part.before.value, share) / whole, place)
        for place, part in enumerate(parts)
    ]
    heaviest, place = max(weighed, default=(0.0, -1))
    return parts[place] if heaviest > 0.5 else None


def _excess(now: int, of_now: int | None, before: int, share: float | None) -> float:
    """The growth: of a count the difference; of a share the part beyond the share that all had before."""
    return now - before if share is None or of_now is None else now - of_now * share


def dimensions(parts: Iterable[GroupPart]) -> list[str]:
    """The dimensions of some parts, each once, in their order: a dimension of one group explains nothing."""
    keys: dict[str, set[str]] = {}
    for part in parts:
        keys.setdefault(part.group, set()).add(part.key)
    return [name for name, each in keys.items() if len(each) > 1]
