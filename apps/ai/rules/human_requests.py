"""Whether a visitor asks for a person, told by words alone, in the seven languages (docs/guides/ai.md, "Floors").

A request is a wish beside whom it is for ("соедините … с оператором", "speak … to someone", "mit einem Menschen
sprechen"), a burst that is nothing but whom it is for ("Оператор!", "human please"), or a refusal of the bot ("хватит
бота"). A question about people is none, and so is a thing that is named after them.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from apps.ai.rules import words as known

# Words between a wish for talk, or another, and whom it is for.
TALK_WITHIN, WISH_WITHIN, BEHIND = 6, 5, 3
# Of so few words one may be mistyped, if it is so long.
SHORT, TYPO_FROM, LONGEST = 14, 6, 24

_WORD = re.compile(r"[^\W_]+")


class _Known(NamedTuple):
    whole: frozenset[str]
    stems: tuple[str, ...]


def request_in(folded: str) -> str | None:
    """The words by which a text that `handover_rules.folded` gave asks for a person; None where it does not. Linear.

    Chinese writes no spaces: `words.HUMAN_REQUESTS` has it.
    """
    words: list[str] = _WORD.findall(folded)
    if not words:
        return None
    is_short = len(words) <= SHORT
    persons = [_is(word, "PERSONS", may_be_mistyped=is_short) for word in words]
    weak = [not strong and _is(word, "SOMEBODY") for word, strong in zip(words, persons, strict=True)]
    services = [_is(word, "SERVICES") for word in words]
    if _is_alone(words, [any(each) for each in zip(persons, weak, services, strict=True)]):
        return " ".join(words[:SHORT])
    names_person = any(persons) or any(weak)
    if (refused := _refused_bot(words, names_person=names_person)) is not None:
        return words[refused]
    talks = [_is(word, "TALKS") for word in words]
    wishes = [_is(word, "WISHES") for word in words]
    for place, word in enumerate(words):
        if services[place] and any(talks[max(place - TALK_WITHIN, 0) : place + 1 + BEHIND]):
            return word
        if not (persons[place] or weak[place]) or _is_a_thing(words, place):
            continue
        if _is_wished(words, place, is_strong=persons[place], talks=talks, wishes=wishes):
            return word
    return None


def _is_alone(words: Sequence[str], named: Sequence[bool]) -> bool:
    """Whether nothing is named but whom it is for, with courtesies."""
    if not any(named):
        return False
    return all(is_named or _is(word, "FILLERS") for word, is_named in zip(words, named, strict=True))


def _is_wished(
    words: Sequence[str], place: int, *, is_strong: bool, talks: Sequence[bool], wishes: Sequence[bool]
) -> bool:
    if any(talks[max(place - TALK_WITHIN, 0) : place]) or any(talks[place + 1 : place + 1 + BEHIND]):
        return True
    if any(_is(word, "HELPS") for word in words[place + 1 : place + 1 + BEHIND]):
        return True
    for at in range(place - 1, max(place - 1 - WISH_WITHIN, -1), -1):
        if wishes[at]:
            return True
        if not _is(words[at], "FILLERS"):
            break
    behind = [at for at in range(place + 1, min(place + 1 + BEHIND, len(words))) if not _is(words[at], "FILLERS")]
    return is_strong and bool(behind) and wishes[behind[0]]


def _is_a_thing(words: Sequence[str], place: int) -> bool:
    """Whether the word behind makes it another thing: human hair, an operator of networks."""
    return place + 1 < len(words) and _is(words[place + 1], "THINGS")


def _refused_bot(words: Sequence[str], *, names_person: bool) -> int | None:
    """The place of the bot in a refusal of it."""
    for place, word in enumerate(words):
        if not _is(word, "BOTS"):
            continue
        before, behind = words[max(place - TALK_WITHIN - 1, 0) : place], words[place + 1 : place + 1 + BEHIND]
        if any(_is(each, "ENOUGH") for each in (*before[-4:], *behind[:2])):
            return place
        is_denied = any(_is(each, "NOT") for each in before)
        ends = all(_is(each, "FILLERS") for each in behind)
        wants = any(_is(each, "TALKS") or (ends and _is(each, "WISHES")) for each in before)
        if is_denied and (wants or any(_is(each, "TALKS") for each in behind)):
            return place
        if names_person and any(_is(each, "NOT") for each in before[-2:]):
            return place
    return None


@cache
def _list(name: str) -> _Known:
    words = getattr(known, name).split()
    stems = tuple(word.removesuffix("*") for word in words if word.endswith("*"))
    return _Known(frozenset(word for word in words if not word.endswith("*")), stems)


def _is(word: str, name: str, *, may_be_mistyped: bool = False) -> bool:
    named = _list(name)
    if word in named.whole or word.startswith(named.stems):
        return True
    if not may_be_mistyped or not TYPO_FROM <= len(word) <= LONGEST:
        return False
    return any(_nearly(word, each) for each in (*named.whole, *named.stems) if len(each) >= TYPO_FROM)


def _nearly(word: str, of: str) -> bool:
    """Whether it is the word but for one letter that is wrong, left out, added, or in the place of its neighbour."""
    if abs(len(word) - len(of)) > 1 or word[0] != of[0]:
        return False
    same = next(
        (at for at, pair in enumerate(zip(word, of, strict=False)) if pair[0] != pair[1]), min(len(word), len(of))
    )
    rest, wanted = word[same:], of[same:]
    swapped = rest[:2] == wanted[:2][::-1] and rest[2:] == wanted[2:]
    return swapped or rest[1:] == wanted[1:] or rest[1:] == wanted or rest == wanted[1:]
