"""Kinds of contacts' attributes, as owners declare them. Pure.

The API takes any scalar for any attribute; operators edit a declared one by its kind.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import Any, TypedDict

from apps.chats.rules.contacts import MAX_ATTRIBUTE_NAME, MAX_ATTRIBUTES
from apps.core.parsing.names import control_refusal

MAX_CHOICES, MAX_CHOICE, MAX_LINK = 50, 100, 1_000


class AttributeKind(StrEnum):
    """A kind of an attribute's value."""

    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"
    DATE = "date"
    LINK = "link"
    CHOICE = "choice"


class DeclaredAttribute(TypedDict):
    """An attribute with its kind; `choices` are the values of a choice, empty for every other kind."""

    key: str
    kind: str
    choices: list[str]


def declarations_refusal(found: Any) -> str | None:
    """Why these are no declarations of a widget's attributes; None if they are."""
    if not isinstance(found, list) or len(found) > MAX_ATTRIBUTES:
        return f"A list of at most {MAX_ATTRIBUTES} attributes is expected."
    refusal = next(filter(None, map(_declaration_refusal, found)), None)
    if refusal is None and len({one["key"] for one in found}) < len(found):
        return "Each attribute stands once."
    return refusal


def _declaration_refusal(found: Any) -> str | None:
    if not isinstance(found, dict) or found.keys() != {"key", "kind", "choices"}:
        return "An object of key, kind and choices is expected."
    key, choices = found["key"], found["choices"]
    if not isinstance(key, str) or not 1 <= len(key) <= MAX_ATTRIBUTE_NAME or control_refusal(key):
        return f"A key of 1 to {MAX_ATTRIBUTE_NAME} characters is expected."
    if found["kind"] not in tuple(AttributeKind):
        return f"{key}: one of {', '.join(AttributeKind)} is expected."
    if not isinstance(choices, list) or not all(isinstance(one, str) for one in choices):
        return f"{key}: a list of texts is expected as choices."
    if found["kind"] != AttributeKind.CHOICE:
        return f"{key}: only a choice has choices." if choices else None
    if not 1 <= len(choices) <= MAX_CHOICES or len(set(choices)) < len(choices):
        return f"{key}: a choice has 1 to {MAX_CHOICES} different values."
    if not all(1 <= len(one) <= MAX_CHOICE and one == one.strip() and not control_refusal(one) for one in choices):
        return f"{key}: a value of a choice has 1 to {MAX_CHOICE} characters, and no space at its ends."
    return None


def written(declared: Sequence[DeclaredAttribute]) -> str:
    """Declarations as a form shows them, one a line: `plan: choice: free, pro`."""
    lines = (": ".join(filter(None, (one["key"], one["kind"], ", ".join(one["choices"])))) for one in declared)
    return "\n".join(lines)


def read(text: str) -> list[DeclaredAttribute]:
    """The declarations that `written` shows so; whatever else is refused by `declarations_refusal`. A key may have
    colons.
    """
    found: list[DeclaredAttribute] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        parts = [part.strip() for part in line.split(":")]
        at = max((n for n, part in enumerate(parts) if n and part in tuple(AttributeKind)), default=len(parts))
        choices = [one.strip() for one in ":".join(parts[at + 1 :]).split(",") if one.strip()]
        kind = parts[at] if at < len(parts) else ""
        found.append(DeclaredAttribute(key=":".join(parts[:at]), kind=kind, choices=choices))
    return found


def kind_refusals(declared: Sequence[DeclaredAttribute], given: Mapping[str, Any] | None) -> dict[str, str]:
    """Why values are none of their attributes' kinds, by attribute; empty when all are. Null removes any."""
    kinds = {one["key"]: one for one in declared}
    refusals = ((name, _value_refusal(kinds[name], value)) for name, value in (given or {}).items() if name in kinds)
    return {name: refusal for name, refusal in refusals if refusal}


def _value_refusal(declared: DeclaredAttribute, value: Any) -> str | None:
    if value is None:
        return None
    match declared["kind"]:
        case AttributeKind.NUMBER:
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            return None if is_number else "A number is expected."
        case AttributeKind.BOOLEAN:
            return None if isinstance(value, bool) else "True or false is expected."
        case AttributeKind.DATE:
            return None if _is_date(value) else "A date such as 2026-11-21 is expected."
        case AttributeKind.LINK:
            is_link = isinstance(value, str) and value.startswith(("https://", "http://")) and len(value) <= MAX_LINK
            return None if is_link and " " not in value else "An address that begins with https:// is expected."
        case AttributeKind.CHOICE:
            return None if value in declared["choices"] else f"One of {', '.join(declared['choices'])} is expected."
    return None if isinstance(value, str) else "A text is expected."


def _is_date(value: Any) -> bool:
    try:
        return isinstance(value, str) and date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False
