"""The knowledge of the played tea shop and the words of its visitors: `phrase_book.json`, in three languages."""

import json
from pathlib import Path
from typing import Any, NamedTuple

Phrase = dict[str, str]

_BOOK: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text())

# The played model's name.
MODEL = "played-tea-shop"
# Question and answer of each piece of knowledge, by language.
KNOWLEDGE: tuple[dict[str, tuple[str, str]], ...] = tuple(
    {language: (piece["question"], piece["answer"]) for language, piece in by_language.items()}
    for by_language in _BOOK["knowledge"]
)
# Words that many questions have, and that no piece is found by.
COMMON = frozenset(_BOOK["common"].split())
UNKNOWN: Phrase = _BOOK["unknown"]
# Answers by the beginning of a visitor's words, by language.
COURTESIES: dict[str, Phrase] = _BOOK["courtesies"]


class PlayedPart(NamedTuple):
    """A visitor who is played: their name, their language, and their lines, one after the other's answer."""

    name: str
    language: str
    lines: tuple[str, ...]
    email: str | None = None
    stars: int | None = None


PARTS = tuple(PlayedPart(**{**one, "lines": tuple(one["lines"])}) for one in _BOOK["visitors"])

# The words of visitors and the shop, by language, for the played translation.
PHRASES: tuple[Phrase, ...] = (
    *({language: piece[language][place] for language in piece} for piece in KNOWLEDGE for place in (0, 1)),
    UNKNOWN,
    *_BOOK["said"],
)
