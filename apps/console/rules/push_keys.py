"""Browsers that get push messages: their addresses and keys. Pure."""

import re

# Browsers in which an operator is told of visitors by push messages; bytes of the keys of one (RFC 8291, 3.2).
MAX_BROWSERS, MAX_ENDPOINT = 20, 1_000
KEY_BYTES, AUTH_BYTES = 65, 16

_BASE64URL = re.compile("[A-Za-z0-9_-]+={0,2}")


def endpoint_refusal(text: str) -> str | None:
    """The refusal of a push service's address; None for nothing. Its target is checked at each message."""
    return None if text.startswith("https://") and text.isascii() else "An https:// address is expected."


def key_refusal(text: str) -> str | None:
    """The refusal of a browser's public key; None for nothing."""
    return None if _decoded_length(text) == KEY_BYTES else f"{KEY_BYTES} bytes in base64url are expected."


def auth_refusal(text: str) -> str | None:
    """The refusal of a browser's secret; None for nothing."""
    return None if _decoded_length(text) == AUTH_BYTES else f"{AUTH_BYTES} bytes in base64url are expected."


def _decoded_length(text: str) -> int:
    if not _BASE64URL.fullmatch(text):
        return -1
    bare = text.rstrip("=")
    return len(bare) * 3 // 4 if len(bare) % 4 != 1 else -1
