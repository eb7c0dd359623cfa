"""The parts that the cabinet's pages of contacts and chats share."""

from typing import Any

from django.utils.translation import get_language

from apps.accounts.cabinet import display_value
from apps.chats.models import Chat, Contact, Message
from apps.chats.rules.aliases import alias_of
from apps.chats.serializers.files import file_address
from apps.core.parsing.file_types import INLINE_IMAGES

MESSAGES_SHOWN = 100
MAX_ID = 2**63 - 1


def person(contact: Contact) -> str:
    """The display name of a contact: the name, else an address or number, else an alias as in the console."""
    known = contact.name or contact.email or contact.phone
    return known or alias_of(contact.guid, get_language() or "")


def conversation(chat: Chat, before: str) -> dict[str, Any]:
    """The context of `admin/chats/conversation.html`: the newest messages, or those older than the number of
    `before`.
    """
    messages = chat.messages.order_by("-id")
    if before.isascii() and before.isdecimal():
        messages = messages.filter(id__lt=min(int(before), MAX_ID))
    newest = list(messages[: MESSAGES_SHOWN + 1])
    shown = newest[:MESSAGES_SHOWN][::-1]
    return {
        "lines": [(message, attachment_of(message), display_value(message.sender_kind)) for message in shown],
        "earlier_than": shown[0].pk if len(newest) > MESSAGES_SHOWN else None,
        "is_earlier": bool(before),
    }


def attachment_of(message: Message) -> dict[str, Any] | None:
    """A message's file, if it has one, with its address; images that a browser can show are marked."""
    file = (message.details or {}).get("file")
    if not file:
        return None
    address = file_address(message.widget_id, file["id"])
    return {**file, "url": address, "is_shown": file.get("content_type") in INLINE_IMAGES}
