"""Words and phrases in the texts that people write, however they are spelled.

Matching: NFKC, any case, ё as е, whole words (in Chinese any place); a trailing `*` matches a beginning.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from apps.core.parsing.normal_forms import normalize

# Longer than any burst that is read.
LONGEST_FOLDED = 33_000


def folded(text: str) -> str:
    """The text as it is compared: NFKC, in small letters, ё as е, one kind of apostrophe, single spaces."""
    # One character may become eighteen.
    text = normalize("NFKC", text)[:LONGEST_FOLDED]
    text = text.casefold().replace("ё", "е").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    # Greek and Spanish are often typed without accents, Arabic without marks.
    decomposed = normalize("NFD", text)
    # All but й, which is no и; ё becomes е.
    plain = "".join(c for c in decomposed if unicodedata.category(c) != "Mn" or c == "\N{COMBINING BREVE}")
    return re.sub(r"\s+", " ", normalize("NFC", plain))


def without(text: str, phrases: Iterable[str]) -> str:
    """The folded text without these phrases, the longest of which come first."""
    rest = folded(text)
    for phrase in phrases:
        rest = pattern(phrase).sub(" ", rest)
    return rest


@lru_cache(maxsize=4096)
def pattern(phrase: str) -> re.Pattern[str]:
    """The pattern by which a phrase is found in a folded text."""
    begins = phrase.endswith("*")
    text = re.escape(folded(phrase.removesuffix("*")).strip()).replace(r"\ ", r"[\s,]+")
    if _is_han(phrase):
        return re.compile(text)
    return re.compile(rf"(?<!\w){text}" + ("" if begins else r"(?!\w)"))


def _is_han(text: str) -> bool:
    return any(unicodedata.name(character, "").startswith("CJK") for character in text)
