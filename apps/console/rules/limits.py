"""Limits of the console, and the language that it speaks. Pure."""

from datetime import timedelta

MIN_SEARCH, MAX_SEARCH = 2, 100  # characters of a search for chats
CLOSED_AT_HAND = timedelta(days=1)  # for which an operator's own chats stay in view after they were closed
PAGE_LENGTH = 50  # rows of the inbox, unless the call says otherwise
MAX_TEXT_LENGTH = 10_000  # characters of one message; in any script they fit into a frame
MIN_WISH, MAX_WISH = 3, 2_000  # characters of what an assistant should have done, as the API takes them


def spoken(language: str | None) -> str:
    """The language that the console speaks to somebody whose cabinet or browser has this one."""
    return "ru" if (language or "").startswith("ru") else "en"
