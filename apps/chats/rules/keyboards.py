"""The rules of link buttons. Source: specification, "Message", keyboard rules."""

import re
import unicodedata
from enum import StrEnum

MAX_BUTTONS = 7
MAX_LABEL = 64  # characters
MAX_URL = 2048  # characters


class ButtonStyle(StrEnum):
    PRIMARY = "primary"
    SECONDARY = "secondary"


_URL = re.compile(r"https://(?P<authority>[^/?#]*)(?P<rest>[/?#].*)?", re.IGNORECASE | re.DOTALL)
_AUTHORITY = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\[\]:@<>\"^`{|}%]+)(?::(?P<port>[0-9]{1,5}))?")
_FORBIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp"})


def label_refusal(label: str) -> str | None:
    """Why a button can't be labelled so; None when it can.

    The field declares how long a label may be. How long a label may be is declared with its field.
    """
    return None if label.strip() else "The label is empty."


def link_refusal(url: str) -> str | None:
    """Why a visitor's browser must not be led to that address; None when it may.

    Absolute https only, without user name and password, and without characters that readers of URLs read differently.
    """
    if len(url) > MAX_URL:
        return f"Must have at most {MAX_URL} characters."
    if "\\" in url or any(unicodedata.category(character) in _FORBIDDEN_CATEGORIES for character in url):
        return "Must not contain spaces, backslashes or control characters."
    parts = _URL.fullmatch(url)
    if parts is None:
        return "Must be an absolute URL that starts with https://."
    if "@" in parts["authority"]:
        return "Must not contain a user name or password."
    authority = _AUTHORITY.fullmatch(parts["authority"])
    if authority is None or not _is_host(authority["host"]):
        return "The host is not valid."
    if authority["port"] is not None and not 1 <= int(authority["port"]) <= 65_535:
        return "The port is not valid."
    return None


def _is_host(host: str) -> bool:
    return host.startswith("[") or all(1 <= len(label) <= 63 for label in host.removesuffix(".").split("."))
