"""Edits and deletions of a chat's messages, for sockets to show."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.chats.models import MessageEdit  # noqa: F401 - named in the base below

# How many changed messages a client that comes back is shown.
MAX_CHANGED = 100


class MessageEditQuerySet(TenantQuerySet["MessageEdit"]):
    """The former texts of messages."""


def changed_messages(
    *,
    chat_id: int,
    for_visitor: bool,
    after_edit: int | None = None,
    since: datetime | None = None,
    up_to_id: int | None = None,
) -> list[dict[str, Any]]:
    """A chat's messages as they are now that were edited or deleted: after that edit, since then, up to that message.

    At most MAX_CHANGED, those with the newest ids, oldest first; notes for operators alone. Index:
    chats_messageedit_in_chat.
    """
    from apps.chats.models import Message, MessageEdit
    from apps.chats.serializers.chats import MessageSerializer, OperatorMessageSerializer

    edits = MessageEdit.objects.unscoped("of a chat that was read with its widget before").filter(chat_id=chat_id)
    if after_edit is not None:
        edits = edits.filter(pk__gt=after_edit)
    if since is not None:
        edits = edits.filter(at__gt=since)
    messages = Message.objects.unscoped("of a chat that was read with its widget before").filter(
        chat_id=chat_id, pk__in=edits.values("message_id")
    )
    if for_visitor:
        messages = messages.filter(is_internal=False)
    if up_to_id is not None:
        messages = messages.filter(pk__lte=up_to_id)
    shape = MessageSerializer if for_visitor else OperatorMessageSerializer
    rows = list(messages.order_by("-pk").values_list(*shape.columns())[:MAX_CHANGED])
    show = shape.writer()
    return [show(row) for row in reversed(rows)]
