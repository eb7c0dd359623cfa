"""The facts in which a text and its translation differ."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from apps.ai.rules.facts import FactKind, TextFact, facts_of


class FactDifference(NamedTuple):
    """A fact that one of two texts lacks: as it stands in each, None for the text without it."""

    kind: FactKind
    source: str | None
    text: str | None

    def as_json(self) -> dict[str, str | None]:
        return {"kind": self.kind.value, "source": self.source, "text": self.text}


def differences(source: str, text: str) -> list[FactDifference]:
    """The facts that one of a text and its translation lacks: what is missing first, then what was added.

    Facts are counted, their order is free. Stricter than `KnownFacts`: links, codes and phone numbers are the same
    character by character, an amount has the same currency.
    """
    asked, given = facts_of(source, with_quoted=True), facts_of(text, with_quoted=True)
    left = _unmatched(asked, given)
    added = _unmatched(given, asked)
    pairs = [FactDifference(fact.kind, fact.text, None) for fact in left]
    for fact in added:
        place = next((n for n, pair in enumerate(pairs) if pair.text is None and pair.kind is fact.kind), None)
        if place is None:
            pairs.append(FactDifference(fact.kind, None, fact.text))
        else:
            pairs[place] = pairs[place]._replace(text=fact.text)
    return pairs


def _unmatched(facts: Sequence[TextFact], others: Sequence[TextFact]) -> list[TextFact]:
    """The facts that have no fellow among the others, each of which is a fellow once.

    Facts of the same readings meet first, then those of fewer readings: `1.500` takes what is left of 1500 and 1.5.
    """
    left, free = list(facts), list(others)
    for is_whole in (True, False):
        waiting: dict[object, list[TextFact]] = defaultdict(list)
        for other in free:
            for key in _keys(other, is_whole):
                waiting[key].append(other)
        taken: set[int] = set()
        unmatched = []
        for fact in sorted(left, key=lambda each: len(_strict(each))):
            keys = _keys(fact, is_whole)
            for key in keys:
                while waiting[key] and id(waiting[key][-1]) in taken:
                    waiting[key].pop()
            fellows = (each for key in keys for each in reversed(waiting[key]))
            fellow = next(
                (
                    each
                    for each in fellows
                    if id(each) not in taken and _same_year(fact, each) and _same_unit(fact, each)
                ),
                None,
            )
            if fellow is None:
                unmatched.append(fact)
            else:
                taken.add(id(fellow))
        left, free = unmatched, [other for other in free if id(other) not in taken]
    return sorted(left, key=lambda fact: fact.start)


def _keys(fact: TextFact, is_whole: bool) -> Sequence[object]:
    """All readings as one, or each by itself."""
    return [_strict(fact)] if is_whole else sorted(_strict(fact))


def _same_year(fact: TextFact, other_fact: TextFact) -> bool:
    if fact.year is None or other_fact.year is None:
        return True
    among = 100 if min(fact.year, other_fact.year) < 100 else 10_000
    return fact.year % among == other_fact.year % among


def _same_unit(fact: TextFact, other_fact: TextFact) -> bool:
    """Whether both may be of one unit. A number without one, or with a word that is none, may be of any."""
    return not fact.units or not other_fact.units or not fact.units.isdisjoint(other_fact.units)


def _strict(fact: TextFact) -> frozenset[str]:
    """The ways to read a fact of which two texts must share one."""
    if fact.kind in (FactKind.LINK, FactKind.CODE):
        return frozenset({f"{fact.kind.value} {fact.text}"})
    if any(reading.startswith("phone ") for reading in fact.readings):
        return frozenset({"phone " + "".join(filter(str.isdigit, fact.text))})
    if fact.kind in (FactKind.MONEY, FactKind.PERCENT):
        return frozenset(reading for reading in fact.readings if reading.startswith(f"{fact.kind.value} "))
    return fact.readings
