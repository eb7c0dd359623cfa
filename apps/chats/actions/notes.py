"""Notes: what operators write to each other in a chat. They are messages that only operators see."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import models, transaction

from apps.agents.models import Agent
from apps.agents.rules import person_refusal
from apps.chats.actions.changes import locked_chat, raise_version
from apps.chats.actions.files import mark_sent
from apps.chats.actions.messages import PostedMessage, with_file
from apps.chats.events import MessagePosted
from apps.chats.models import Chat, File, Message
from apps.chats.rules import SenderKind
from apps.chats.shapes import MessageShape
from apps.core import bus
from apps.core.errors import INVALID_INPUT


@transaction.atomic
def post_note(
    *, widget_id: int, chat_id: int, agent_id: int, content: Mapping[str, Any], client_id: UUID | None = None
) -> PostedMessage:
    """Posts a note of a human agent into a chat, in whichever state that is: also into spam, and an expired one.

    `content` is as in `post_agent_message`. A note changes nothing of the chat but its `version`: neither state nor
    attribution, nor which message is the last. The same `client_id` again gives the message that it stored.

    Raises NOT_FOUND (404) for a chat, agent or file that is not the widget's; INVALID_INPUT (422) on `agent_id` for an
    agent who is no human or is banned, on `file` when it cannot be sent as that type.
    """
    chat = locked_chat(widget_id, chat_id)
    agent = Agent.objects.of(widget_id).one("There is no such agent.", pk=agent_id)
    if refusal := person_refusal(agent.type, agent.status):
        raise INVALID_INPUT(errors={"agent_id": [refusal]})
    messages = Message.objects.of(widget_id)
    if client_id and (stored := messages.filter(chat=chat, client_id=client_id).first()):
        return PostedMessage(MessageShape.show(stored), is_new=False)
    whole = with_file(content, _file(widget_id, content.get("file_id")), member="file")
    # Its id is taken, and its time, while the chat is locked: both are larger than those of all messages before it.
    note = Message.objects.create(
        chat=chat,
        widget_id=widget_id,
        type=whole["type"],
        body=whole.get("body", ""),
        markdown=whole.get("markdown"),
        details=whole.get("details"),
        origin=whole.get("origin"),
        sender_kind=SenderKind.AGENT,
        agent=agent,
        sender_name=agent.full_name,
        is_internal=True,
        client_id=client_id,
        created_at=models.Func(function="clock_timestamp", output_field=models.DateTimeField()),
    )
    mark_sent(widget_id=widget_id, file_id=content.get("file_id"))
    raise_version(chat_id)
    bus.publish(_posted(chat, note.pk))
    return PostedMessage(MessageShape.show(messages.get(pk=note.pk)), is_new=True)


def _file(widget_id: int, file_id: int | None) -> dict[str, Any] | None:
    if file_id is None:
        return None
    files = File.objects.of(widget_id).attachments()
    found = files.filter(pk=file_id).values("id", "name", "size", "content_type").first()
    return dict(found) if found else None


def _posted(chat: Chat, message_id: int) -> MessagePosted:
    return MessagePosted(
        widget_id=chat.widget_id,
        widget_guid=chat.widget.guid,
        chat_id=chat.pk,
        message_id=message_id,
        contact_guid=chat.contact.guid,
        channel=chat.channel,
        author_type="OPERATOR",
        is_internal=True,
    )
