"""The JSON object in a model's words. Pure and linear."""

import json
from collections.abc import Mapping
from typing import Any

# So many beginnings of an object are tried, and so many characters are read.
MOST_TRIED, MAX_READ = 20, 64_000

_DECODER = json.JSONDecoder(strict=False)


def first_object(text: str) -> Mapping[str, Any] | None:
    """The first JSON object of a text, whatever stands around it; None without one."""
    text = text[:MAX_READ]
    place = -1
    for _ in range(MOST_TRIED):
        place = text.find("{", place + 1)
        if place < 0:
            return None
        try:
            found, _ = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    return None


def texts_of(found: Any, *, most: int, longest: int) -> list[str]:
    """The texts of a list, cut and counted; none of what is no list of texts."""
    if not isinstance(found, list):
        return []
    texts = (" ".join(each.split())[:longest] for each in found[:most] if isinstance(each, str))
    return [text for text in texts if text]


def text_of(found: Any, *, longest: int) -> str:
    """A text on one line, cut; empty for anything else."""
    return " ".join(found.split())[:longest] if isinstance(found, str) else ""
