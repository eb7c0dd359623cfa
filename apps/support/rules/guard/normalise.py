"""The text that is checked, sent and stored: normalised once, and plain."""

import json
import re
import unicodedata
from typing import Literal

from apps.support.rules.guard.views import folded

MAX_LENGTH = 3500

Reason = Literal["invalid_input", "forbidden_whitespace", "forbidden_characters", "text_not_plain"]

# Zero-width spaces and joiners, the word joiner, the byte order mark, the soft hyphen, the Mongolian vowel separator
# and the grapheme joiner: nobody sees them, and taking them out changes no word.
_INVISIBLE = dict.fromkeys((0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD, 0x180E, 0x034F))
_WHITESPACE = frozenset("\t\f\x85\u2028\u2029")
# Letters and signs that are drawn as nothing at all, though Unicode counts them among letters and symbols.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800\u17b4\u17b5")
_SELECTORS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0d\U000e0100-\U000e01ef]")
_MARKUP = re.compile(r"<(?:[^\W\d_]|[/!?])|&(?:[a-z][a-z0-9]*|#[0-9]+|#x[0-9a-f]+);|\]\(", re.IGNORECASE)
_KEY = re.compile(r"\[\s*k\s*e\s*y\s*_")


class TextRefused(Exception):
    """The text can't be an answer; `reason` is the problem's code, and the message says why."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason: Reason = reason


def normalised(text: str) -> str:
    """The text with every Unicode space as a space and without zero-width characters; nothing else is changed."""
    text = text.translate(_INVISIBLE)
    return text.translate({ord(one): " " for one in set(text) if unicodedata.category(one) == "Zs"})


def refuse_unless_plain(text: str) -> None:
    """Raises TextRefused for a normalised text that has no words, is too long, or holds more than plain words."""
    if not 1 <= len(text) <= MAX_LENGTH or not text.strip():
        raise TextRefused("invalid_input", f"The text has 1 to {MAX_LENGTH} characters, and not only spaces.")
    if not _WHITESPACE.isdisjoint(text):
        raise TextRefused("forbidden_whitespace", "Tabs, form feeds and Unicode's line separators can't be sent.")
    if any(map(_is_forbidden, set(text))) or _SELECTORS.search(text):
        raise TextRefused("forbidden_characters", "Control and invisible characters can't be sent.")
    if _is_json(text) or _MARKUP.search(text) or _KEY.search(folded(text)):
        raise TextRefused(
            "text_not_plain", "An answer is plain text: no JSON, HTML, links of Markdown, or markers in brackets."
        )


def _is_forbidden(character: str) -> bool:
    return (unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs") and character != "\n") or character in _BLANK


def _is_json(text: str) -> bool:
    """Whether the whole is an object or an array."""
    text = text.strip()
    if text[:1] + text[-1:] not in ("{}", "[]"):
        return False
    try:
        json.loads(text)
    except RecursionError:
        return True
    except ValueError:
        return False
    return True
