"""What visitors send: strict bodies, shared by the HTTP calls and the websocket's frames."""

import re
from typing import Any

from django.core.validators import validate_email
from rest_framework import serializers

from apps.core.serializers import Body, Choice, Integer, Query, QueryInteger, Text
from apps.widget import rules

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SCALARS = (str, int, float, bool, type(None))


def no_control_characters(text: str) -> None:
    if _CONTROL.search(text):
        raise serializers.ValidationError("Control characters are not allowed.")


class Attributes(serializers.Field[Any, Any, Any, Any]):
    """Free attributes of a contact: scalar values by name; null removes a name, a null in their place all of them."""

    default_error_messages = {"invalid": "This must be an object."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("invalid")
        refused = {name: [text] for name, value in data.items() if (text := _attribute_refusal(name, value))}
        if len(data) > rules.MAX_ATTRIBUTES:
            raise serializers.ValidationError(f"A contact has at most {rules.MAX_ATTRIBUTES} attributes.")
        if refused:
            raise serializers.ValidationError(refused)
        return data

    def to_representation(self, value: Any) -> Any:
        return value


def _attribute_refusal(name: str, value: Any) -> str | None:
    if not 1 <= len(name) <= rules.MAX_ATTRIBUTE_NAME:
        return f"An attribute's name has 1 to {rules.MAX_ATTRIBUTE_NAME} characters."
    if not isinstance(value, _SCALARS):
        return "The value must be a string, a number, true, false or null."
    if isinstance(value, str) and len(value) > rules.MAX_ATTRIBUTE_VALUE:
        return f"The value has at most {rules.MAX_ATTRIBUTE_VALUE} characters."
    return None


class SessionBody(Body):
    """`POST sessions`: who the visitor is, as far as the page knows."""

    visitor_token = Text(required=False, max_length=200)
    name = Text(required=False, allow_blank=True, max_length=255, validators=[no_control_characters])
    email = Text(required=False, allow_blank=True, max_length=254, validators=[validate_email])
    phone = Text(required=False, allow_blank=True, max_length=32, validators=[no_control_characters])
    attributes = Attributes(required=False, allow_null=True)
    page_url = Text(required=False, allow_blank=True, max_length=2000, default="")
    lang = Text(required=False, allow_blank=True, max_length=35, default="")
    identity_hmac = Text(required=False, max_length=200)

    def validate_identity_hmac(self, value: str) -> str:
        raise serializers.ValidationError("This widget has no identity secret, so no identity can be proved to it.")


class MessageBody(Body):
    """A visitor's message. `client_id` makes sending it again harmless."""

    client_id = serializers.UUIDField()
    type = Choice(choices=["text"])
    body = Text(max_length=rules.MAX_TEXT_LENGTH)
    department_id = Integer(required=False, min_value=1)

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        client_id = data.get("client_id")
        if client_id is not None and not isinstance(client_id, str):  # a UUIDField takes integers, too
            raise serializers.ValidationError({"client_id": ["Must be a valid UUID."]})
        return super().to_internal_value(data)

    def validate_body(self, value: str) -> str:
        if not value.strip():
            raise serializers.ValidationError("The message is empty.")
        return value


class TypingBody(Body):
    """Whether the visitor is typing."""

    state = Choice(choices=["start", "stop"])


class SeenBody(Body):
    """The last message that the visitor has seen."""

    message_id = Integer(min_value=1)


class AfterQuery(Query):
    """A position in the chat, and how many messages after it."""

    after_id = QueryInteger(required=False, default=0, min_value=0, max_value=2**63 - 1)
    limit = QueryInteger(required=False, default=20, min_value=1, max_value=100)


class ConfigQuery(Query):
    """The visitor's language, where the page knows it."""

    lang = Text(required=False, allow_blank=True, max_length=35, default="")


SESSION, MESSAGE, TYPING, SEEN = SessionBody(), MessageBody(), TypingBody(), SeenBody()
AFTER, CONFIG = AfterQuery(), ConfigQuery()
