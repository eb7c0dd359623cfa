"""An operator's own choices of how they work. Pure."""

import re

MAX_READS = 10

_LANGUAGE = re.compile(r"[a-z]{2,3}")


def language_refusal(code: str) -> str | None:
    """Why a text is no code of a language, or None when it is one."""
    return None if _LANGUAGE.fullmatch(code) else "A language's code of two or three small letters is expected."


def reads_refusal(codes: list[str]) -> str | None:
    """Why these are not the languages that somebody reads, or None when they are."""
    if not 1 <= len(codes) <= MAX_READS:
        return f"From 1 to {MAX_READS} languages are expected."
    if len(set(codes)) != len(codes):
        return "Each language once."
    return next(filter(None, map(language_refusal, codes)), None)
