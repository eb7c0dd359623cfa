"""Letters on a page of a PDF, told from noise, and words that a line's end divides."""

import re
from collections import Counter

# Characters that no text has: a font whose letters have no names gives them.
_NOISE = re.compile("[\ue000-\uf8ff\ufffd\x00-\x08\x0e-\x1f]|\\(cid:\\d+\\)")
_LATIN_FOR_CYRILLIC = re.compile("[\xc0-\xff]")
_HYPHEN = re.compile(r"([^\W\d_]+)([-\u00ad\u2010\x02\ufffe])\n([^\W\d_]+)")
_LETTER = re.compile(r"[^\W\d_]")
_NOISY, _FEW_LETTERS = 0.25, 20


def is_noise(text: str) -> bool:
    """Whether a page's letters are no letters: its fonts name none, or name those of another alphabet."""
    seen = [mark for mark in text if not mark.isspace()]
    if not seen:
        return False
    if len(_NOISE.findall(text)) > _NOISY * len(seen):
        return True
    letters = _LETTER.findall(text)
    return len(letters) > _FEW_LETTERS and len(_LATIN_FOR_CYRILLIC.findall(text)) > 0.6 * len(letters)


def joined(text: str, hyphenated: Counter[str]) -> str:
    """Words that a line's end divides, whole again; a hyphen stays where the document has that word elsewhere."""

    def whole(found: re.Match[str]) -> str:
        word = f"{found[1]}-{found[3]}"
        are_names = found[1][0].isupper() and found[3][0].isupper() and not found[1].isupper()
        is_real = found[2] == "-" and (hyphenated[word.casefold()] > 0 or are_names)
        return word if is_real else found[1] + found[3]

    return _HYPHEN.sub(whole, text)
