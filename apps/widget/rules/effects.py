"""The effect of an invitation: the difference of two shares with its interval (Newcombe 1998, method 10). Pure."""

from math import sqrt
from typing import NamedTuple

# Below this number in either group nothing is said of the effect.
ENOUGH = 100
_Z = 1.959963984540054  # of 95 %


class Effect(NamedTuple):
    """The difference of two shares, and the ends of its 95 % interval."""

    difference: float
    low: float
    high: float


def rate(converted: int, enrolled: int) -> float | None:
    """The share of a group that reached the goal; None of an empty one."""
    return converted / enrolled if enrolled else None


def wilson(converted: int, enrolled: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's score)."""
    share, square = converted / enrolled, _Z * _Z
    middle = share + square / (2 * enrolled)
    width = _Z * sqrt(share * (1 - share) / enrolled + square / (4 * enrolled * enrolled))
    whole = 1 + square / enrolled
    return max(0.0, (middle - width) / whole), min(1.0, (middle + width) / whole)


def effect(shown: tuple[int, int], held: tuple[int, int]) -> Effect | None:
    """The effect of showing, of `(converted, enrolled)` of who was shown and who was held; None until both have 100."""
    return None if min(shown[1], held[1]) < ENOUGH else newcombe(shown, held)


def newcombe(shown: tuple[int, int], held: tuple[int, int]) -> Effect:
    """The difference of two shares, each `(converted, enrolled)`, with its 95 % interval."""
    of_shown, of_held = shown[0] / shown[1], held[0] / held[1]
    (low_shown, high_shown), (low_held, high_held) = wilson(*shown), wilson(*held)
    difference = of_shown - of_held
    return Effect(
        difference,
        difference - sqrt((of_shown - low_shown) ** 2 + (high_held - of_held) ** 2),
        difference + sqrt((high_shown - of_shown) ** 2 + (of_held - low_held) ** 2),
    )
