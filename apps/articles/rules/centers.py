"""Limits of a help center's settings. Pure."""

import re
from typing import Any
from urllib.parse import urlsplit

from apps.articles.rules.limits import MAX_ADDRESS, MAX_LABEL, MAX_LINKS
from apps.chats.rules.languages import LANGUAGES
from apps.chats.rules.texts import text_refusal

_BLANK = re.compile(r"[\s\x00-\x1f\x7f<>\"\\]")


def is_https(address: Any) -> bool:
    """Whether an address begins with https and names a host."""
    if not isinstance(address, str) or len(address) > MAX_ADDRESS or _BLANK.search(address):
        return False
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme == "https" and bool(parts.hostname) and parts.username is None


def texts_refusal(texts: Any, longest: int) -> str | None:
    """Why these are no texts by language, one at least, each of one line."""
    if not isinstance(texts, dict) or not texts:
        return "Must be an object of texts by language."
    for code, text in texts.items():
        if code not in LANGUAGES:
            return "There is no such language."
        if not isinstance(text, str) or len(text) > longest:
            return f"A text of 1 to {longest} characters is expected."
        if refusal := text_refusal(text, multiline=False):
            return refusal
    return None


def footer_refusal(links: Any) -> str | None:
    """Why these are no links of the foot: at most 8 of {label (texts), url (https)}."""
    if not isinstance(links, list) or len(links) > MAX_LINKS:
        return f"At most {MAX_LINKS} links are expected."
    for link in links:
        if not isinstance(link, dict) or link.keys() != {"label", "url"}:
            return "Each link has a label and an address."
        if not is_https(link["url"]):
            return "Must be an address that begins with https://."
        if refusal := texts_refusal(link["label"], MAX_LABEL):
            return refusal
    return None
