"""Answers of people that fit a question: by the words that both have. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log
from typing import NamedTuple

from apps.chats.rules.phrases import folded

MIN_ANSWER, MOST_FOUND = 20, 3
# Of a question and an answer, characters that are read and shown.
MAX_READ = 1_000
# A word says something from this length on; a longer one is compared by its beginning, as endings change.
SHORTEST_WORD, STEM = 3, 5
# The share of a question's words that another one has at least.
LEAST_ALIKE = 0.34

_WORD = re.compile(r"[^\W_]+")
_DIGITS = re.compile(r"\d(?>(?:[ \u00a0().+-]{0,3}\d){4,40})")
# What is masked: nothing of it belongs to the next visitor.
MASK = "[…]"


class PastAnswerFound(NamedTuple):
    """A visitor's question in a chat, and a person's answer."""

    chat_id: int
    question: str
    answer: str


def stems(text: str) -> set[str]:
    """The words of a text as they are compared."""
    return {word[:STEM] for word in _WORD.findall(folded(text[:MAX_READ])) if len(word) >= SHORTEST_WORD}


def best(question: str, known: Iterable[PastAnswerFound]) -> Sequence[PastAnswerFound]:
    """The answers to the questions most like this one, best first; a rare word counts more than a frequent one."""
    wanted = stems(question)
    pairs = [(stems(one.question), one) for one in known]
    often = Counter(word for words, _ in pairs for word in words & wanted)
    weight = {word: log(1 + len(pairs) / (1 + often[word])) + 0.1 for word in wanted}
    total = sum(weight.values())
    scored = [(sum(weight[word] for word in words & wanted) / total, one) for words, one in pairs if words & wanted]
    alike = sorted((pair for pair in scored if pair[0] >= LEAST_ALIKE), key=lambda pair: -pair[0])
    found: dict[str, PastAnswerFound] = {}
    for _, one in alike:
        found.setdefault(one.answer, one)
    return list(found.values())[:MOST_FOUND]


def united(*found: Iterable[PastAnswerFound]) -> Sequence[PastAnswerFound]:
    """Answers that were found in several ways, the first way's first, each once."""
    once = {one.answer: one for way in reversed(found) for one in reversed(list(way))}
    return list(reversed(once.values()))[:MOST_FOUND]


def without_long_numbers(text: str) -> str:
    """The text without runs of five digits and more, however they are grouped."""
    return _DIGITS.sub(MASK, text)
