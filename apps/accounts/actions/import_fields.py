"""A value of an export becomes one of a column, if the API or a form would take it for that column (`imports`).

An export is data from outside. So a value has the column's type, its model's choices, limits and validators hold, and
so does what its app declares besides (`ExportTable.checks`): the API's own fields (`as_sent`), or the same pure rules.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from rest_framework import serializers

from apps.core.parsing.strict_json import text_refusal

# Why a value is none for its column; None for a good one.
Check = Callable[[Any], str | None]

_MOST_NESTED = 32


class FieldRefused(Exception):
    """A value that is none for its column; the text says why."""


def checked_value(field: Any, value: Any, check: Check | None = None) -> Any:
    """The value as Python has it. An unknown one (null where that may be, or empty) is not checked further.

    Raises FieldRefused.
    """
    found = _typed(field, value)
    if found is None or found in ("", {}) or (found == [] and isinstance(field, ArrayField)):
        return found
    refusal = check(found) if check else None
    if refusal:
        raise FieldRefused(refusal)
    return found


def _typed(field: Any, value: Any) -> Any:
    if value is None:
        if not field.null:
            raise FieldRefused("It may not be null.")
        return None
    if isinstance(field, ArrayField):
        if not isinstance(value, list):
            raise FieldRefused("A list is expected.")
        return [_typed(field.base_field, each) for each in value]
    if refusal := _storable(value):
        raise FieldRefused(refusal)
    if isinstance(field, models.CharField | models.TextField) and not isinstance(value, str):
        raise FieldRefused("A text is expected.")
    if isinstance(field, models.IntegerField) and not (isinstance(value, int) and not isinstance(value, bool)):
        raise FieldRefused("A whole number is expected.")
    if isinstance(field, models.BooleanField) and not isinstance(value, bool):
        raise FieldRefused("True or false is expected.")
    return _validated(field, value)


def _validated(field: Any, value: Any) -> Any:
    try:
        found = field.to_python(value)
        if field.flatchoices and found not in field.empty_values and found not in dict(field.flatchoices):
            raise FieldRefused(f"{str(value)[:40]!r} is no choice of it.")
        field.run_validators(found)
    except ValidationError as error:
        raise FieldRefused(" ".join(error.messages)) from None
    except (TypeError, ValueError, OverflowError):
        raise FieldRefused("The value is of another kind.") from None
    return found


def _storable(value: Any, depth: int = 0) -> str | None:
    """Why a value, or one within it, cannot be stored."""
    if isinstance(value, str):
        return text_refusal(value)
    if depth == _MOST_NESTED:
        return "It is nested too deeply."
    parts: Iterable[Any] = ()
    if isinstance(value, dict):
        parts = [*value, *value.values()]
    elif isinstance(value, list):
        parts = value
    return next((refusal for each in parts if (refusal := _storable(each, depth + 1))), None)


def refusal_by(field: "serializers.Field[Any, Any, Any, Any]") -> Check:
    """The check that a field, or a whole body, of the API makes."""

    def check(value: Any) -> str | None:
        try:
            field.run_validation(value)
        except serializers.ValidationError as error:
            return _first(error.detail)
        return None

    return check


def as_sent(body: "serializers.Serializer[Any]", *names: str) -> Mapping[str, Check]:
    """The checks of columns that are called as the members of a body: as if they were sent in a call."""
    return {name: refusal_by(body.fields[name]) for name in names}


def at_most(length: int) -> Check:
    """The check of a text's length."""
    return lambda text: f"It has more than {length} characters." if len(text) > length else None


def _first(detail: Any) -> str:
    while isinstance(detail, dict | list):
        name, below = next(iter(detail.items() if isinstance(detail, dict) else enumerate(detail)))
        if isinstance(below, dict | list) and below:
            found = _first(below)
            return f"{name}: {found}" if isinstance(detail, dict) else found
        return f"{name}: {below}" if isinstance(detail, dict) else str(below)
    return str(detail)
