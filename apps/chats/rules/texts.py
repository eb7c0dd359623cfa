"""Texts of a widget's owner by language, `{lang: text}`: which of them a visitor is shown. Pure."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

Texts = Mapping[str, str]

NOT_SUPPORTED = "The widget does not support this language."
_LINK = re.compile(r"\]\(\s*<?([^)\s>]*)")


def language_of_texts(texts: Texts, wished: str, *, fallback: str, supported: Sequence[str]) -> str:
    """The language in which a visitor reads the texts: their own, else the widget's fallback, else the first supported
    one that is there, else any.
    """
    return next((code for code in (wished, fallback, *supported) if code in texts), next(iter(texts)))


def text_in(texts: Texts, wished: str, *, fallback: str, supported: Sequence[str]) -> str:
    """The text that a visitor of that language reads."""
    return texts[language_of_texts(texts, wished, fallback=fallback, supported=supported)]


def language_refusals(texts: Texts, supported: Sequence[str], path: str) -> dict[str, str]:
    """Why texts are in languages that the widget does not have, by path."""
    return {f"{path}.{code}": NOT_SUPPORTED for code in texts if code not in supported}


def link_refusal(text: str) -> str | None:
    """Why a text in Markdown has a link that visitors would not be given."""
    if any(not address.lower().startswith("https://") for address in _LINK.findall(text)):
        return "A link begins with https://."
    return None


def text_refusal(text: str, *, multiline: bool) -> str | None:
    """Why a text can't be one of the tenant's."""
    if not text.strip():
        return "This must not be blank."
    allowed = "\n" if multiline else ""
    if any(unicodedata.category(each) in ("Cc", "Zl", "Zp") and each not in allowed for each in text):
        return "Control characters are not allowed." if multiline else "This is one line without control characters."
    return None
