"""Texts as searches compare them: what a person types is found however the other person spelt it.

The database does the same to what is searched (`functions.sql`: `chats_alike`, `chats_fold`), the console's page to
what it marks (`folding.js`).
"""

import re

from apps.core.parsing.normal_forms import normalize

# Combining marks and format characters, which are left out: of the Basic Multilingual Plane, tags and selectors.
DROPPED = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0600-\u0605"
    "\u0610-\u061a\u061c\u064b-\u065f\u0670\u06d6-\u06dd\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u070f"
    "\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827"
    "\u0829-\u082d\u0859-\u085b\u0890-\u089f\u08ca-\u0902\u093a\u093c\u0941-\u0948\u094d\u0951-\u0957"
    "\u0962-\u0963\u0981\u09bc\u09c1-\u09c4\u09cd\u09e2-\u09e3\u09fe-\u0a02\u0a3c\u0a41-\u0a51"
    "\u0a70-\u0a71\u0a75\u0a81-\u0a82\u0abc\u0ac1-\u0ac8\u0acd\u0ae2-\u0ae3\u0afa-\u0b01\u0b3c\u0b3f"
    "\u0b41-\u0b44\u0b4d-\u0b56\u0b62-\u0b63\u0b82\u0bc0\u0bcd\u0c00\u0c04\u0c3c\u0c3e-\u0c40"
    "\u0c46-\u0c56\u0c62-\u0c63\u0c81\u0cbc\u0cbf\u0cc6\u0ccc-\u0ccd\u0ce2-\u0ce3\u0d00-\u0d01"
    "\u0d3b-\u0d3c\u0d41-\u0d44\u0d4d\u0d62-\u0d63\u0d81\u0dca\u0dd2-\u0dd6\u0e31\u0e34-\u0e3a"
    "\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f71-\u0f7e"
    "\u0f80-\u0f84\u0f86-\u0f87\u0f8d-\u0fbc\u0fc6\u102d-\u1030\u1032-\u1037\u1039-\u103a\u103d-\u103e"
    "\u1058-\u1059\u105e-\u1060\u1071-\u1074\u1082\u1085-\u1086\u108d\u109d\u135d-\u135f\u1712-\u1714"
    "\u1732-\u1733\u1752-\u1753\u1772-\u1773\u17b4-\u17b5\u17b7-\u17bd\u17c6\u17c9-\u17d3\u17dd"
    "\u180b-\u180f\u1885-\u1886\u18a9\u1920-\u1922\u1927-\u1928\u1932\u1939-\u193b\u1a17-\u1a18\u1a1b"
    "\u1a56\u1a58-\u1a60\u1a62\u1a65-\u1a6c\u1a73-\u1a7f\u1ab0-\u1b03\u1b34\u1b36-\u1b3a\u1b3c\u1b42"
    "\u1b6b-\u1b73\u1b80-\u1b81\u1ba2-\u1ba5\u1ba8-\u1ba9\u1bab-\u1bad\u1be6\u1be8-\u1be9\u1bed"
    "\u1bef-\u1bf1\u1c2c-\u1c33\u1c36-\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce0\u1ce2-\u1ce8\u1ced\u1cf4"
    "\u1cf8-\u1cf9\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20f0\u2cef-\u2cf1\u2d7f"
    "\u2de0-\u2dff\u302a-\u302d\u3099-\u309a\ua66f-\ua672\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1\ua802"
    "\ua806\ua80b\ua825-\ua826\ua82c\ua8c4-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua951"
    "\ua980-\ua982\ua9b3\ua9b6-\ua9b9\ua9bc-\ua9bd\ua9e5\uaa29-\uaa2e\uaa31-\uaa32\uaa35-\uaa36\uaa43"
    "\uaa4c\uaa7c\uaab0\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaec-\uaaed\uaaf6\uabe5\uabe8\uabed"
    "\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\ufff9-\ufffb\U000e0001-\U000e01ef"
)
# What NFKC leaves, and people type in each other's stead. Letters with a stroke have no mark that could be taken off.
LETTERS = str.maketrans(
    {
        **dict(zip("łŁøØđĐ", "lLoOdD", strict=True)),
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        **dict.fromkeys("’‘ʼ`", "'"),
        **dict.fromkeys("\u058a\u05be\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2e3a\u2e3b", "-"),
    }
)
_DROPPED = re.compile(f"[{DROPPED}]+")
SPACES = "[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
_SPACES = re.compile(SPACES)
_CASES = str.maketrans({"ß": "ss", "ς": "σ", "ı": "i"})


def alike(text: str) -> str:
    """A text with its case kept: NFKC, marks off (`й` is a letter of its own, `ё` is `е`), one apostrophe, dash, space.

    Two tags of one such spelling are one tag. Empty for marks and format characters alone.
    """
    text = normalize("NFKD", text.replace("´", "'"))
    text = text.replace("и\u0306", "й").replace("И\u0306", "Й")
    text = _SPACES.sub(" ", _DROPPED.sub("", text).translate(LETTERS))
    return normalize("NFC", text)


def folded(text: str) -> str:
    """A text as searches compare it: `alike`, in one case. To fold it again changes nothing."""
    return alike(text).lower().translate(_CASES)


# A letter with the marks on it, letters of Hangul that are written apart, or a run of spaces.
_PIECES = re.compile(f"[\u1100-\u11ff{DROPPED}]+|{SPACES}|.[{DROPPED}]*", re.DOTALL)


def place_of(text: str, term: str) -> int | None:
    """The number of the character at which a folded term stands in a text that is not folded, or None."""
    whole = folded(text)
    place = whole.find(term) if term else -1
    if place < 0:
        return None
    if folded(text[place : place + len(term)]) == term:
        return place
    length = 0
    for piece in _PIECES.finditer(text):
        length += len(folded(piece[0]))
        if length > place:
            return piece.start()
    return None
