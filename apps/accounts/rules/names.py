"""Rules of names that people give."""

import unicodedata

# Control characters, halves of surrogate pairs, line and paragraph separators, and what turns the direction of a text.
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})


_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


_BLANK_CATEGORIES = ("C", "Z")


def has_unseen_characters(name: str) -> bool:
    """Whether a name holds what no name needs, and can't be seen: it could fake another, or break a line.

    Joiners and marks of direction are let through: emoji, Persian and Hebrew are written with them.
    """
    return any(each in _TURNING or unicodedata.category(each) in _UNSEEN_CATEGORIES for each in name)


def is_blank(name: str) -> bool:
    """Whether nothing of a name would be seen."""
    return all(unicodedata.category(each).startswith(_BLANK_CATEGORIES) for each in name)
