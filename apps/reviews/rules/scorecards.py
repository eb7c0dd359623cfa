"""Scorecards: the criteria that a chat is scored by, and how many chats are picked. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

MAX_CRITERIA, MAX_TITLE, MAX_ABOUT, MAX_WEIGHT, MAX_SAMPLE = 12, 80, 500, 5, 50
MAX_KEY = 40
PER_OPERATOR, OF_AI = 3, 10


class CriterionScale(StrEnum):
    """The values of a criterion: 0 and 1, or 1 to 5."""

    YES_NO = "yes_no"
    FIVE = "five"


class Applies(StrEnum):
    """The work that a criterion is about."""

    PERSON = "person"
    AI = "ai"
    BOTH = "both"


class Prefill(StrEnum):
    """The questions that a model is asked automatically: none, each open review, or also every episode that AI
    answered in."""

    OFF = "off"
    REVIEWS = "reviews"
    ALL_AI = "all_ai"


class Flag(StrEnum):
    """Why an episode is worth a look."""

    LOW_RATING = "low_rating"
    THUMB_DOWN = "thumb_down"
    REOPENED = "reopened"
    SLOW = "slow"
    UNTRUSTED_HANDOFF = "untrusted_handoff"
    FACTS_REMOVED = "facts_removed"
    SAFETY = "safety"


# The flags of a machine's work; the others are of the last answerer.
OF_MACHINES = (Flag.THUMB_DOWN, Flag.UNTRUSTED_HANDOFF, Flag.FACTS_REMOVED, Flag.SAFETY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One question about an episode; `is_critical`: at its lowest value the whole score is 0."""

    key: str
    title: str
    about: str = ""
    scale: CriterionScale = CriterionScale.YES_NO
    weight: int = 1
    is_critical: bool = False
    applies: Applies = Applies.BOTH

    @property
    def values(self) -> range:
        """Its values, the lowest first."""
        return range(2) if self.scale is CriterionScale.YES_NO else range(1, 6)

    def is_of(self, kind: str) -> bool:
        """Whether it is asked about the work of a person, or of AI."""
        return self.applies in (Applies.BOTH, kind)

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "title": self.title,
            "about": self.about,
            "scale": str(self.scale),
            "weight": self.weight,
            "is_critical": self.is_critical,
            "applies": str(self.applies),
        }


# The criteria of a widget whose owner has chosen none; their words are in `labels.py`.
DEFAULTS: Sequence[Criterion] = (
    Criterion(key="correct", title="", weight=5, is_critical=True),
    Criterion(key="complete", title="", scale=CriterionScale.FIVE, weight=4),
    Criterion(key="clear", title="", scale=CriterionScale.FIVE, weight=3),
    Criterion(key="friendly", title="", scale=CriterionScale.FIVE, weight=2),
    Criterion(key="right_hands", title="", weight=2),
)


def read_criteria(criteria: Sequence[Mapping[str, Any]]) -> list[Criterion]:
    """Criteria as they are kept."""
    return [
        Criterion(**{**each, "scale": CriterionScale(each["scale"]), "applies": Applies(each["applies"])})
        for each in criteria
    ]


def applying(criteria: Sequence[Criterion], kind: str) -> dict[str, Criterion]:
    """The criteria that are asked about a subject of a kind, by key."""
    return {each.key: each for each in criteria if each.is_of(kind)}


def criteria_refusal(criteria: Any) -> str | None:
    """Why these are no criteria of a scorecard; None if they are."""
    if not isinstance(criteria, list) or not 1 <= len(criteria) <= MAX_CRITERIA:
        return f"A list of 1 to {MAX_CRITERIA} criteria is expected."
    if not all(_is_criterion(each) for each in criteria):
        return "Each criterion has a key, a title, a text about it, a scale, a weight, and whom it applies to."
    if len({each["key"] for each in criteria}) < len(criteria):
        return "Each key stands once."
    return None


def is_key(key: Any) -> bool:
    """Whether a text is a key of a criterion: small letters, digits and `_`."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789_"
    return isinstance(key, str) and 1 <= len(key) <= MAX_KEY and all(letter in letters for letter in key)


def key_refusal(key: str) -> str | None:
    """Why a text is no key of a criterion; None if it is one."""
    return None if is_key(key) else f"A key has 1 to {MAX_KEY} small letters, digits and _."


_CHECKS: Mapping[str, Callable[[Any], bool]] = {
    "key": is_key,
    "title": lambda title: isinstance(title, str) and 1 <= len(title.strip()) <= len(title) <= MAX_TITLE,
    "about": lambda about: isinstance(about, str) and len(about) <= MAX_ABOUT,
    "scale": lambda scale: scale in tuple(CriterionScale),
    "weight": lambda weight: is_number(weight) and 1 <= weight <= MAX_WEIGHT,
    "is_critical": lambda critical: isinstance(critical, bool),
    "applies": lambda applies: applies in tuple(Applies),
}


def _is_criterion(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and found.keys() == _CHECKS.keys()
        and all(fits(found[name]) for name, fits in _CHECKS.items())
    )


def is_number(value: Any) -> bool:
    """Whether a value of JSON is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def flags_refusal(flags: Any) -> str | None:
    """Why these are no flags; None if they are."""
    if isinstance(flags, list) and all(flag in tuple(Flag) for flag in flags) and len({*flags}) == len(flags):
        return None
    return f"Some of {', '.join(Flag)} are expected, each once."
