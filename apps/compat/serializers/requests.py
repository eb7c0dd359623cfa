"""The legacy bodies: strict in what we act on, lenient where the platform's clients are.

An id may be a number or a string, members that mean nothing here are passed over, and so are ids that we can do
without.
"""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.chats.rules import MAX_BODY_LENGTH
from apps.chats.serializers.requests import ContactEmail, ContactName, ContactPhone
from apps.compat import rules
from apps.core.endpoints.serializers import Body, Choice, Text


class LenientBody(Body):
    """A body of theirs."""

    passes_over_unknown = True


@extend_schema_field({"type": ["integer", "string"], "maxLength": rules.MAX_EXTERNAL_ID, "examples": ["42"]})
class AnyId(serializers.Field[Any, Any, str, Any]):
    """An id, as a number or a string; read as a string."""

    default_error_messages = {"invalid": "An id is a number or a string of 1 to 255 characters."}

    def to_internal_value(self, data: Any) -> str:
        found = rules.external_id(data)
        if found is None:
            self.fail("invalid")
        return found


class LegacyChatId(AnyId):
    """A chat's id. A value that can't be an id counts as an unknown id: the call is 404."""


@extend_schema_field({"type": "string", "enum": [*rules.BotMessageType]})
class BotType(serializers.Field[Any, Any, str, Any]):
    """The type of a bot's message, in whatever case."""

    default_error_messages = {"invalid": f"There are: {', '.join(rules.BotMessageType)}."}

    def to_internal_value(self, data: Any) -> rules.BotMessageType:
        if not isinstance(data, str) or data.upper() not in [*rules.BotMessageType]:
            self.fail("invalid")
        return rules.BotMessageType(data.upper())


class LegacyButtonBody(LenientBody):
    """A button; what it says becomes a line of text."""

    text = Text(max_length=1_000, allow_blank=True)


class LegacyBotMessageBody(LenientBody):
    """The message of a bot."""

    type = BotType(required=False, default=rules.BotMessageType.TEXT)
    text = Text(required=False, allow_blank=True, max_length=MAX_BODY_LENGTH, default="")
    content = Text(
        required=False, allow_blank=True, max_length=MAX_BODY_LENGTH, default="", help_text="The Markdown of MARKDOWN."
    )
    title = Text(required=False, allow_blank=True, max_length=MAX_BODY_LENGTH, default="")
    buttons = LegacyButtonBody(  # type: ignore[call-arg]
        many=True, required=False, default=list, max_length=rules.MAX_BUTTONS
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        labels = [button["text"] for button in attrs["buttons"]]
        body, markdown = rules.text_of(
            attrs["type"], text=attrs["text"], content=attrs["content"], title=attrs["title"], buttons=labels
        )
        if not body.strip():
            raise serializers.ValidationError({"text": ["The message is empty."]})
        if len(body) > MAX_BODY_LENGTH:
            raise serializers.ValidationError({"buttons": ["The text is too long with its buttons."]})
        return {"type": "text", "body": body, "markdown": markdown, "origin": rules.ORIGIN}


class LegacyBotBody(LenientBody):
    """A bot's request, in a chat."""

    message_type = Choice(
        required=False, choices=[*rules.BotEvent], help_text="The requested action: required, as this or as `event`."
    )
    event = Choice(required=False, choices=[*rules.BotEvent], help_text="A synonym: `message_type` comes before it.")
    chat_id = LegacyChatId(help_text="The chat's id.")
    message = LegacyBotMessageBody(required=False, allow_null=True, help_text="The message of BOT_MESSAGE.")

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """A message is not looked at where none is said."""
        if data.get("message_type", data.get("event")) != rules.BotEvent.MESSAGE:
            data = {name: value for name, value in data.items() if name != "message"}
        return super().to_internal_value(data)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        asked = attrs.get("message_type", attrs.get("event"))
        if asked is None:
            raise serializers.ValidationError({"message_type": ["This field is required."]})
        event = rules.BotEvent(asked)
        if event is rules.BotEvent.MESSAGE and attrs.get("message") is None:
            raise serializers.ValidationError({"message": ["This field is required."]})
        return {"event": event, "chat_id": rules.chat_id_of(attrs["chat_id"]), "message": attrs.get("message")}


class LegacySenderBody(LenientBody):
    """The sender. Their first message makes the contact, with what is told of them here as far as it can be kept."""

    id = AnyId()

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        value = super().to_internal_value(data)
        return {**value, "about": {name: data[name] for name, field in _ABOUT.items() if _is_kept(field, data, name)}}


_ABOUT: Mapping[str, Text] = {"name": ContactName(), "email": ContactEmail(), "phone": ContactPhone()}


def _is_kept(field: Text, data: Mapping[str, Any], name: str) -> bool:
    """Whether a contact may have that; what can't be one's name, address or number is left out."""
    try:
        field.run_validation(data.get(name))
    except serializers.ValidationError:
        return False
    return True


class LegacyRecipientBody(LenientBody):
    """By what they write."""

    id = AnyId(required=False, allow_null=True)


class LegacyChannelMessageBody(LenientBody):
    """A text."""

    type = Text(required=False, help_text="`text`, which it is without one.")
    id = AnyId(
        required=False,
        allow_null=True,
        help_text="Your id of the message. Delivered again under this id, it is not stored again.",
    )
    text = Text(max_length=MAX_BODY_LENGTH)

    def validate_type(self, value: str) -> str:
        if value.lower() != "text":
            raise serializers.ValidationError("Only texts are taken: `text`.")
        return value

    def validate_text(self, value: str) -> str:
        if not value.strip():
            raise serializers.ValidationError("The message is empty.")
        return value


class LegacyChannelBody(LenientBody):
    """A message of a client who writes by the channel."""

    sender = LegacySenderBody()
    recipient = LegacyRecipientBody(required=False, allow_null=True)
    message = LegacyChannelMessageBody()
