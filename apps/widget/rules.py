"""Visitor tokens, origins and languages. Pure."""

import re
from collections.abc import Collection, Sequence
from datetime import timedelta

from apps.accounts.rules import random_base62

TOKEN_PREFIX, TOKEN_BODY_LENGTH = "vt_", 40
MAX_TEXT_LENGTH = 10_000  # characters of one message of a visitor

# What visitors upload is counted for so long, each file as these bytes at least: rows and files cost, too, and a count
# looks at no more rows than fit into the total. Not in the specification.
UPLOADS_COUNT_FOR = timedelta(days=1)
LEAST_UPLOAD = 64 * 1024

# The languages of the widget's own texts.
LANGUAGES = ("ru", "en", "el", "de", "es", "ar", "zh")
DEFAULT_LANGUAGE = "en"

_TOKEN = re.compile(rf"{TOKEN_PREFIX}[0-9A-Za-z]{{{TOKEN_BODY_LENGTH}}}")
_ACCEPTED = re.compile(r"([A-Za-z]{1,8})(?:-[A-Za-z0-9]{1,8})*\s*(?:;\s*q=([01](?:\.\d{0,3})?))?")


def new_visitor_token() -> str:
    """A fresh plain token: `vt_` and 40 random base62 characters."""
    return TOKEN_PREFIX + random_base62(TOKEN_BODY_LENGTH)


def is_visitor_token(text: str) -> bool:
    """Whether a text has the form of a visitor token."""
    return _TOKEN.fullmatch(text) is not None


def origin_allowed(origin: str | None, allowed: Collection[str], own: str) -> bool:
    """Whether a page of that origin may use the widget.

    None set means all. Programs that send no Origin are no browsers, so there is nothing to protect them from; the
    service's own pages (`own`, the demo page) may always.
    """
    if origin is None or not allowed:
        return True
    return origin.lower() in {each.lower().rstrip("/") for each in (*allowed, own)}


def public_origin(url: str) -> str:
    """The origin of PUBLIC_URL: its scheme and authority, as they are set."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}"


def language_for(wished: str, accepted: str, offered: Sequence[str] = LANGUAGES) -> str:
    """The offered language for a visitor: the wished one, else the best of an Accept-Language header, else English."""
    for tag in (wished, *_by_preference(accepted)):
        if (language := tag[:2].lower()) in offered:
            return language
    return DEFAULT_LANGUAGE


def _by_preference(accepted: str) -> list[str]:
    matches = filter(None, map(_ACCEPTED.fullmatch, map(str.strip, accepted[:500].split(","))))
    weighed = [(float(match[2] or 1), match[1]) for match in matches]
    return [tag for weight, tag in sorted(weighed, key=lambda each: -each[0]) if weight > 0]
