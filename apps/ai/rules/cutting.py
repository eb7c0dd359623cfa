"""Cutting a text so that half of it passes for nothing more: never inside a number, an address or a link. Pure, linear.

A text that a model could not finish ends with its last whole sentence, else with its last whole word and "…".
"""

import re

_ENDS = re.compile(r"[.!?…。！？؟۔\n]")
_CLOSING = "\"'»”’)]}*_`」』"
# Words that a dot stands behind without an end: parts of addresses and titles first of all.
_ABBREVIATIONS = frozenset((
    "ул", "гор", "дом", "стр", "корп", "кв", "пр", "просп", "пер", "наб", "пл", "обл", "оф", "эт", "им", "см",
    "тел", "мин", "макс", "напр", "т.е", "т.д", "т.п", "и.о", "e.g", "i.e", "st", "ave", "rd", "no", "nr", "str",
    "apt", "dr", "mr", "mrs", "ms", "vs", "approx", "tel", "av", "avda", "núm", "ca", "bzw", "max", "min", "prof",
    "inc",
))  # fmt: skip
# How far back an open bracket of a link is looked for.
_LINK_CHARACTERS = 300


def up_to_last_sentence(text: str) -> str:
    """The text up to its last whole sentence; without one, up to its last whole word, with "…" behind it."""
    text = text.strip()
    for end in [mark.start() for mark in _ENDS.finditer(text)][::-1]:
        after = _behind(text, end)
        if _is_end(text, end, after) and not _opens_a_link(text, after):
            return text[:after].rstrip()
    return _up_to_last_word(text)


def cut(text: str, longest: int) -> str:
    """The text itself where it has at most so many characters; else as much of it as fits and is whole."""
    return text if len(text) <= longest else up_to_last_sentence(text[: longest - 1])


def _behind(text: str, end: int) -> int:
    """The place behind an end of a sentence and the closing quotes and brackets that follow it."""
    after = end + 1
    while after < len(text) and text[after] in _CLOSING:
        after += 1
    return after


def _is_end(text: str, end: int, after: int) -> bool:
    mark = text[end]
    if mark != ".":
        return mark not in "!?" or after == len(text) or text[after].isspace()
    if after < len(text) and not text[after].isspace():
        return False
    before = text[max(0, end - 60) : end]
    words = before.split()
    word = words[-1] if words and not before[-1].isspace() else ""
    bare = word.strip("(«\"'[*_").casefold()
    if bare in _ABBREVIATIONS or (len(bare) == 1 and bare.isalpha()):
        return False
    if bare.isdecimal() and before.rstrip("0123456789")[-1:] in ("", "\n"):
        return False  # the number of a line in a list
    # At the very end of what came, the dot of "1.5" and of "shop.example" looks as any other.
    return after < len(text) or after > end + 1 or not (bare[-1:].isascii() or "." in bare or "/" in bare)


def _opens_a_link(text: str, end: int) -> bool:
    """Whether the text up to there ends within a link."""
    near = text[max(0, end - _LINK_CHARACTERS) : end]
    label, target = near.rfind("["), near.rfind("](")
    return label > near.rfind("]") or (target >= 0 and ")" not in near[target:]) or near.rfind("<") > near.rfind(">")


def _up_to_last_word(text: str) -> str:
    end = len(text)
    is_whole = text[-1:] in _CLOSING
    while end and (not is_whole or _opens_a_link(text, end)):
        end = _word_before(text, end)
        # A number may go on over a space: 1 500.
        is_whole = not any(character.isdigit() for character in text[_word_before(text, end) : end])
    kept = text[:end].rstrip(" ,;:-–—(\n\t")
    return f"{kept}…" if kept else ""


def _word_before(text: str, end: int) -> int:
    """The place where the last word before another begins, without the space before it."""
    while end and text[end - 1].isspace():
        end -= 1
    while end and not text[end - 1].isspace():
        end -= 1
    while end and text[end - 1].isspace():
        end -= 1
    return end
