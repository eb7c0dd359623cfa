"""The fields of a contact, how a change is merged, and what a search for one means.

Source: specification, "Contact and tag"; the form of a phone number is that of "Account and billing".
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.accounts.rules import MAX_PHONE_LENGTH
from apps.chats.rules.folding import alike, folded
from apps.core.parsing.names import control_refusal

MAX_NAME, MAX_EMAIL, MAX_PHONE = 255, 254, MAX_PHONE_LENGTH  # characters
MAX_ATTRIBUTES, MAX_ATTRIBUTE_NAME, MAX_ATTRIBUTE_VALUE = 64, 64, 1_000
MAX_QUERY = 100
MAX_EXTERNAL_ID = 128  # the website's own id of its user
MAX_TAGS_A_CALL, MAX_TAG = 50, 64
MAX_TAGS_OF_CONTACT, MAX_TAGS_OF_ACCOUNT = 100, 10_000

_PART_OF_PHONE = re.compile(r"[ ()+.-]*+[0-9][0-9 ()+.-]*+")
# A number of so many digits is also looked for by its last ones: `8 912…` is `+7 912…`.
LOCAL_PHONE, MIN_DIALLED = 10, 5
_SCALARS = (str, int, float, bool)

Attributes = Mapping[str, Any]


def tag_refusal(name: str) -> str | None:
    """Why a text is no tag, or None when it is one.

    Tags are kept as they are sent: `VIP` and `vip` are two. Two that look alike (`folding.alike`) are one.
    """
    if refusal := control_refusal(name):
        return refusal
    if name in (".", ".."):
        return "In an address these mean a folder, so such a tag could not be taken off again."
    return (
        None
        if name == name.strip() and alike(name).strip()
        else "A tag is not blank, and neither begins nor ends with a space."
    )


def attribute_refusals(attributes: Attributes) -> dict[str, str]:
    """The refusals of attributes to be merged, by attribute; empty when all are good. Null stands for a removal."""
    refusals = ((name, _attribute_refusal(name, value)) for name, value in attributes.items())
    return {name: refusal for name, refusal in refusals if refusal}


def _attribute_refusal(name: str, value: object) -> str | None:
    if not 1 <= len(name) <= MAX_ATTRIBUTE_NAME:
        return f"An attribute's name has 1 to {MAX_ATTRIBUTE_NAME} characters."
    if value is not None and not isinstance(value, _SCALARS):
        return "The value must be a string, a number, true, false or null."
    if isinstance(value, str) and len(value) > MAX_ATTRIBUTE_VALUE:
        return f"The value has at most {MAX_ATTRIBUTE_VALUE} characters."
    return None


def number_refusal(attributes: Attributes) -> str | None:
    """Why these are too many attributes for one contact, or None. Attributes to be removed (null) do not count."""
    count = sum(value is not None for value in attributes.values())
    return f"A contact has at most {MAX_ATTRIBUTES} attributes." if count > MAX_ATTRIBUTES else None


def merged_attributes(known: Attributes, attributes: Attributes | None) -> dict[str, Any]:
    """A contact's attributes after a write: merged by key. A null removes its key, and in place of them all, all."""
    if attributes is None:
        return {}
    return {name: value for name, value in {**known, **attributes}.items() if value is not None}


def same_attributes(one: Attributes, other: Attributes) -> bool:
    """Whether two sets of attributes are the same JSON: 1 and 1.0 are one number, true is none."""
    return one.keys() == other.keys() and all(_same(value, other[name]) for name, value in one.items())


def _same(one: object, other: object) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return Decimal(repr(one)) == Decimal(repr(other))  # as they are written: no double comes between
    return one == other


def changed_fields(known: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """The names of the fields whose value a write changes, in the order of `after`."""
    return [name for name, value in after.items() if not _unchanged(known[name], value)]


def _unchanged(known: Any, value: Any) -> bool:
    return same_attributes(known, value) if isinstance(value, Mapping) else bool(known == value)


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """A search for a contact: part of a name, e-mail or phone, folded, or (`digits`) part of a number, in any way."""

    text: str
    digits: tuple[str, ...]


def search_term(query: str) -> SearchTerm:
    """The meaning of a query.

    A query that could be written in a phone number matches its digits, whatever stands between: of ten or more also the
    last ten, and what follows one leading zero, which people dial within their country.
    """
    text = folded(query)
    digits = re.sub(r"\D", "", text)
    if not _PART_OF_PHONE.fullmatch(text) or ("." in text and len(digits) < MIN_DIALLED):
        return SearchTerm(text, ())
    found = [digits]
    if len(digits) > LOCAL_PHONE:
        found.append(digits[-LOCAL_PHONE:])
    if len(digits) >= MIN_DIALLED and digits[0] == "0" != digits[1]:
        found.append(digits[1:])
    return SearchTerm(text, tuple(dict.fromkeys(found)))


def unique_tags(names: Iterable[str]) -> list[str]:
    """Each name once, sorted: the order in which rows are taken, so that two writers never wait for each other.

    The first is taken of names that look alike (`folding.alike`).
    """
    return sorted({alike(name): name for name in reversed(list(names))}.values())
