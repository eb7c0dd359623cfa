"""The cards that a widget may have: their keys, titles and times to live."""

import re
from collections.abc import Iterable
from typing import Any

from apps.core.parsing.names import name_refusal

MAX_CARDS, MAX_TITLE, MAX_TTL_S, TTL_S = 8, 80, 86_400, 300
_KEY = re.compile(r"[a-z0-9_-]{1,40}")
_TTL = re.compile(r"[0-9]{1,5}")


def read_card(line: str) -> dict[str, Any]:
    """A card as it is written in one line: `key:Title` or `key:Title:ttl`. It is not checked yet."""
    key, _, rest = line.partition(":")
    title, colon, ttl = rest.rpartition(":")
    if not colon or not _TTL.fullmatch(ttl.strip()):
        title, ttl = rest, str(TTL_S)
    return {"key": key.strip(), "title": title.strip(), "ttl_seconds": int(ttl)}


def written(card: dict[str, Any]) -> str:
    """The line of a card."""
    return f"{card['key']}:{card['title']}:{card['ttl_seconds']}"


def cards_refusal(cards: Iterable[dict[str, Any]]) -> str | None:
    """Why these are no cards of a widget; None if they are."""
    cards = list(cards)
    if not 1 <= len(cards) <= MAX_CARDS:
        return f"There are 1 to {MAX_CARDS} cards."
    for card in cards:
        if refusal := _refusal(card):
            return f"{card['key'][:40] or '?'}: {refusal}"
    return None if len({card["key"] for card in cards}) == len(cards) else "Each card has a key of its own."


def imported_cards_refusal(found: Any) -> str | None:
    """Why these are no cards of an imported widget; None if they are."""
    kinds = {"key": str, "title": str, "ttl_seconds": int}
    if not isinstance(found, list):
        return "A list of cards is expected."
    for card in found:
        if not isinstance(card, dict) or card.keys() != kinds.keys():
            return "An object of key, title and ttl_seconds is expected."
        if any(type(card[name]) is not kind for name, kind in kinds.items()):
            return "A key and a title as texts and whole seconds are expected."
    return cards_refusal(found)


def _refusal(card: dict[str, Any]) -> str | None:
    if not _KEY.fullmatch(card["key"]):
        return "A key has 1 to 40 of a-z, 0-9, _ and -."
    if refusal := name_refusal(card["title"]):
        return refusal
    if len(card["title"]) > MAX_TITLE:
        return f"A title has at most {MAX_TITLE} characters."
    return None if 0 <= card["ttl_seconds"] <= MAX_TTL_S else f"A time to live is 0 to {MAX_TTL_S} seconds."
