"""How a change of a chat is recorded: its fields, its `version`, and the event that tells of it.

Every change of a chat, of what its messages show, or of its visitor, raises `version`. Posting compares it to see
whether the chat is still as it was read; sockets, whether there is something to read.
"""

from typing import Any

from django.db.models import F

from apps.chats.events import ChatUpdated
from apps.chats.models import Chat, Contact, Message
from apps.core import bus
from apps.core.bus import DomainEvent

# For statements by hand, which call the chat `c`; they publish ChatUpdated themselves.
VERSION_RAISED = "version = c.version + 1"


def locked_chat(widget_id: int, chat_id: int) -> Chat:
    """A chat of the widget with what its answer shows, locked until the transaction ends. Raises NOT_FOUND (404)."""
    related = ("widget", "contact", "last_message")
    chat = Chat.objects.of(widget_id).select_related(*related).select_for_update(of=("self",)).one(pk=chat_id)
    if chat.last_message is None and chat.last_message_id is not None:
        # It was posted while the lock was waited for: the chat's row is of now, what is joined to it is of before.
        chat.last_message = Message.objects.of(widget_id).filter(pk=chat.last_message_id).first()
    return chat


def record_change(chat: Chat, *events: DomainEvent, **fields: Any) -> None:
    """Saves those fields of a locked chat, and publishes what happened (`events`) and that the chat was updated."""
    fields["version"] = chat.version + 1
    for name, value in fields.items():
        setattr(chat, name, value)
    chat.save(update_fields=fields)
    bus.publish(*events, ChatUpdated(widget_id=chat.widget_id, chat_id=chat.pk))


def record_contact_change(contact: Contact) -> None:
    """Raises the version of each of a contact's chats, and tells of it: operators see the contact beside the chat."""
    chats = Chat.objects.of(contact.widget_id).filter(contact=contact)
    if chats.update(version=F("version") + 1):
        ids = chats.values_list("pk", flat=True)
        bus.publish(*(ChatUpdated(widget_id=contact.widget_id, chat_id=chat_id) for chat_id in ids))


def raise_version(chat_id: int) -> None:
    """For a change of the chat's messages, of which the caller tells."""
    Chat.objects.filter(pk=chat_id).update(version=F("version") + 1)
