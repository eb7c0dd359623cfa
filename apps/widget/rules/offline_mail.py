"""The rules of offline forms, and when answers to them are mailed. Pure."""

from collections.abc import Collection
from datetime import timedelta

# An answer that stays unseen for so long is mailed, for so long after the visitor asked for it.
UNSEEN_FOR = timedelta(minutes=5)
ASKED_FOR = timedelta(days=30)
HOUR = timedelta(hours=1)
LETTERS_AN_HOUR = 3  # to an address, from all widgets of the installation
MESSAGES_A_LETTER = 50

# One of these, written alone into the chat, ends the mails.
STOP_WORDS = frozenset({"stop", "стоп", "unsubscribe", "отписаться", "stopp", "alto", "στοπ", "توقف", "停止"})


def is_stop_word(text: str) -> bool:
    """Whether a visitor's message is nothing but a word that ends the mails."""
    return text.strip().strip(".!¡。").casefold() in STOP_WORDS


def linked_page(page_url: str, allowed_origins: Collection[str]) -> str | None:
    """The page that a letter may lead back to: one of an origin that the owner has named, or none.

    The visitor's page is their own claim: without a list, it could be any page.
    """
    scheme, separator, rest = page_url.partition("://")
    if not separator or scheme.lower() not in ("http", "https") or not page_url.isprintable():
        return None
    if " " in page_url or "\\" in page_url:  # browsers read what follows in their own ways
        return None
    host = rest.split("/", 1)[0].split("?", 1)[0].split("#", 1)[0]
    origin = f"{scheme}://{host}".lower()
    return page_url if origin in {each.lower().rstrip("/") for each in allowed_origins} else None
