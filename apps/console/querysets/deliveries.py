"""The state of messages in messengers: their delivery there, and edits and deletions by their writers."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import OuterRef, Q

from apps.chats.models import Message
from apps.chats.rules.messages import files_of
from apps.console.querysets.presence import mailed_among

# How many messages of a chat are looked at: its newest.
NEWEST = 50
_SITE = "widget"


def deliveries(widget_id: int, rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """`{chat_id, message_id, delivery, edit}` of the newest messages of messengers' chats, and of mailed ones, oldest
    first. `delivery` is null for a customer's message, `edit` (what the message holds now, `edited_at`, `deleted_at`)
    for one that its writer has not changed; one of both is there.

    `rows` are those of the inbox. Index: chats_message_in_chat.
    """
    rows = list(rows)
    mailed = mailed_among(widget_id, [row["id"] for row in rows if row["channel"] == _SITE])
    chat_ids: Collection[int] = [row["id"] for row in rows if row["channel"] != _SITE or row["id"] in mailed]
    if not chat_ids:
        return []
    newest = (
        Message.objects.unscoped("read with its widget before")
        .filter(chat=OuterRef("chat_id"))
        .order_by("-id")
        .values("id")[:NEWEST]
    )
    is_news = Q(delivery__isnull=False) | Q(details__has_any_keys=["edited_at", "deleted_at"])
    found = Message.objects.for_widget(widget_id).filter(is_news, chat_id__in=chat_ids, id__in=newest)
    columns = ("chat_id", "id", "delivery", "type", "body", "details")
    return [
        {
            "chat_id": chat_id,
            "message_id": message_id,
            "delivery": delivery,
            "edit": _edit_of(type_, body, details or {}),
        }
        for chat_id, message_id, delivery, type_, body, details in found.order_by("id").values_list(*columns)
    ]


def _edit_of(type_: str, body: str, details: Mapping[str, Any]) -> dict[str, Any] | None:
    """A place that moves and a file in another's stead are edits, too; a file's address, new at each read, is none."""
    told = {name: details.get(name) for name in ("edited_at", "deleted_at")}
    if not any(told.values()):
        return None
    holds = {name: details.get(name) for name in ("coords", "file", "sticker")}
    return {"type": type_, "body": body, **holds, "files": list(files_of(details)), **told}
