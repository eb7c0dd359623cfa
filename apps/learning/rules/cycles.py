"""Limits of a tuning cycle, and how its trial is counted (docs/guides/learning.md). Pure."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from apps.learning.rules.patches import first_object

WINDOW_DAYS = 30
WINDOW = timedelta(days=WINDOW_DAYS)
ANSWERED_WITHIN = timedelta(hours=1)
MIN_PAIRS, MAX_PAIRS = 5, 40
SHORTEST, LONGEST = 3, 1_500
EVERY = timedelta(hours=24)
OPERATIONS, SECONDS = 20, 300.0
PROPOSALS = 2


class Pair(NamedTuple):
    """A visitor's burst and what a person answered; redacted. `id` is the answer's message."""

    id: int
    chat_id: int
    at: str
    question: str
    answer: str


class Evaluation(NamedTuple):
    """How the new text did on the pairs that were held out."""

    examples: int
    better: int
    worse: int
    same: int


def held_out(pairs: Sequence[Pair]) -> tuple[Sequence[Pair], Sequence[Pair]]:
    """The pairs to learn from, and the newest, which the trial is held on. `pairs` are newest first."""
    many = max(1, min(4, len(pairs) // 5))
    return pairs[many:], pairs[:many]


def new_is_a(place: int) -> bool:
    """Whether the new text's answer is shown first, of the pair at that place: so that its place is no merit."""
    return place % 2 == 0


def preferred(text: str, place: int) -> str:
    """`better`, `worse` or `same`, of a comparison's answer; what can't be read is `same`."""
    said = (first_object(text) or {}).get("better")
    if said not in ("a", "b"):
        return "same"
    return "better" if (said == "a") == new_is_a(place) else "worse"


def evaluated(results: Iterable[str]) -> Evaluation:
    """The trial's sums."""
    found = list(results)
    return Evaluation(len(found), found.count("better"), found.count("worse"), found.count("same"))


def evidence_told(pairs: Sequence[Pair]) -> dict[str, Any]:
    """The evidence of a cycle, as it is shown."""
    times = [pair.at for pair in pairs]
    return {
        "pairs": len(pairs),
        "chats": len({pair.chat_id for pair in pairs}),
        "from": min(times, default=None),
        "to": max(times, default=None),
    }
