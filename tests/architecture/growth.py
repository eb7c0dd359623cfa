"""How much longer a text of twice the length takes: the measure of the tests of linear work."""

import gc
from collections.abc import Callable, Iterator
from time import thread_time
from typing import Any

import pytest

LONGEST = 4_096
# Twice the text may take three times as long before it counts as growth: the machine is shared.
MOST_GROWTH = 3.0
# Below it a clock tells nothing, and nobody waits.
NOTICED_S = 0.004


def seconds(work: Callable[[str], Any], text: str) -> float:
    begun = thread_time()
    work(text)
    return thread_time() - begun


@pytest.fixture(scope="module", autouse=True)
def without_collector() -> Iterator[None]:
    """A collection of the whole test process's objects is no work on the text."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def ratio(work: Callable[[str], Any], text: str, double: str) -> float:
    return seconds(work, double) / max(seconds(work, text), 1e-6)


def _rounds(work: Callable[[str], Any], *texts: str) -> list[list[float]]:
    return [[seconds(work, text) for text in texts] for _ in range(5)]


def next_length(length: int, taken: float) -> int:
    """By little steps as long as a text is short, as its time may double with each character; then twice as long, or
    four times where the work is far from being noticed."""
    if length < 128:
        return length + max(4, length // 4)
    return length * (4 if taken < NOTICED_S / 100 else 2)


def grows(work: Callable[[str], Any], unit: str, *, shortest: int = 16, longest: int = LONGEST) -> float | None:
    """How much longer twice the text takes, where that is more than MOST_GROWTH; else None.

    Where it seems so, both texts are run five times, and the least time of each counts: whatever slows the machine only
    adds to a time, growth is in all of them.
    """
    length = shortest
    while True:
        taken = seconds(work, unit * (length // len(unit)))
        if taken > NOTICED_S:
            step = 4 if length < 64 else length  # so that a text whose time doubles with each character ends
            text, double = (unit * (size // len(unit)) for size in (length, length + step))
            if ratio(work, text, double) > MOST_GROWTH:
                least = [min(times) for times in zip(*_rounds(work, text, double), strict=True)]
                if (growth := least[1] / max(least[0], 1e-6)) > MOST_GROWTH:
                    return growth
            if taken > 100 * NOTICED_S:
                return None
        if length >= longest:
            return None
        length = min(next_length(length, taken), longest)
