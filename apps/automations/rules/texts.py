"""Texts as conditions compare them. Pure."""

import re
from functools import lru_cache

from apps.chats.rules.folding import folded

# Texts of one chat are asked by many conditions one after the other.
_REMEMBERED = 256
_WORDS = re.compile(r"\w+")


def as_text(fact: object) -> str:
    """A fact as a text: an attribute may be a number, or true or false."""
    if isinstance(fact, str):
        return fact
    if isinstance(fact, bool):
        return "true" if fact else "false"
    return "" if fact is None else str(fact)


@lru_cache(maxsize=_REMEMBERED)
def plain(text: str) -> str:
    """A text as searches compare it, without spaces at its ends."""
    return folded(text).strip()


@lru_cache(maxsize=_REMEMBERED)
def folded_words(text: str) -> str:
    """The words of a text, each between spaces, so that whole words are found in them; empty without any."""
    words = _WORDS.findall(folded(text))
    return f" {' '.join(words)} " if words else ""
