"""The geometry of charts, in percents of their box. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LEVELS = 5  # shades of a heat map, besides that of nothing
WEEKDAYS, HOURS = range(1, 8), range(24)
_WIDEST, _SHARE = 4.0, 0.7  # of a bar, in percents of the picture, and of its column


@dataclass(frozen=True, slots=True)
class ChartBox:
    """A rectangle: its left upper corner, its width and its height."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class ColumnBar:
    """A bar of a chart, and its whole column, which is pressed."""

    column: ChartBox
    bar: ChartBox


def top_of(values: Sequence[int]) -> int:
    """The value of a chart's highest line: an even number, so that the middle line is whole, too."""
    highest = max(values, default=0)
    return highest + highest % 2


def bars_of(values: Sequence[int]) -> list[ColumnBar]:
    """The bars of a chart, from left to right, below the line of `top_of`."""
    if not values:
        return []
    top, step = top_of(values), 100 / len(values)
    width = min(step * _SHARE, _WIDEST)
    found = []
    for place, value in enumerate(values):
        height = 100 * value / top if top else 0.0
        left = step * place
        bar = ChartBox(_cut(left + (step - width) / 2), _cut(100 - height), _cut(width), _cut(height))
        found.append(ColumnBar(ChartBox(_cut(left), 0, _cut(step), 100), bar))
    return found


@dataclass(frozen=True, slots=True)
class Cell:
    """An hour of the week, Monday 1, with its value and its shade from 0 (nothing) to LEVELS (the most)."""

    weekday: int
    hour: int
    value: int
    level: int
    box: ChartBox


def cells_of(values: Mapping[tuple[int, int], int]) -> list[Cell]:
    """All hours of a week, Monday's first; a missing one has 0."""
    highest = max(values.values(), default=0)
    across, down = 100 / len(HOURS), 100 / len(WEEKDAYS)
    return [
        Cell(
            weekday,
            hour,
            value := values.get((weekday, hour), 0),
            level_of(value, highest),
            ChartBox(_cut(across * hour), _cut(down * (weekday - 1)), _cut(across), _cut(down)),
        )
        for weekday in WEEKDAYS
        for hour in HOURS
    ]


def level_of(value: int, highest: int) -> int:
    """The shade of a value: 0 for nothing, LEVELS for the most; each number above nothing has a shade."""
    return 0 if value <= 0 or highest <= 0 else -(-value * LEVELS // highest)


def _cut(number: float) -> float:
    return round(number, 3)
