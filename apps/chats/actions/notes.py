"""Messages beside the conversation: operators' notes to each other, which only they see, and the system's messages.

They change nothing of the chat but its `version`: neither state nor attribution, nor which message is the last.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import models, transaction

from apps.agents.models import Agent
from apps.chats.actions.changes import locked_chat, raise_version
from apps.chats.actions.files import mark_sent
from apps.chats.actions.messages import PostedMessage, with_file
from apps.chats.events import MessagePosted, SystemMessagePosted
from apps.chats.models import Chat, File, Message
from apps.chats.rules import MessageType, SenderKind, Via
from apps.chats.rules.messages import SENDER_KINDS
from apps.chats.serializers.chats import MessageSerializer
from apps.core import bus
from apps.core.errors import INVALID_INPUT


@transaction.atomic
def post_note(
    *,
    widget_id: int,
    chat_id: int,
    agent_id: int,
    content: Mapping[str, Any],
    client_id: UUID | None = None,
    via: Via | None = None,
) -> PostedMessage:
    """Posts a note of an operator, of any type, into a chat, in whichever state that is: also into spam, or expired.

    `content` is as in `post_agent_message`. The same `client_id` again gives the message that it stored.

    Raises NOT_FOUND (404) for a chat, agent or file that is not the widget's; INVALID_INPUT (422) on `agent_id` for an
    agent who is banned, on `file` when it cannot be sent as that type.
    """
    chat = locked_chat(widget_id, chat_id)
    agent = Agent.objects.for_widget(widget_id).get_or_404("There is no such agent.", pk=agent_id)
    if agent.status == Agent.Status.BANNED:
        raise INVALID_INPUT(errors={"agent_id": ["The agent is banned."]})
    if stored := _stored(chat, client_id):
        return stored
    whole = with_file(content, _file(widget_id, content.get("file_id")), member="file")
    note = _write(
        chat,
        whole,
        sender_kind=SENDER_KINDS[agent.type],
        agent=agent,
        sender_name=agent.full_name,
        is_internal=True,
        client_id=client_id,
        via=via,
    )
    mark_sent(widget_id=widget_id, file_id=content.get("file_id"))
    bus.publish(MessagePosted.of(chat, message_id=note.id, author_type="OPERATOR", is_internal=True))
    return note


@transaction.atomic
def post_system_message(*, widget_id: int, chat_id: int, body: str, client_id: UUID | None = None) -> PostedMessage:
    """Writes as the service itself into a chat, for both sides to see; a transcript has it, statistics have not.

    The same `client_id` again gives the message that it stored. Raises NOT_FOUND (404).
    """
    chat = locked_chat(widget_id, chat_id)
    if stored := _stored(chat, client_id):
        return stored
    content = {"type": MessageType.TEXT, "body": body}
    written = _write(chat, content, sender_kind=SenderKind.SYSTEM, client_id=client_id)
    bus.publish(SystemMessagePosted(widget_id=widget_id, chat_id=chat_id, message_id=written.id, channel=chat.channel))
    return written


@transaction.atomic
def post_system_note(*, widget_id: int, chat_id: int, body: str) -> PostedMessage:
    """Writes as the service itself into a chat, for its operators alone. Raises NOT_FOUND (404)."""
    chat = locked_chat(widget_id, chat_id)
    content = {"type": MessageType.TEXT, "body": body}
    written = _write(chat, content, sender_kind=SenderKind.SYSTEM, is_internal=True)
    bus.publish(SystemMessagePosted(widget_id=widget_id, chat_id=chat_id, message_id=written.id, channel=chat.channel))
    return written


def _stored(chat: Chat, client_id: UUID | None) -> PostedMessage | None:
    found = (
        Message.objects.for_widget(chat.widget_id).filter(chat=chat, client_id=client_id).first() if client_id else None
    )
    return PostedMessage(MessageSerializer.show(found), is_new=False) if found else None


def _write(chat: Chat, content: Mapping[str, Any], **sender: Any) -> PostedMessage:
    """Stores a message into a locked chat: its id and its time are larger than those of all messages before it."""
    message = Message.objects.create(
        chat=chat,
        widget_id=chat.widget_id,
        type=content["type"],
        body=content.get("body", ""),
        markdown=content.get("markdown"),
        details=content.get("details"),
        origin=content.get("origin"),
        created_at=models.Func(function="clock_timestamp", output_field=models.DateTimeField()),
        **sender,
    )
    raise_version(chat.pk)
    stored = Message.objects.for_widget(chat.widget_id).get(pk=message.pk)
    return PostedMessage(MessageSerializer.show(stored), is_new=True)


def _file(widget_id: int, file_id: int | None) -> dict[str, Any] | None:
    if file_id is None:
        return None
    files = File.objects.for_widget(widget_id).attachments()
    found = files.filter(pk=file_id).values("id", "name", "size", "content_type").first()
    return dict(found) if found else None
