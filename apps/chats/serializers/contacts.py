"""The serializers of contacts."""

from typing import Any

from rest_framework import serializers

from apps.core.endpoints.row_serializers import Json, MethodField, RowSerializer, TextList, TextOrNull, Time
from apps.core.endpoints.serializers import Boolean, Text


class AttributesSerializer(Json):
    """Free attributes: strings, numbers, true or false by name."""


class ConsentSerializer(RowSerializer):
    """A consent that a contact gave as a chat began, or refused."""

    key = Text(help_text="The question's.")
    given = Boolean()
    text_sha256 = Text(max_length=64, help_text="SHA-256 of the text as it was shown, in UTF-8, in hexadecimal.")
    lang = Text(help_text="The text's language.")
    at = Time()


class ConsentList(serializers.ListField):
    """The consents of a contact."""

    child = ConsentSerializer()


def consents_of(consents: list[dict[str, Any]] | None) -> list[dict[str, Any]]:
    return consents or []


class ContactSerializer(RowSerializer):
    """A contact; what is not known is null."""

    json_columns = ("attributes", "consents")

    id = Text(source="guid", min_length=32, max_length=32)
    name = TextOrNull()
    email = TextOrNull()
    phone = TextOrNull()
    external_id = Text(
        allow_null=True,
        help_text="The `user_id` of your website, as `identity_hmac` has proved it; null while none is proved.",
    )
    attributes = AttributesSerializer()
    consents = MethodField(
        ConsentList(help_text="The newest first, at most 100."), columns=("consents",), from_=consents_of
    )
    tags = TextList(source="tag_names", help_text="Sorted by code point.")
    merged_into = Text(
        min_length=32,
        max_length=32,
        allow_null=True,
        help_text="The contact whom operators say to be the same person, and who comes first; null for none.",
    )
    merged = TextList(help_text="The contacts that are joined to this one. Each keeps its chats, values and identity.")
    created_at = Time()
    updated_at = Time()


class TagListSerializer(RowSerializer):
    """The names of tags."""

    data = TextList()  # type: ignore[assignment]
    next_cursor = Text(allow_null=True, help_text="Always null.")
