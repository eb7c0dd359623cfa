"""A chat's messages over REST (specification, Endpoints, "Chats and messages")."""

from typing import Any

from rest_framework.exceptions import ValidationError

from apps.chats import actions, querysets
from apps.chats.api.chats import chat_exists
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.rules import MAX_BODY_LENGTH, MessageType
from apps.chats.shapes import MessageRow, MessageShape, PostedMessageShape, show_message
from apps.core.errors import NOT_FOUND
from apps.core.operations import Call, operation
from apps.core.paging import Page, page_of, read_cursor
from apps.core.serializers import Body, Choice, Integer, Text
from apps.core.viewsets import ApiViewSet
from apps.core.windows import WindowQuery

MESSAGES = "messages"


class MessageListQuery(WindowQuery):
    """`from` and `to` bound the message's creation."""


class MessageBody(Body):
    """A message to send as an agent."""

    type = Choice(choices=[MessageType.TEXT])
    body = Text(max_length=MAX_BODY_LENGTH)
    markdown = Text(required=False, max_length=MAX_BODY_LENGTH, help_text="The text again, as Markdown.")
    origin = Text(required=False, min_length=1, max_length=64, help_text="Where the message comes from, in your words.")
    agent_id = Integer(
        required=False, min_value=1, help_text="The human agent who sends; required while the chat has no owner."
    )

    def validate_body(self, value: str) -> str:
        if not value.strip():
            raise ValidationError("The text is empty.")
        return value


def position(row: Any) -> tuple[Any, ...]:
    message = MessageRow(*row)
    return message.created_at, message.id


class MessageViewSet(ApiViewSet):
    @operation(
        scopes=("messages:read",),
        summary="List a chat's messages",
        query=MessageListQuery,
        answer=MessageShape,
        envelope="list",
        problems=(NOT_FOUND,),
        target_exists=chat_exists,
    )
    def list(self, call: Call, chat_id: int) -> Page:
        """The chat's messages, newest first."""
        filters = dict(call.query)
        limit, cursor = filters.pop("limit"), filters.pop("cursor", None)
        of_list = f"{MESSAGES}:{chat_id}"
        rows = querysets.message_page(
            widget_id=call.widget_id,
            chat_id=chat_id,
            filters=filters,
            after=read_cursor(of_list, cursor),
            limit=limit,
        )
        if not rows and not chat_exists(call):
            raise NOT_FOUND()
        return page_of(rows, limit=limit, of_list=of_list, show=show_message, position=position)

    @operation(
        scopes=("messages:write",),
        summary="Send a message",
        body=MessageBody,
        answer=PostedMessageShape,
        status=202,
        problems=(NOT_FOUND, CHAT_IS_SPAM),
        idempotency="required",
        takes_claim=True,
        target_exists=chat_exists,
        example={"type": "text", "body": "Здравствуйте! How can we help?", "agent_id": 1},
    )
    def create(self, call: Call, chat_id: int) -> dict[str, Any]:
        """Sends a message as a human agent. When it is answered the message is stored; an expired chat is active again.

        The first reply accepts the chat, and makes the agent its owner when it has none.
        """
        content = dict(call.body)
        posted = actions.post_agent_message(
            widget_id=call.widget_id,
            chat_id=chat_id,
            agent_id=content.pop("agent_id", None),
            content=content,
            claim=call.claim,
        )
        return {"message_id": posted.id, "chat_id": posted.chat_id}
