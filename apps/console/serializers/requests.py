"""The bodies of operators' calls, over the websocket and over HTTP."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from apps.agents.rules.choices import language_refusal
from apps.chats.rules import MessageType, member_refusals
from apps.chats.rules.activities import MAX_COMMENT
from apps.chats.rules.blocks import MAX_HOURS, MAX_REASON, Blocked
from apps.chats.rules.markup import has_marks, plain_text
from apps.chats.rules.translations import MAX_SOURCE
from apps.chats.rules.typing import Typing
from apps.chats.serializers.requests import KeyboardBody
from apps.console.rules.limits import MAX_TEXT_LENGTH, PAGE_LENGTH
from apps.core.endpoints.paging import MAX_LIMIT, PageQuery
from apps.core.endpoints.serializers import Body, Boolean, Choice, Integer, QueryInteger, Text, Uuid, validator_of

# How many chats a tab may have open at once.
MAX_CHATS = 20
MAX_ID = 2**63 - 1


class Positions(serializers.Field[Any, Any, Any, Any]):
    """The last message that was shown of each chat: `{"<chat_id>": message_id}`; 0 is none."""

    def to_internal_value(self, data: Any) -> dict[int, int]:
        if not isinstance(data, dict):
            raise serializers.ValidationError("This must be an object.")
        if len(data) > MAX_CHATS:
            raise serializers.ValidationError(f"At most {MAX_CHATS} chats.")
        refused = {name: refusals for name, value in data.items() if (refusals := _refusals(name, value))}
        if refused:
            raise serializers.ValidationError(refused)
        return {int(name): value for name, value in data.items()}


def _refusals(name: str, value: Any) -> list[str]:
    if not (name.isascii() and name.isdigit() and len(name) < 20 and 0 < int(name) <= MAX_ID):
        return ["The name must be the id of a chat."]
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_ID:
        return ["The value must be the id of a message, or 0."]
    return []


class OperatorAuthBody(Body):
    """The first frame: a ticket, and how far the client has shown the chats that it looks at."""

    ticket = Text(max_length=200)
    chats = Positions(required=False)


class ObjectId(Integer):
    """The id of a chat, or of a message."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=MAX_ID, **options)


class OpenBody(Body):
    """A chat to be looked at, and up to where it was shown; 0 is nothing, without it there is only what comes."""

    chat_id = ObjectId()
    after_id = Integer(required=False, min_value=0, max_value=MAX_ID)


class LeaveBody(Body):
    """A chat that is not looked at any more."""

    chat_id = ObjectId()


class OwnWordsBody(Body):
    """The words of who wrote a message whose `body` is their translation."""

    text = Text(max_length=MAX_SOURCE)
    lang = Text(max_length=3, validators=[validator_of(language_refusal)])


class OperatorMessageBody(Body):
    """An operator's message, or private note. `client_id` makes sending it again harmless.

    `assist_id`, `from_message_id`: the draft, or AI's note, that it was made from.
    """

    chat_id = ObjectId()
    client_id = Uuid()
    type = Choice(choices=[MessageType.TEXT, MessageType.IMAGE, MessageType.FILE, MessageType.KEYBOARD])
    body = Text(required=False, allow_blank=True, max_length=MAX_TEXT_LENGTH)
    file_id = ObjectId(required=False)
    keyboard = KeyboardBody(required=False)
    markdown = Text(required=False, max_length=MAX_TEXT_LENGTH)
    is_note = Boolean(required=False, default=False)
    assist_id = ObjectId(required=False)
    from_message_id = ObjectId(required=False)
    source = OwnWordsBody(required=False)  # type: ignore[assignment]
    and_close = Boolean(required=False, default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["is_note"] and attrs["and_close"]:
            raise serializers.ValidationError({"and_close": ["A note closes no chat."]})
        attrs |= _formatted(attrs)
        given = {"file" if name == "file_id" else name: value for name, value in attrs.items() if name != "source"}
        refusals = member_refusals(MessageType(attrs["type"]), given)
        if refusals:
            named = {"file_id" if name == "file" else name: [text] for name, text in refusals.items()}
            raise serializers.ValidationError(named)
        return attrs


class EditBody(Body):
    """The new text of a message, with its marks or without."""

    body = Text(required=False, max_length=MAX_TEXT_LENGTH)
    markdown = Text(required=False, max_length=MAX_TEXT_LENGTH, help_text="In place of `body`: the text with marks.")
    source = OwnWordsBody(required=False)  # type: ignore[assignment]

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.keys() == {"source"}:
            raise serializers.ValidationError({"body": ["Send the text that is its translation, too."]})
        if attrs:
            formatted(attrs)
        return attrs


def formatted(given: Mapping[str, Any]) -> dict[str, Any]:
    """The `body` of a text that was sent plain or as Markdown, and its `markdown`: None where it has no marks.

    Raises ValidationError for both, and for marks without words.
    """
    return {"body": given.get("body", ""), "markdown": None, **_formatted(given)}


def _formatted(given: Mapping[str, Any]) -> dict[str, Any]:
    if "markdown" not in given:
        return {}
    if "body" in given:
        raise serializers.ValidationError({"markdown": ["Send a `body` or a `markdown`, one of the two."]})
    markdown = given["markdown"]
    body = plain_text(markdown)
    if not body.strip():
        raise serializers.ValidationError({"markdown": ["There are no words in it."]})
    if not has_marks(markdown):
        return {"body": markdown, "markdown": None}
    return {"body": body, "markdown": markdown}


class SnoozeBody(Body):
    """Until when a chat is snoozed."""

    until = serializers.DateTimeField(allow_null=True, help_text="Null: until the visitor writes.")


class OperatorTypingBody(Body):
    """Whether the operator types; `is_note`: only colleagues are shown it."""

    chat_id = ObjectId()
    state = Choice(choices=list(Typing))
    is_note = Boolean(required=False, default=False)


class OperatorUsedBody(Body):
    """A device of the operator's that is used just now, by a name of its own."""

    device = Text(min_length=8, max_length=40)


class OperatorSeenBody(Body):
    """The last message that the operator has seen."""

    chat_id = ObjectId()
    message_id = ObjectId()


class AcceptBody(Body):
    """How a chat is taken."""

    only_if_free = Boolean(
        required=False, help_text="True: a chat that is another operator's by now is not taken from them."
    )


class BlockBody(Body):
    """The blocked side, the reason, and the duration."""

    what = Choice(choices=list(Blocked), help_text="The contact, the address they came from, or its whole network.")
    reason = Text(required=False, allow_blank=True, max_length=MAX_REASON, default="")
    hours = Integer(
        required=False, allow_null=True, default=None, min_value=1, max_value=MAX_HOURS, help_text="Null: for ever."
    )


class HandOverBody(Body):
    """The chat's new owner: a person, or a department."""

    agent_id = Integer(required=False, min_value=1, help_text="A human agent of this widget, not banned.")
    department_id = Integer(required=False, min_value=1, help_text="A department of this widget.")
    comment = Text(
        required=False, allow_blank=True, max_length=MAX_COMMENT, help_text="For the chat's next operator to read."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("agent_id" in attrs) == ("department_id" in attrs):
            refusal = "Send an `agent_id` or a `department_id`, one of the two."
            raise serializers.ValidationError({"agent_id": [refusal]})
        return attrs


class LongPageQuery(PageQuery):
    """The parameters of the console's lists."""

    limit = QueryInteger(required=False, default=PAGE_LENGTH, min_value=1, max_value=MAX_LIMIT)
