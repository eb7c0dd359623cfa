"""The serializers of chats and messages: the API, the visitor's side and the realtime frames write by these."""

from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework import serializers

from apps.chats.rules import Handling, MessageType, OperatorType, SenderKind, Status
from apps.chats.rules.delivery import DeliveryState
from apps.chats.rules.messages import files_of, is_ai, shown_kind, sources_of
from apps.chats.rules.priorities import Priority
from apps.chats.rules.translations import TranslationState, done_translations_of, translated_from, translations_of
from apps.chats.rules.typing import Typing
from apps.chats.serializers.files import FileAddress, FileReferenceSerializer, file_address
from apps.core.endpoints.row_serializers import Json, MethodField, RowSerializer, TextOrNull, Time, Url
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


class MessageSenderSerializer(RowSerializer):
    """The sender of a message, as it is shown: an invitation in an operator's name is theirs here."""

    kind = MethodField(Choice(choices=list(SenderKind)), columns=("sender_kind", "details"), from_=shown_kind)
    agent_id = Integer(allow_null=True)
    name = TextOrNull(source="sender_name")


class AnsweredInvitationSerializer(RowSerializer):
    """The invitation that a chat began with, and its name then."""

    id = Integer()
    name = Text()


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


def answers_of(answers: dict[str, Any] | None) -> dict[str, Any]:
    return answers or {}


class ChatSerializer(RowSerializer):
    """A chat."""

    json_columns = ("answers",)

    id = Integer()
    status = Choice(choices=list(Status))
    channel = Text(help_text="Provider code; `widget` is the on-site widget.")
    agent_id = Integer(allow_null=True, help_text="The routing owner; never an AI operator.")
    accepted_by = OperatorSerializer(source="*", prefix="accepted_", absent_without="type", allow_null=True)
    handled_by = OperatorSerializer(source="*", prefix="handled_", absent_without="type", allow_null=True)
    handling = Choice(choices=list(Handling))
    contact_id = Text(source="contact.guid", min_length=32, max_length=32)
    department_id = Integer(allow_null=True)
    priority = Choice(choices=list(Priority))
    invitation = AnsweredInvitationSerializer(
        source="*",
        prefix="invitation_",
        absent_without="id",
        allow_null=True,
        help_text="The invitation to chat that its visitor answered last.",
    )
    created_at = Time()
    last_message_at = Time(allow_null=True)
    contact = ChatContactSerializer()
    last_message = LastMessageSerializer(
        allow_null=True, help_text="The last one that the visitor may see; notes of operators do not count."
    )
    answers = MethodField(
        Json(help_text="The visitor's answers to the widget's questions as it began last, by key."),
        columns=("answers",),
        from_=answers_of,
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


class AttachedFileSerializer(FileReferenceSerializer):
    """A file of a message, with its address."""

    url = FileAddress(help_text="The file's address, good for an hour without a token.")


class AttachedFileList(serializers.ListField):
    """The files of a message."""

    child = AttachedFileSerializer()


def attached_files(widget_id: int, details: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """All files of a message, each with its address; none of a message that carries none."""
    return [{**file, "url": file_address(widget_id, file["id"])} for file in files_of(details)]


class PublicSourceSerializer(RowSerializer):
    """A piece of knowledge that an answer rests on."""

    title = Text()
    url = Url(allow_null=True, help_text="The address for visitors; null for a piece without a public one.")
    article_id = Integer(required=False, help_text="The article that it is of; absent for other knowledge.")


class PublicSourceList(serializers.ListField):
    """The sources of a message."""

    child = PublicSourceSerializer()


class UnsupportedSerializer(RowSerializer):
    """The mark of a message from a messenger whose kind the service does not know."""

    provider = Text(help_text="The messenger's code.")
    kind = Text(help_text="The kind's name, as the messenger calls it.")


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
    files = MethodField(
        AttachedFileList(help_text="All files of the message, `file` the first; several came as one album."),
        columns=("widget_id", "details"),
        from_=attached_files,
    )
    coords = CoordsSerializer(source="details.coords", allow_null=True)
    sticker = StickerSerializer(source="details.sticker", allow_null=True)
    keyboard = KeyboardSerializer(source="details.keyboard", allow_null=True)
    unsupported = UnsupportedSerializer(
        source="details.unsupported",
        allow_null=True,
        help_text="Set where the customer sent something of a kind that is not known here; `body` says so in words.",
    )
    edited_at = Time(source="details.edited_at", allow_null=True, help_text="When its writer changed it.")
    deleted_at = Time(
        source="details.deleted_at",
        allow_null=True,
        help_text=(
            "When its writer deleted it. A visitor's text in a messenger stays readable for operators; an operator's "
            "message is a text without words since."
        ),
    )
    origin = Text(allow_null=True)
    sender = MessageSenderSerializer(source="*")
    ai = MethodField(
        Boolean(help_text="Whether AI speaks: an AI operator, or an external one that is no person."),
        columns=("sender_kind", "details"),
        from_=is_ai,
    )
    sources = MethodField(
        PublicSourceList(help_text="The knowledge that an AI operator's answer rests on; empty for any other message."),
        columns=("details",),
        from_=sources_of,
    )
    translated_from = MethodField(
        Text(allow_null=True, help_text="The language in which a person wrote it, where `body` is a translation."),
        columns=("details",),
        from_=translated_from,
    )
    agent_id = Integer(allow_null=True)
    created_at = Time()
    seen_at = Time(allow_null=True)


class MessageTranslationSerializer(RowSerializer):
    """A message in another language."""

    lang = Text(help_text="The language's code.")
    text = Text(allow_blank=True)
    is_source = Boolean(help_text="These are the words that a person wrote; `body` is their translation.")


class TranslationList(serializers.ListField):
    """The translations of a message."""

    child = MessageTranslationSerializer()


class FactDifferenceSerializer(RowSerializer):
    """A fact that one of two texts lacks, or has otherwise; null for the text without it."""

    kind = Text()
    source = TextOrNull()  # type: ignore[assignment]
    text = TextOrNull()


class OperatorTranslationSerializer(MessageTranslationSerializer):
    """A translation as operators see it, also one that is still made."""

    state = Choice(choices=list(TranslationState))
    differs = FactDifferenceSerializer(many=True, help_text="The places to check.")


class OperatorTranslationList(serializers.ListField):
    """The translations of a message, also those that are still made."""

    child = OperatorTranslationSerializer()


def api_translations(details: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """A message's translations, without how they stand."""
    names = ("lang", "text", "is_source")
    return [{name: each[name] for name in names} for each in done_translations_of(details)]


class MessageDeliverySerializer(RowSerializer):
    """A message's delivery to a messenger."""

    state = Choice(choices=list(DeliveryState))
    code = Text(allow_null=True, help_text="Why it has not gone out, or does not; null while nothing went wrong.")
    detail = Text(allow_null=True, help_text="The provider's own words.")
    attempts = Integer()
    sent_as = Choice(
        choices=["file", "link", "video", "audio"],
        allow_null=True,
        required=False,
        help_text="How its attachment went, where the messenger does not take it as what it is.",
    )
    at = Time()


class SentMessageSerializer(MessageSerializer):
    """A message with what became of it."""

    json_columns = ("details", "delivery")

    delivery = MessageDeliverySerializer(
        allow_null=True,
        help_text="Only in a messenger's chat, for messages of the operators' side; visitors never see it.",
    )
    translations = MethodField(
        TranslationList(help_text="The message in other languages, as operators read or wrote it; visitors see none."),
        columns=("details",),
        from_=api_translations,
    )


class MessageLetterSerializer(RowSerializer):
    """The letter that a message came by."""

    # `from` is a word of the language.
    locals()["from"] = Text(help_text="The sender that it names.")
    subject = Text(allow_blank=True)
    proof = Choice(choices=["pass", "fail", "none"], help_text="Whether it is from that address.")
    third = Boolean(help_text="Whether a third person wrote it, who had the letter.")
    cut = Boolean(help_text="Whether what it quotes, or a signature, is left out.")


class OperatorMessageSerializer(SentMessageSerializer):
    """A message as operators see it, their private notes among them."""

    translations = MethodField(
        OperatorTranslationList(help_text="The message in other languages, as operators read or wrote it."),
        columns=("details",),
        from_=translations_of,
    )
    is_note = Boolean(source="is_internal", help_text="For operators only.")
    deleted_by = Integer(
        source="details.deleted_by", allow_null=True, help_text="The operator who deleted it in the console."
    )
    letter = MessageLetterSerializer(
        source="details.letter", allow_null=True, help_text="Set at the first message of a letter."
    )


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
