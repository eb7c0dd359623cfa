"""How far a model agrees with people, over reviews that were scored blind. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from apps.reviews.rules.scorecards import CriterionScale

# From so many pairs on, kappa says something.
LEAST_FOR_KAPPA = 20


class ScoredPair(NamedTuple):
    """A person's value and the model's, of one criterion in one review."""

    person: int
    model: int


class Agreement(NamedTuple):
    """Among `n` pairs, `agreed` are equal (of five, one apart at most); `kappa` from 20 pairs on, to four places."""

    key: str
    n: int
    agreed: int
    kappa: float | None


def agreement_of(key: str, scale: CriterionScale, pairs: Sequence[ScoredPair]) -> Agreement:
    """The agreement of one criterion; Cohen's kappa with the same notion of agreement."""
    agreed = sum(_agree(scale, pair.person, pair.model) for pair in pairs)
    return Agreement(key, len(pairs), agreed, _kappa(scale, pairs, agreed))


def _agree(scale: CriterionScale, one: int, other: int) -> bool:
    return abs(one - other) <= (0 if scale is CriterionScale.YES_NO else 1)


def _kappa(scale: CriterionScale, pairs: Sequence[ScoredPair], agreed: int) -> float | None:
    """How much better than chance: (observed − expected) / (1 − expected). Null where chance alone would agree."""
    n = len(pairs)
    if n < LEAST_FOR_KAPPA:
        return None
    persons, models = Counter(pair.person for pair in pairs), Counter(pair.model for pair in pairs)
    by_chance = sum(_counts(scale, persons, models))
    if by_chance == n * n:
        return None
    return round((agreed * n - by_chance) / (n * n - by_chance), 4)


def _counts(scale: CriterionScale, persons: Counter[int], models: Counter[int]) -> Iterable[int]:
    for person, of_persons in persons.items():
        for model, of_models in models.items():
            if _agree(scale, person, model):
                yield of_persons * of_models
