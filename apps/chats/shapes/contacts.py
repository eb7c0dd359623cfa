"""What contacts look like on the wire, and the members by which they are described, by operators and by themselves."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

import orjson
from django.core.validators import validate_email
from rest_framework import serializers

from apps.chats.rules import contacts as rules
from apps.core.endpoints.serializers import Shape, Text


class ContactRow(NamedTuple):
    """A contact as `querysets` reads it for showing; the fields are the statement's columns, in order."""

    guid: str
    name: str
    email: str
    phone: str
    attributes: str
    tags: list[str]
    created_at: datetime
    updated_at: datetime
    id: int


def show_contact(row: Any) -> dict[str, Any]:
    """A contact's wire shape. `row` has the columns of ContactRow; its attributes are JSON already."""
    guid, name, email, phone, attributes, tags, created_at, updated_at, _ = row
    return {
        "id": guid,
        "name": name or None,
        "email": email or None,
        "phone": phone or None,
        "attributes": orjson.Fragment(attributes),
        "tags": tags,
        "created_at": created_at,
        "updated_at": updated_at,
    }


class AttributesShape(serializers.DictField):
    """Free attributes: strings, numbers, true or false by name."""


class ContactShape(Shape):
    """A contact; what is not known is null."""

    id = serializers.CharField(min_length=32, max_length=32)
    name = serializers.CharField(allow_null=True)
    email = serializers.CharField(allow_null=True)
    phone = serializers.CharField(allow_null=True)
    attributes = AttributesShape()
    tags = serializers.ListField(child=serializers.CharField(), help_text="Sorted by code point.")
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class TagListShape(Shape):
    """The names of tags."""

    data = serializers.ListField(child=serializers.CharField())  # type: ignore[assignment]
    next_cursor = serializers.CharField(allow_null=True, help_text="Always null.")


def refusing(refusal: Callable[[str], str | None]) -> Callable[[str], None]:
    """A validator that refuses what a rule of contacts refuses."""

    def validate(text: str) -> None:
        if reason := refusal(text):
            raise serializers.ValidationError(reason)

    return validate


class ContactName(Text):
    """A contact's name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=rules.MAX_NAME, validators=[refusing(rules.name_refusal)], **options)


class ContactEmail(Text):
    """A contact's e-mail address."""

    def __init__(self, **options: Any) -> None:
        validators = [refusing(rules.text_refusal), validate_email]
        super().__init__(max_length=rules.MAX_EMAIL, validators=validators, **options)


class ContactPhone(Text):
    """A contact's phone number: an optional +, a digit, then digits, spaces, parentheses or hyphens."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=rules.MAX_PHONE, validators=[refusing(rules.phone_refusal)], **options)


class Attributes(serializers.DictField):
    """Free attributes of a contact: scalar values by name; null removes a name, a null in their place all of them."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_a_dict", input_type=type(data).__name__)
        if refusal := rules.number_refusal(data):
            raise serializers.ValidationError(refusal)
        if refusals := rules.attribute_refusals(data):
            raise serializers.ValidationError({name: [reason] for name, reason in refusals.items()})
        return data
