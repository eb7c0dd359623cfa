"""Contacts as operators know them: their notes, and two that are one person. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any

MAX_NOTE = 4_000


def united(first: Mapping[str, Any], others: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """A contact with those that are joined to it: its own values win, empty ones are filled, tags are all."""
    whole = dict(first)
    for other in others:
        for name in ("name", "email", "phone", "external_id"):
            whole[name] = whole[name] or other[name]
        whole["attributes"] = {**other["attributes"], **whole["attributes"]}
        whole["tags"] = sorted({*whole["tags"], *other["tags"]})
    return whole
