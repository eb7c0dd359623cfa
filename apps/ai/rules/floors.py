"""Floors on what a visitor writes: what is answered without asking a model (docs/guides/ai.md, "Floors").

`safety_floor` (a threat to one's own life), `human_request` (a person is asked for), and `trigger` (a word that the
assistant's owner named). Matching: NFKC, any case, ё as е, whole words (in Chinese any place); a trailing `*` matches a
beginning.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from apps.ai.rules.human_requests import request_in
from apps.ai.rules.words import HUMAN_REQUESTS, SAFETY, SOCIAL

FloorReason = Literal["safety_floor", "human_request", "trigger"]


# Longer than any burst that is read (`prompts.bounded`).
LONGEST_FOLDED = 33_000


class Floor(NamedTuple):
    """Why a burst is handed over without a model: the reason, and the words that it was matched by."""

    reason: FloorReason
    trigger: str


def floor_of(burst: str, triggers: Sequence[str] = ()) -> Floor | None:
    """The first floor that the burst hits: life first, then a person, then the assistant's own triggers."""
    text = folded(burst)
    lists: tuple[tuple[FloorReason, Iterable[str]], ...] = (
        ("safety_floor", SAFETY),
        ("human_request", HUMAN_REQUESTS),
        ("trigger", triggers),
    )
    for reason, phrases in lists:
        for phrase in phrases:
            if _pattern(phrase).search(text):
                return Floor(reason, phrase)
        if reason == "human_request" and (words := request_in(text)):
            return Floor(reason, words)
    return None


def is_social(burst: str) -> bool:
    """Whether the burst is nothing but thanks, a greeting, a goodbye, an ok, or emoji."""
    text = folded(burst)
    for phrase in _by_length():
        text = _pattern(phrase).sub(" ", text)
    return bool(burst.strip()) and not any(character.isalnum() for character in text)


def folded(text: str) -> str:
    """The text as it is compared: NFKC, in small letters, ё as е, one kind of apostrophe, single spaces."""
    # One character may become eighteen.
    text = unicodedata.normalize("NFKC", text)[:LONGEST_FOLDED]
    text = text.casefold().replace("ё", "е").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    # Greek and Spanish are often typed without accents, Arabic without marks.
    decomposed = unicodedata.normalize("NFD", text)
    # All but й, which is no и; ё becomes е.
    plain = "".join(c for c in decomposed if unicodedata.category(c) != "Mn" or c == "\N{COMBINING BREVE}")
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", plain))


@cache
def _by_length() -> list[str]:
    return sorted(SOCIAL, key=len, reverse=True)


@lru_cache(maxsize=4096)
def _pattern(phrase: str) -> re.Pattern[str]:
    begins = phrase.endswith("*")
    text = re.escape(folded(phrase.removesuffix("*")).strip()).replace(r"\ ", r"[\s,]+")
    if _is_han(phrase):
        return re.compile(text)
    return re.compile(rf"(?<!\w){text}" + ("" if begins else r"(?!\w)"))


def _is_han(text: str) -> bool:
    return any(unicodedata.name(character, "").startswith("CJK") for character in text)
