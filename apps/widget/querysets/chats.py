"""Reads of a visitor's chat: its messages, files and steps."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, Sum
from django.db.models.functions import Greatest

from apps.chats.models import Chat, Contact, File
from apps.chats.querysets import messages_after
from apps.chats.querysets.activities import visitor_steps
from apps.chats.serializers.chats import MessageSerializer
from apps.core.database import fetch_all
from apps.widget import rules
from apps.widget.querysets.visitors import SESSION_MESSAGES
from apps.widget.rules.fields import BY_NAME

CHANNEL = "widget"


DISPLAY_MODE, HIDDEN = "operators_display_mode", "hidden"


def owner_of(chat_id: int | None) -> tuple[int | None, bool]:
    """The operator of a visitor's chat, who has it, and whether it waits in a queue."""
    if chat_id is None:
        return None, False
    chats = Chat.objects.unscoped("of the visitor's own chat").filter(pk=chat_id)
    found = chats.values_list("agent_id", "queued_at").first()
    return (None, False) if found is None else (found[0], found[1] is not None)


def chat_of(contact_id: int) -> int | None:
    """The id of a visitor's chat; None before its first message."""
    return chats_of([contact_id]).get(contact_id)


def chats_of(contact_ids: Collection[int]) -> dict[int, int]:
    """The chats of visitors, by contact. Index: chats_chat_one_a_channel."""
    found = fetch_all(
        """
        SELECT contact_id, id FROM chats_chat WHERE contact_id = ANY(%(ids)s) AND channel = %(channel)s
        /* unscoped: contacts whose sessions were found */""",
        {"ids": list(contact_ids), "channel": CHANNEL},
    )
    return dict(found)


def left_among(chat_ids: Collection[int]) -> dict[int, str]:
    """The chats that go on in another channel now, of those, and in which."""
    found = fetch_all(
        """
        SELECT id, channel FROM chats_chat WHERE id = ANY(%(ids)s) AND channel <> %(channel)s
        /* unscoped: chats that sockets look at */""",
        {"ids": list(chat_ids), "channel": CHANNEL},
    )
    return dict(found)


@dataclass(frozen=True, slots=True)
class Uploaded:
    """Bytes that visitors have uploaded, small files counted as `rules.LEAST_UPLOAD`."""

    by_contact: int
    by_all: int


def uploaded_since(contact: Contact, since: datetime) -> Uploaded:
    """The bytes that a visitor, and all visitors of the widget, have uploaded since then.

    Index: chats_file_of_visitors.
    """
    counted = Greatest("size", rules.LEAST_UPLOAD)
    by_contact = Sum(counted, filter=Q(contact=contact), default=0)
    files = File.objects.for_widget(contact.widget_id).of_visitors_since(since)
    return Uploaded(**files.aggregate(by_contact=by_contact, by_all=Sum(counted, default=0)))


def newest_messages(chat_id: int, *, before_id: int = 2**63 - 1, limit: int = SESSION_MESSAGES) -> list[dict[str, Any]]:
    """The last messages before a position that the visitor may see, oldest first. Index: chats_message_in_chat."""
    found = fetch_all(
        """
        SELECT coalesce(min(id), 0) FROM (
            SELECT id FROM chats_message WHERE chat_id = %(chat_id)s AND NOT is_internal AND id < %(before_id)s
            ORDER BY id DESC LIMIT %(limit)s /* unscoped: read with its widget before */
        ) newest""",
        {"chat_id": chat_id, "before_id": before_id, "limit": limit},
    )
    first = found[0][0]
    if not first:
        return []
    shown = visible_messages(chat_id, after_id=first - 1, limit=limit)
    return [message for message in shown if message["id"] < before_id]


def visible_messages(chat_id: int, *, after_id: int, limit: int, before_id: int | None = None) -> list[dict[str, Any]]:
    """The messages after a position, or the newest before one, that the visitor may see, oldest first, in their wire
    shape.
    """
    if before_id is not None:
        return newest_messages(chat_id, before_id=before_id, limit=limit)
    found = messages_after(chat_id=chat_id, after_id=after_id, limit=limit, for_visitor=True)
    show = MessageSerializer.writer()
    return [show(row) for row in found]


def steps_of(widget_id: int, chat_id: int) -> list[dict[str, Any]]:
    """The steps of the chat that the visitor is told of, names as the widget shows them."""
    steps = visitor_steps(chat_id)
    return [{**step, "name": None} for step in steps] if steps and display_mode(widget_id) == HIDDEN else steps


def display_mode(widget_id: int) -> str:
    """How the widget shows its operators: the setting `operators_display_mode`."""
    from apps.widget.models import WidgetSettings

    settings = WidgetSettings.objects.for_widget(widget_id)
    chosen = settings.values_list("stored__operators_display_mode", flat=True).first()
    return str(chosen or BY_NAME[DISPLAY_MODE].default)
