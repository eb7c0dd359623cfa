"""A chat that goes on in another channel."""

from django.db import transaction

from apps.chats.actions.changes import locked_chat, record_change
from apps.chats.actions.notes import post_system_note
from apps.chats.events import ChatMoved
from apps.chats.models import Chat
from apps.core import database


@transaction.atomic
def move_chat(*, widget_id: int, chat_id: int, channel: str, note: str) -> bool:
    """The chat goes on in that channel: with its messages, owner, department and state; `note` tells operators of it.

    Returns False, and changes nothing, where its contact has a chat in that channel already: chats are not merged. The
    next message in the channel that it leaves begins a chat there. Raises NOT_FOUND (404).
    """
    chat = locked_chat(widget_id, chat_id)
    if chat.channel == channel:
        return True
    database.lock(f"chats_of:{chat.contact_id}")
    if Chat.objects.for_widget(widget_id).filter(contact_id=chat.contact_id, channel=channel).exists():
        return False
    moved = ChatMoved.of(chat, from_channel=chat.channel, to_channel=channel)
    record_change(chat, moved, channel=channel)
    post_system_note(widget_id=widget_id, chat_id=chat_id, body=note)
    return True
