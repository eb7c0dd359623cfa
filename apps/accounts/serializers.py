"""The serializers of the owning account."""

from rest_framework import serializers

from apps.core.endpoints.row_serializers import Json, RowSerializer, TextOrNull, Time
from apps.core.endpoints.serializers import Integer, Text


class ProfileSerializer(RowSerializer):
    """An account's own fields."""

    id = Integer()
    name = TextOrNull()
    surname = TextOrNull()
    phone = TextOrNull()
    email = Text()
    created_at = Time()


class AccountSerializer(ProfileSerializer):
    """The account that owns the widget, with what other apps tell of it."""

    legal_entities = serializers.ListField(
        child=Json(), help_text="All of the account's, newest first, each as `GET /v1/billing/entities/{id}` shows it."
    )
