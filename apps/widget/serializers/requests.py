"""The bodies of visitors' calls, over HTTP and over the websocket, and lists without repetitions."""

from typing import Any

from rest_framework import serializers
from rest_framework.fields import empty

from apps.chats.rules import MessageType
from apps.chats.serializers.requests import ContactEmail, ContactName, ContactPhone
from apps.core.endpoints.serializers import Body, Boolean, Choice, Integer, Items, Text, Uuid
from apps.widget import rules
from apps.widget.serializers.questions import GivenAnswers

ANSWERS = "Answers to the config's `questions`, by key: as a chat begins, the required ones may not lack."


class AnyNumber(Integer):
    """A number for which no message is refused: what is none counts as not sent."""

    def run_validation(self, data: Any = empty) -> Any:
        return data if isinstance(data, int) and not isinstance(data, bool) else None


class VisitorMessageBody(Body):
    """A visitor's message. `client_id` makes sending it again harmless."""

    client_id = Uuid()
    type = Choice(source="type_", choices=[MessageType.TEXT, MessageType.IMAGE, MessageType.FILE])
    body = Text(required=False, allow_blank=True, max_length=rules.MAX_TEXT_LENGTH, default="")
    file_id = Integer(required=False, min_value=1)
    department_id = Integer(required=False, min_value=1)
    page_url = Text(
        required=False,
        allow_blank=True,
        max_length=2000,
        help_text="The page that it is written on; without it, the page that the session told last.",
    )
    answers = GivenAnswers(required=False, help_text=ANSWERS)
    offer_id = AnyNumber(
        required=False, allow_null=True, help_text="The number of the offered invitation that it answers."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["type_"] == MessageType.TEXT:
            if not attrs["body"].strip():
                raise serializers.ValidationError({"body": ["The message is empty."]})
            if "file_id" in attrs:
                raise serializers.ValidationError({"file_id": ["A text has no file."]})
        elif "file_id" not in attrs:
            raise serializers.ValidationError({"file_id": ["This field is required."]})
        return attrs


class OfflineMessageBody(Body):
    """The fields of the offline form. A blank field counts as not sent."""

    name = ContactName(required=False, allow_blank=True)
    email = ContactEmail(required=False, allow_blank=True)
    phone = ContactPhone(required=False, allow_blank=True)
    message = Text(required=False, max_length=rules.MAX_TEXT_LENGTH)
    message_id = Integer(
        required=False, min_value=1, help_text="In place of `message`: a message that the visitor has written already."
    )
    mail_answers = Boolean(
        required=False, help_text="Answers that stay unseen may be mailed, where the widget does it."
    )
    client_id = Uuid(required=False, help_text="Makes sending it again harmless.")
    answers = GivenAnswers(required=False, help_text=ANSWERS)

    def validate_message(self, value: str) -> str:
        if not value.strip():
            raise serializers.ValidationError("The message is empty.")
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "message_id" not in attrs and "message" not in attrs:
            raise serializers.ValidationError({"message": ["This field is required."]})
        if "message_id" in attrs and "message" in attrs:
            raise serializers.ValidationError({"message_id": ["It takes the place of `message`: send one of them."]})
        return attrs


class VisitorTypingBody(Body):
    """Whether the visitor is typing."""

    state = Choice(choices=["start", "stop"])


class VisitorSeenBody(Body):
    """The last message that the visitor has seen."""

    message_id = Integer(min_value=1)


class AnswerFeedbackBody(Body):
    """A visitor's thumb under an AI's message."""

    helpful = Boolean(allow_null=True, help_text="Whether it helped; null takes back what was said before.")


class VisitorWishBody(Body):
    """Nothing but the wish: `{}`."""


class DistinctItems(Items):
    """A list in which nothing occurs twice; the second is named."""

    def run_child_validation(self, data: Any) -> list[Any]:
        found = super().run_child_validation(data)
        again = {str(place): ["It is there already."] for place, each in enumerate(found) if each in found[:place]}
        if again:
            raise serializers.ValidationError(again)
        return found
