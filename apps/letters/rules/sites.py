"""The page of the shop's own to which a letter leads. Pure."""

from urllib.parse import urlsplit


def is_site(text: str) -> bool:
    """Whether it is an address that begins with https://, without credentials and without a fragment."""
    if len(text) > 2000 or not text.isprintable() or set(text) & set(' \\#"<>'):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme == "https" and bool(parts.hostname) and not parts.username and (parts.port or 1) > 0
    except ValueError:
        return False
