"""What visitors send: strict bodies, shared by the HTTP calls and the websocket's frames."""

from typing import Any

from rest_framework import serializers

from apps.chats.models import Rating
from apps.chats.rules import MessageType
from apps.chats.rules.ratings import HIGHEST_RATING, LOWEST_RATING, MAX_COMMENT_LENGTH
from apps.chats.shapes.contacts import Attributes, ContactEmail, ContactName, ContactPhone
from apps.core.endpoints.serializers import Body, Choice, Integer, Query, QueryInteger, Text
from apps.widget import rules


class SessionBody(Body):
    """`POST sessions`: who the visitor is, as far as the page knows."""

    visitor_token = Text(required=False, max_length=200)
    name = ContactName(required=False, allow_blank=True)
    email = ContactEmail(required=False, allow_blank=True)
    phone = ContactPhone(required=False, allow_blank=True)
    attributes = Attributes(required=False, allow_null=True)
    page_url = Text(required=False, allow_blank=True, max_length=2000, default="")
    lang = Text(required=False, allow_blank=True, max_length=35, default="")
    identity_hmac = Text(required=False, max_length=200)

    def validate_identity_hmac(self, value: str) -> str:
        raise serializers.ValidationError("This widget has no identity secret, so no identity can be proved to it.")


class MessageBody(Body):
    """A visitor's message. `client_id` makes sending it again harmless."""

    client_id = serializers.UUIDField()
    type = Choice(choices=[MessageType.TEXT, MessageType.IMAGE, MessageType.FILE])
    body = Text(required=False, allow_blank=True, max_length=rules.MAX_TEXT_LENGTH, default="")
    file_id = Integer(required=False, min_value=1)
    department_id = Integer(required=False, min_value=1)

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        client_id = data.get("client_id")
        if client_id is not None and not isinstance(client_id, str):  # a UUIDField takes integers, too
            raise serializers.ValidationError({"client_id": ["Must be a valid UUID."]})
        return super().to_internal_value(data)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["type"] == MessageType.TEXT:
            if not attrs["body"].strip():
                raise serializers.ValidationError({"body": ["The message is empty."]})
            if "file_id" in attrs:
                raise serializers.ValidationError({"file_id": ["A text has no file."]})
        elif "file_id" not in attrs:
            raise serializers.ValidationError({"file_id": ["This field is required."]})
        return attrs


class TypingBody(Body):
    """Whether the visitor is typing."""

    state = Choice(choices=["start", "stop"])


class SeenBody(Body):
    """The last message that the visitor has seen."""

    message_id = Integer(min_value=1)


class RatingBody(Body):
    """What the visitor thinks of their chat."""

    value = Integer(min_value=LOWEST_RATING, max_value=HIGHEST_RATING)
    comment = Text(required=False, allow_blank=True, max_length=MAX_COMMENT_LENGTH, default="")


def show_rating(rating: Rating) -> dict[str, Any]:
    """A rating as its visitor is shown it."""
    return {"value": rating.value, "comment": rating.comment or None, "rated_at": rating.rated_at}


class AfterQuery(Query):
    """A position in the chat, and how many messages after it."""

    after_id = QueryInteger(required=False, default=0, min_value=0, max_value=2**63 - 1)
    limit = QueryInteger(required=False, default=20, min_value=1, max_value=100)


class ConfigQuery(Query):
    """The visitor's language, where the page knows it."""

    lang = Text(required=False, allow_blank=True, max_length=35, default="")


SESSION, MESSAGE, TYPING, SEEN, RATING = SessionBody(), MessageBody(), TypingBody(), SeenBody(), RatingBody()
AFTER, CONFIG = AfterQuery(), ConfigQuery()
