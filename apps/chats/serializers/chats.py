"""The serializers of chats and messages: the API, the visitor's side and the realtime frames write by these."""

from collections.abc import Mapping
from typing import Any, ClassVar

from apps.chats.rules import Handling, MessageType, OperatorType, SenderKind, Status
from apps.chats.rules.delivery import DeliveryState
from apps.chats.rules.typing import Typing
from apps.chats.serializers.files import FileAddress, FileReferenceSerializer, file_address
from apps.core.endpoints.row_serializers import MethodField, RowSerializer, TextOrNull, Time, Url
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Number, Text

PREVIEW_LENGTH = 100


class OperatorSerializer(RowSerializer):
    """The operator who answered a chat; `at` is null for chats accepted before attribution was recorded."""

    agent_id = Integer()
    type = Choice(choices=list(OperatorType))
    at = Time(allow_null=True)


class SenderSerializer(RowSerializer):
    """The sender of a message."""

    kind = Choice(source="sender_kind", choices=list(SenderKind))
    agent_id = Integer(allow_null=True)
    name = TextOrNull(source="sender_name")


class ChatContactSerializer(RowSerializer):
    """The contact of the chat."""

    id = Text(source="guid", min_length=32, max_length=32)
    name = TextOrNull()


class Preview(Text):
    """The beginning of a text."""

    def to_representation(self, value: str) -> str:
        return value[:PREVIEW_LENGTH]


class LastMessageSerializer(RowSerializer):
    """The newest message of a chat that its visitor may see, in short."""

    id = Integer()
    type = Choice(choices=list(MessageType))
    preview = Preview(
        source="body", allow_blank=True, help_text=f"The first {PREVIEW_LENGTH} characters of the message's body."
    )
    sender = SenderSerializer(source="*")
    created_at = Time()


class ChatSerializer(RowSerializer):
    """A chat."""

    id = Integer()
    status = Choice(choices=list(Status))
    channel = Text(help_text="Provider code; `widget` is the on-site widget.")
    agent_id = Integer(allow_null=True, help_text="The routing owner; never an AI operator.")
    accepted_by = OperatorSerializer(source="*", prefix="accepted_", absent_without="type", allow_null=True)
    handled_by = OperatorSerializer(source="*", prefix="handled_", absent_without="type", allow_null=True)
    handling = Choice(choices=list(Handling))
    contact_id = Text(source="contact.guid", min_length=32, max_length=32)
    department_id = Integer(allow_null=True)
    created_at = Time()
    last_message_at = Time(allow_null=True)
    contact = ChatContactSerializer()
    last_message = LastMessageSerializer(
        allow_null=True, help_text="The last one that the visitor may see; notes of operators do not count."
    )


class CoordsSerializer(RowSerializer):
    """The place of a `location` message, in degrees."""

    lat = Number()
    lng = Number()


class StickerSerializer(RowSerializer):
    """The sticker of a `sticker` message."""

    id = Text()
    url = Url(required=False)


class ButtonSerializer(RowSerializer):
    """A button only opens its link."""

    label = Text()  # type: ignore[assignment]
    url = Url()
    style = Choice(choices=["primary", "secondary"])  # type: ignore[assignment]


class KeyboardSerializer(RowSerializer):
    """The link buttons of a `keyboard` message."""

    buttons = ButtonSerializer(many=True)


def attachment_address(widget_id: int, details: Mapping[str, Any] | None) -> str | None:
    """The address of a message's attachment; None without one."""
    file = (details or {}).get("file")
    return file_address(widget_id, file["id"]) if file else None


class MessageSerializer(RowSerializer):
    """A message."""

    json_columns: ClassVar[tuple[str, ...]] = ("details",)

    id = Integer()
    chat_id = Integer()
    type = Choice(choices=list(MessageType))
    body = Text(allow_blank=True)
    markdown = Text(allow_null=True)
    file = FileReferenceSerializer(source="details.file", allow_null=True)
    name = Text(source="details.file.name", allow_null=True, help_text="The attachment's original name.")
    url = MethodField(
        FileAddress(allow_null=True, help_text="The attachment's address, good for an hour without a token."),
        columns=("widget_id", "details"),
        from_=attachment_address,
    )
    coords = CoordsSerializer(source="details.coords", allow_null=True)
    sticker = StickerSerializer(source="details.sticker", allow_null=True)
    keyboard = KeyboardSerializer(source="details.keyboard", allow_null=True)
    origin = Text(allow_null=True)
    sender = SenderSerializer(source="*")
    agent_id = Integer(allow_null=True)
    created_at = Time()
    seen_at = Time(allow_null=True)


class MessageDeliverySerializer(RowSerializer):
    """A message's delivery to a messenger."""

    state = Choice(choices=list(DeliveryState))
    code = Text(allow_null=True, help_text="Why it has not gone out, or does not; null while nothing went wrong.")
    detail = Text(allow_null=True, help_text="The provider's own words.")
    attempts = Integer()
    at = Time()


class SentMessageSerializer(MessageSerializer):
    """A message with what became of it."""

    json_columns = ("details", "delivery")

    delivery = MessageDeliverySerializer(
        allow_null=True,
        help_text="Only in a messenger's chat, for messages of the operators' side; visitors never see it.",
    )


class OperatorMessageSerializer(SentMessageSerializer):
    """A message as operators see it, their private notes among them."""

    is_note = Boolean(source="is_internal", help_text="For operators only.")


class PostedMessageSerializer(RowSerializer):
    """The answer to a send: the message is already stored."""

    message_id = Integer()
    chat_id = Integer()


class ChatReferenceSerializer(RowSerializer):
    """The chat of the call."""

    chat_id = Integer()


class TypingSerializer(ChatReferenceSerializer):
    """The typing state that the visitor was shown."""

    state = Choice(choices=list(Typing))


class SeenSerializer(ChatReferenceSerializer):
    """Up to where the visitor's messages are marked as seen."""

    message_id = Integer()
