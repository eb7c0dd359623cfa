"""The refusals of patterns of addresses, which browsers match (design `first-word`, 1). Pure, in linear time.

A pattern begins with `/` and holds on any host, or with a host. `*` is any run, also an empty one.
"""

import re

MAX_PATTERN = 500
MAX_PATTERNS = 20
MAX_NEVER_ON = 50
NEVER_ON = ("/*checkout*", "/*payment*", "/*login*", "/*signin*", "/*register*")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
# Letters of any script: browsers write such hosts in both forms.
_HOST = re.compile(r"[\w.*-]+(?::(?:[0-9]{1,5}|\*))?")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]|^\s|\s$")


def pattern_refusal(pattern: object) -> str | None:
    """Why an address's pattern is none; None for one that browsers match."""
    if not isinstance(pattern, str):
        return "A pattern is a text."
    if not 1 <= len(pattern) <= MAX_PATTERN:
        return f"A pattern has 1 to {MAX_PATTERN} characters."
    if _UNPRINTABLE.search(pattern):
        return "A pattern has no control characters, and no spaces at its ends."
    if pattern.startswith("/"):
        return None if not pattern.startswith("//") else "Begin with one slash, or with a host."
    if scheme := _SCHEME.match(pattern):
        if scheme[1].lower() not in ("http", "https"):
            return "Only pages of http and https are matched."
        pattern = pattern[scheme.end() :]
    host = re.split(r"[/?#]", pattern, maxsplit=1)[0]
    if not _HOST.fullmatch(host):
        return "A pattern begins with / or with a host, such as shop.example/sale*."
    return None


def host_refusal(host: object) -> str | None:
    """Why a host of a referrer is none; `*` may stand in it, and the empty text is a visit without a referrer."""
    if not isinstance(host, str) or len(host) > MAX_PATTERN:
        return f"A host is a text of at most {MAX_PATTERN} characters."
    return None if host == "" or _HOST.fullmatch(host) else "A host is expected, such as *.google.com."


def patterns_refusals(patterns: object, path: str, *, most: int = MAX_PATTERNS, least: int = 1) -> dict[str, str]:
    """The refusals of a list of patterns, by path."""
    if not isinstance(patterns, list) or not least <= len(patterns) <= most:
        return {path: f"A list of {least} to {most} patterns is expected."}
    found = ((f"{path}.{place}", pattern_refusal(pattern)) for place, pattern in enumerate(patterns))
    return {at: refusal for at, refusal in found if refusal}
