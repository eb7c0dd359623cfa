"""How owners name a community of VK. Pure."""

import re

_HOSTS = ("vk.com", "m.vk.com", "vk.ru", "vk.me")
_GROUP = re.compile(r"(?:club|public|event)([1-9][0-9]{0,17})")
_SCREEN_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.]{1,63}")
_DIGITS = re.compile(r"[1-9][0-9]{0,17}")


def read_community(given: str | int) -> str | None:
    """The name to ask VK for: an id, or a screen name; None for what names no community."""
    text = str(given)
    if text.lower().startswith("https://"):
        host, _, path = text[len("https://") :].partition("/")
        if host.lower() not in _HOSTS:
            return None
        text = path.removesuffix("/")
    if found := _GROUP.fullmatch(text):
        return found[1]
    return text if _DIGITS.fullmatch(text) or _SCREEN_NAME.fullmatch(text) else None
