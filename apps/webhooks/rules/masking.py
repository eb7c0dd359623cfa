"""Personal data in a shown payload becomes `[скрыто]`. Pure. `core/parsing/personal.py` says which data is personal.

Specification: "Webhook subscription and delivery" (the log's `payload`).
"""

from collections.abc import Mapping
from typing import Any

from apps.core.parsing.personal import replaced

MASK = "[скрыто]"

# What is personal as a whole, whatever it looks like; and what never leaves the service.
_PERSONAL_MEMBERS = frozenset({"phone", "email"})
_INTERNAL_MEMBERS = frozenset({"button_id"})


def masked(value: Any) -> Any:
    """A JSON value with the personal data in it replaced, and without the internal `button_id`."""
    if isinstance(value, str):
        return masked_text(value)
    if isinstance(value, list):
        return [masked(each) for each in value]
    if isinstance(value, Mapping):
        return {name: _masked_member(name, each) for name, each in value.items() if name not in _INTERNAL_MEMBERS}
    return value


def _masked_member(name: str, value: Any) -> Any:
    if name in _PERSONAL_MEMBERS and value and isinstance(value, str | int):
        return MASK
    return masked(value)


def masked_text(text: str) -> str:
    """The text with `[скрыто]` in place of every e-mail address, phone number and card-like run of digits."""
    return replaced(text, lambda found: MASK)
