"""Visitor tokens and origins; in the modules beside, the settings of a widget. Pure."""

import re
from collections.abc import Collection
from datetime import datetime, timedelta

from apps.accounts.rules import random_base62

TOKEN_PREFIX, TOKEN_BODY_LENGTH = "vt_", 40
MAX_TEXT_LENGTH = 10_000  # characters of one message of a visitor

# What visitors upload is counted for so long, each file as these bytes at least: rows and files cost, too, and a count
# looks at no more rows than fit into the total. Not in the specification.
UPLOADS_COUNT_FOR = timedelta(days=1)
LEAST_UPLOAD = 64 * 1024

# Of a session that a letter's link opened.
LETTER_SESSION_IDLE, LETTER_SESSION_LASTS = timedelta(days=1), timedelta(days=30)
MIN_LETTER, MAX_LETTER = 20, 200  # characters of a link's token

# A visitor's session ends so long after its last use, which is noted once in the second span at most.
SESSION_IDLE, USE_NOTED_EVERY = timedelta(days=365), timedelta(days=1)

_TOKEN = re.compile(rf"{TOKEN_PREFIX}[0-9A-Za-z]{{{TOKEN_BODY_LENGTH}}}")


def new_visitor_token() -> str:
    """A fresh plain token: `vt_` and 40 random base62 characters."""
    return TOKEN_PREFIX + random_base62(TOKEN_BODY_LENGTH)


def is_visitor_token(text: str) -> bool:
    """Whether a text has the form of a visitor token."""
    return _TOKEN.fullmatch(text) is not None


def is_use_noted(last_seen_at: datetime, now: datetime) -> bool:
    """Whether a session's last use is noted closely enough."""
    return now - last_seen_at < USE_NOTED_EVERY


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
