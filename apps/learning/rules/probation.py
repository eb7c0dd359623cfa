"""When a text is worse than the one before (docs/guides/learning.md). Pure."""

from datetime import timedelta
from typing import Any, NamedTuple

HOURS = 72
LASTS = timedelta(hours=HOURS)
BASELINE = timedelta(days=30)
# A chat that goes to people after that is no fault of its first answer.
ESCALATES_WITHIN = timedelta(hours=24)
MIN_CHATS, MIN_RATINGS = 10, 5
MAX_ESCALATION_RISE, MAX_RATING_FALL = 0.15, 0.5
MAX_ESCALATION_ALONE = 0.6


class Metrics(NamedTuple):
    """The results of the chats that a version answered first. Rates are None without anything to count."""

    chats: int = 0
    escalations: int = 0
    escalation_rate: float | None = None
    ratings: int = 0
    rating_average: float | None = None

    def told(self) -> dict[str, Any]:
        return self._asdict()


def metrics_of(*, chats: int, escalations: int, ratings: int, rating_sum: int) -> Metrics:
    """The figures, with their rates."""
    return Metrics(
        chats,
        escalations,
        round(escalations / chats, 4) if chats else None,
        ratings,
        round(rating_sum / ratings, 4) if ratings else None,
    )


def is_worse(current: Metrics, baseline: Metrics) -> bool:
    """Whether the new text does worse than the old one, as far as the numbers tell.

    >>> is_worse(metrics_of(chats=10, escalations=7, ratings=0, rating_sum=0), Metrics())
    True
    """
    if current.chats >= MIN_CHATS and current.escalation_rate is not None:
        limit = MAX_ESCALATION_ALONE
        if baseline.chats >= MIN_CHATS and baseline.escalation_rate is not None:
            limit = baseline.escalation_rate + MAX_ESCALATION_RISE
        if current.escalation_rate > limit + 1e-9:
            return True
    if min(current.ratings, baseline.ratings) < MIN_RATINGS:
        return False
    assert current.rating_average is not None  # noqa: S101 - there are ratings
    assert baseline.rating_average is not None  # noqa: S101
    return current.rating_average < baseline.rating_average - MAX_RATING_FALL - 1e-9
