"""The serializers of contacts."""

from apps.core.endpoints.row_serializers import Json, RowSerializer, TextList, TextOrNull, Time
from apps.core.endpoints.serializers import Text


class AttributesSerializer(Json):
    """Free attributes: strings, numbers, true or false by name."""


class ContactSerializer(RowSerializer):
    """A contact; what is not known is null."""

    json_columns = ("attributes",)

    id = Text(source="guid", min_length=32, max_length=32)
    name = TextOrNull()
    email = TextOrNull()
    phone = TextOrNull()
    attributes = AttributesSerializer()
    tags = TextList(source="tag_names", help_text="Sorted by code point.")
    created_at = Time()
    updated_at = Time()


class TagListSerializer(RowSerializer):
    """The names of tags."""

    data = TextList()  # type: ignore[assignment]
    next_cursor = Text(allow_null=True, help_text="Always null.")
