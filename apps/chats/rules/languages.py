"""In which language a visitor is served, and in which direction it is written. Pure."""

import re
from collections.abc import Mapping, Sequence

# The languages of the widget's own texts, with their own names.
NAMES: Mapping[str, str] = {
    "ru": "Русский",
    "en": "English",
    "el": "Ελληνικά",
    "de": "Deutsch",
    "es": "Español",
    "ar": "العربية",
    "zh": "中文",
}
LANGUAGES = tuple(NAMES)
_RIGHT_TO_LEFT = frozenset({"ar"})

_ACCEPTED = re.compile(r"([A-Za-z]{1,8})(?:-[A-Za-z0-9]{1,8})*\s*(?:;\s*q=([01](?:\.\d{0,3})?))?")


def language_for(wished: str, accepted: str, *, default: str, supported: Sequence[str], fallback: str) -> str:
    """The language that a visitor is served: the wished one, if it is supported; the tenant's, if it is fixed; else the
    best supported of an Accept-Language header; else the fallback. Tags count by their primary subtag.
    """
    if (chosen := _primary(wished)) in supported:
        return chosen
    if default != "auto":
        return default
    return next((code for code in _by_preference(accepted) if code in supported), fallback)


def direction_of(language: str) -> str:
    """`rtl` or `ltr`."""
    return "rtl" if language in _RIGHT_TO_LEFT else "ltr"


def _primary(tag: str) -> str:
    return tag.replace("_", "-").partition("-")[0].lower()


def _by_preference(accepted: str) -> list[str]:
    matches = filter(None, map(_ACCEPTED.fullmatch, map(str.strip, accepted[:500].split(","))))
    weighed = [(float(match[2] or 1), match[1].lower()) for match in matches]
    return [code for weight, code in sorted(weighed, key=lambda each: -each[0]) if weight > 0]
