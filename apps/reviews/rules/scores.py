"""Scores of a review: possible values, totals, and its states. Pure."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from apps.reviews.rules.scorecards import Criterion, CriterionScale, is_key, is_number

MAX_NOTE, MAX_COMMENT, MAX_REPLY = 500, 2_000, 2_000
# Every fifth review is blind: who scores it has not seen the model's scores.
BLIND_EACH = 5


class ReviewState(StrEnum):
    """The states of a review."""

    OPEN = "open"
    DONE = "done"
    ANSWERED = "answered"
    SETTLED = "settled"


class Origin(StrEnum):
    """Why an episode is reviewed."""

    SAMPLE = "sample"
    FLAG = "flag"
    PERSON = "person"


class SubjectKind(StrEnum):
    """The side whose work is scored."""

    PERSON = "person"
    AI = "ai"


class SuggestionState(StrEnum):
    """How far a model's suggestion is."""

    NONE = "none"
    PENDING = "pending"
    READY = "ready"
    FAILED = "failed"


SCORED = (ReviewState.DONE, ReviewState.ANSWERED, ReviewState.SETTLED)
# In these the reviewer may change the scores; in those, settle.
MAY_SCORE, MAY_SETTLE = (ReviewState.OPEN, ReviewState.DONE), (ReviewState.DONE, ReviewState.ANSWERED)


def is_blind(review_id: int) -> bool:
    """Whether the model's suggestion is hidden until a person has scored."""
    return review_id % BLIND_EACH == 0


def scores_refusal(scores: Sequence[Mapping[str, Any]], criteria: Mapping[str, Criterion]) -> str | None:
    """Why these are no scores by those criteria: each of them once, with one of its values or null; None if they are.

    `scores` are `{key, value, note}`.
    """
    keys = [score["key"] for score in scores]
    if len(keys) != len(criteria) or {*keys} != criteria.keys():
        return f"Each criterion that applies is expected once: {', '.join(criteria)}."
    for score in scores:
        values = criteria[score["key"]].values
        value = score["value"]
        if value is not None and not (is_number(value) and value in values):
            return f"`{score['key']}` has a value from {values[0]} to {values[-1]}, or null."
    return None


def score_of(scores: Sequence[Mapping[str, Any]], criteria: Mapping[str, Criterion]) -> int | None:
    """The score of 0 to 100, half up: the weighted mean of the criteria that have a value.

    Null without any value; 0 if a critical criterion is at its lowest.
    """
    weights = reached = 0
    for score in scores:
        criterion, value = criteria[score["key"]], score["value"]
        if value is None:
            continue
        if criterion.is_critical and value == criterion.values[0]:
            return 0
        weights += criterion.weight
        # In quarters: 0 or 4 of a yes or no, 0 to 4 of five.
        reached += criterion.weight * (4 * value if criterion.scale is CriterionScale.YES_NO else value - 1)
    return (50 * reached + weights) // (2 * weights) if weights else None


def kept_refusal(scores: Any) -> str | None:
    """Why these are no scores as they are kept; None if they are."""
    if isinstance(scores, list) and all(map(_is_kept, scores)):
        return None
    return "A list of scores is expected: key, value and note."


def _is_kept(found: Any) -> bool:
    if not isinstance(found, dict) or found.keys() != {"key", "value", "note"}:
        return False
    is_value = found["value"] is None or (is_number(found["value"]) and 0 <= found["value"] <= 5)
    is_note = isinstance(found["note"], str) and len(found["note"]) <= MAX_NOTE
    return is_value and is_note and is_key(found["key"])
