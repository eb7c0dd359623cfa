"""The figures of a report: each a condition over one episode, which its total, group, list and file share. Pure.

The conditions are SQL over the columns of `querysets/view.py`, an episode as it is at a moment.
"""

from collections.abc import Mapping
from dataclasses import dataclass

PERCENTS = (50, 90)
SLOW = 90  # the percentile from which an episode is one of the slowest


@dataclass(frozen=True, slots=True)
class CountFigure:
    """Episodes of which a condition holds, out of those of another figure. `by_person`: persons, not episodes."""

    name: str
    where: str
    of: str | None
    by_person: bool = False


@dataclass(frozen=True, slots=True)
class TimeFigure:
    """Seconds of the episodes that have them: the median and the 90th percentile, by nearest rank."""

    name: str
    column: str

    @property
    def where(self) -> str:
        """The episodes that have it."""
        return f"v.{self.column} IS NOT NULL"


Figure = CountFigure | TimeFigure

COUNTS = (
    CountFigure("episodes", "true", None),
    CountFigure("people", "true", None, by_person=True),
    CountFigure("open", "v.outcome = 'open'", "episodes"),
    CountFigure("by_person", "v.outcome = 'person'", "episodes"),
    CountFigure("by_ai", "v.outcome = 'ai'", "episodes"),
    CountFigure("dismissed", "v.outcome = 'dismissed'", "episodes"),
    CountFigure("unanswered", "v.outcome = 'unanswered'", "episodes"),
    CountFigure("answered", "v.is_answered", "episodes"),
    CountFigure("ai_involved", "v.ai_involved", "episodes"),
    CountFigure("handed_over", "v.is_handed_over", "ai_involved"),
    CountFigure("settled", "v.is_settled", "episodes"),
    CountFigure("reopened", "v.is_settled AND v.is_reopened", "settled"),
    CountFigure("durable", "v.is_settled AND NOT v.is_reopened", "settled"),
    CountFigure("ai_settled", "v.is_old AND v.ai_involved", "ai_involved"),
    CountFigure(
        "ai_resolved",
        "v.is_settled AND NOT v.is_reopened AND v.ai_involved AND v.outcome = 'ai' AND NOT v.is_handed_over",
        "ai_settled",
    ),
    CountFigure("asked", "v.is_asked", "episodes"),
    CountFigure("responded", "v.is_asked AND v.rating IS NOT NULL", "asked"),
    CountFigure("rated", "v.rating IS NOT NULL", "episodes"),
    CountFigure("rated_person", "v.rating_kind = 'person'", "episodes"),
    CountFigure("rated_ai", "v.rating_kind = 'ai'", "episodes"),
    CountFigure("good", "v.rating >= 4", "rated"),
    CountFigure("good_person", "v.rating >= 4 AND v.rating_kind = 'person'", "rated_person"),
    CountFigure("good_ai", "v.rating >= 4 AND v.rating_kind = 'ai'", "rated_ai"),
    CountFigure("low", "v.rating <= %(low)s", "rated"),
)
TIMES = (
    TimeFigure("first_reply", "first_reply_s"),
    TimeFigure("person_reply", "person_reply_s"),
    TimeFigure("longest_wait", "longest_wait_s"),
    TimeFigure("duration", "duration_s"),
)
FIGURES: Mapping[str, Figure] = {each.name: each for each in (*COUNTS, *TIMES)}


def rate(value: int, of: int | None) -> float | None:
    """The share of a count in another, of four places; null out of none."""
    return round(value / of, 4) if of else None
