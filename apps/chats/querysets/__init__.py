"""Named reads of contacts, chats and messages; each starts from the widget.

The reads behind the busiest endpoints are written in SQL: one prepared statement each, straight into the rows that
`shapes.py` shows. The index that serves a statement is named beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import models

from apps.chats.querysets.chats import chat_exists, chat_row, listed_page
from apps.chats.querysets.search import search_page
from apps.core.database import Row, fetch_all, fetch_one
from apps.core.endpoints.paging import Found, Position

if TYPE_CHECKING:
    from apps.chats.models import Chat, Contact, Message  # noqa: F401 - named in the bases below

__all__ = [
    "ChatQuerySet",
    "ContactQuerySet",
    "MessageQuerySet",
    "chat_exists",
    "chat_page",
    "chat_row",
    "message_page",
    "message_with_client_id",
    "messages_after",
    "search_page",
]


class ContactQuerySet(models.QuerySet["Contact"]):
    def of(self, widget_id: int) -> ContactQuerySet:
        return self.filter(widget_id=widget_id)


class ChatQuerySet(models.QuerySet["Chat"]):
    def of(self, widget_id: int) -> ChatQuerySet:
        return self.filter(widget_id=widget_id)

    def locked(self, chat_id: int) -> Chat | None:
        """The chat with its widget, locked until the transaction ends; None when there is none."""
        return self.select_related("widget").select_for_update(of=("self",)).filter(pk=chat_id).first()


class MessageQuerySet(models.QuerySet["Message"]):
    def of(self, widget_id: int) -> MessageQuerySet:
        return self.filter(widget_id=widget_id)

    def for_visitor(self) -> MessageQuerySet:
        """What the visitor may see: no notes, no operator-only messages."""
        return self.filter(is_internal=False)


def chat_page(*, widget_id: int, filters: dict[str, Any], after: Position | None, limit: int) -> Found:
    """One page of a widget's chats, newest first, in the columns of `shapes.ChatRow`; one row more than `limit`.

    `filters` holds those of status, channel, has_client_messages, q, from and to that apply; `after` is the position
    (created_at, id) of the page before.
    """
    read = search_page if "q" in filters else listed_page
    return read(widget_id=widget_id, filters=filters, after=after, limit=limit)


_MESSAGES = """
SELECT m.id, m.chat_id, m.type, m.body, m.markdown, m.details, m.origin, m.sender_kind, m.agent_id, m.sender_name,
       m.created_at, m.seen_at
FROM chats_message m
WHERE m.chat_id = %(chat_id)s"""


def message_page(
    *, widget_id: int, chat_id: int, filters: dict[str, Any], after: tuple[Any, ...] | None, limit: int
) -> list[Row]:
    """One page of a chat's messages, newest first, in the columns of `shapes.MessageRow`; one row more than `limit`.

    Messages for operators only are among them. No row comes back for a chat of another widget.
    Index: chats_message_list.
    """
    sql = [_MESSAGES, "m.widget_id = %(widget_id)s"]
    parameters = {**filters, "widget_id": widget_id, "chat_id": chat_id, "rows": limit + 1}
    if "from" in filters:
        sql.append("m.created_at >= %(from)s")
    if "to" in filters:
        sql.append("m.created_at < %(to)s")
    if after is not None:
        sql.append("(m.created_at, m.id) < (%(after_at)s, %(after_id)s)")
        parameters["after_at"], parameters["after_id"] = after
    return fetch_all(" AND ".join(sql) + " ORDER BY m.created_at DESC, m.id DESC LIMIT %(rows)s", parameters)


def messages_after(*, chat_id: int, after_id: int, limit: int, for_visitor: bool) -> list[Row]:
    """The messages of a chat after a position, oldest first, in the columns of `shapes.MessageRow`.

    Ids are in the order of commits, so what has a larger id than the last one read has come after it.
    Index: chats_message_in_chat.
    """
    visible = " AND NOT m.is_internal" if for_visitor else ""
    return fetch_all(
        f"{_MESSAGES} AND m.id > %(after_id)s{visible} ORDER BY m.id LIMIT %(limit)s",
        {"chat_id": chat_id, "after_id": after_id, "limit": limit},
    )


def message_with_client_id(chat_id: int, client_id: UUID | None) -> Row:
    """The message of a chat that its sender named so, in the columns of `shapes.MessageRow`; it must be there."""
    found = fetch_one(_MESSAGES + " AND m.client_id = %(client_id)s", {"chat_id": chat_id, "client_id": client_id})
    if found is None:
        raise LookupError(client_id)
    return found
