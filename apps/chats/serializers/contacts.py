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
    external_id = Text(
        allow_null=True,
        help_text="The `user_id` of your website, as `identity_hmac` has proved it; null while none is proved.",
    )
    attributes = AttributesSerializer()
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
