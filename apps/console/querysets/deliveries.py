"""The deliveries of messages to messengers."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import OuterRef

from apps.chats.models import Message

# How many messages of a chat are looked at: its newest.
NEWEST = 50
_SITE = "widget"


def deliveries(widget_id: int, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """`{chat_id, message_id, delivery}` of the newest messages of chats that are no on-site widget's, oldest first.

    `rows` are those of the inbox. Nothing is read where all are the on-site widget's. Index: chats_message_in_chat.
    """
    chat_ids: Collection[int] = [row["id"] for row in rows if row["channel"] != _SITE]
    if not chat_ids:
        return []
    newest = (
        Message.objects.unscoped("read with its widget before")
        .filter(chat=OuterRef("chat_id"))
        .order_by("-id")
        .values("id")[:NEWEST]
    )
    found = Message.objects.for_widget(widget_id).filter(chat_id__in=chat_ids, id__in=newest, delivery__isnull=False)
    columns = ("chat_id", "id", "delivery")
    return [
        {"chat_id": chat_id, "message_id": message_id, "delivery": delivery}
        for chat_id, message_id, delivery in found.order_by("id").values_list(*columns)
    ]
