"""Marking the other side's messages as seen."""

from django.db import transaction
from django.utils import timezone

from apps.chats.actions.changes import raise_version
from apps.chats.events import AuthorType, MessagesSeen
from apps.chats.models import Message
from apps.chats.rules import SenderKind
from apps.core import bus
from apps.core.errors import NOT_FOUND


@transaction.atomic
def mark_seen(*, widget_id: int, chat_id: int, message_id: int, seen_by: AuthorType) -> int:
    """Marks the other side's messages up to `message_id` as seen; returns how many were not yet.

    Raises NOT_FOUND (404) when the chat is not the widget's or the message not the chat's (an operator-only message is
    none for the visitor).
    """
    messages = Message.objects.for_widget(widget_id).filter(chat_id=chat_id)
    if seen_by == "USER":
        messages = messages.filter(is_internal=False)
        others = messages.exclude(sender_kind=SenderKind.CLIENT)
    else:
        others = messages.filter(sender_kind=SenderKind.CLIENT)
    if not messages.filter(pk=message_id).exists():
        raise NOT_FOUND()
    count = others.filter(pk__lte=message_id, seen_at=None).update(seen_at=timezone.now())
    if count:
        raise_version(chat_id)
        bus.publish(MessagesSeen(widget_id=widget_id, chat_id=chat_id, message_id=message_id, seen_by=seen_by))
    return count
