"""Pages of chats and of messages."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apps.chats.querysets.chats import listed_page
from apps.chats.querysets.search import search_page
from apps.chats.serializers.chats import MessageSerializer, OperatorMessageSerializer, SentMessageSerializer
from apps.core.database import Row, fetch_all, fetch_one
from apps.core.endpoints.paging import Position, RowPage
from apps.core.endpoints.row_serializers import select_list


def chat_page(*, widget_id: int, filters: dict[str, Any], after: Position | None, limit: int) -> RowPage:
    """One page of a widget's chats, newest first, in the columns of `ChatSerializer`; one row more than `limit`.

    `filters` holds those of status, channel, has_client_messages, q, created_at__gte and created_at__lt that apply;
    `after` is the position (created_at, id) of the page before.
    """
    read = search_page if "q" in filters else listed_page
    return read(widget_id=widget_id, filters=filters, after=after, limit=limit)


_MESSAGES = f"""
SELECT {select_list(MessageSerializer, "m")}
FROM chats_message m
WHERE m.chat_id = %(chat_id)s"""  # noqa: S608 - of constants


_SENT_MESSAGES = _MESSAGES.replace(select_list(MessageSerializer, "m"), select_list(SentMessageSerializer, "m"))


_MESSAGES_AND_NOTES = _MESSAGES.replace(
    select_list(MessageSerializer, "m"), select_list(OperatorMessageSerializer, "m")
)


def message_page(
    *, widget_id: int, chat_id: int, filters: dict[str, Any], after: Position | None, limit: int
) -> RowPage:
    """One page of a chat's messages, newest first, in the columns of `SentMessageSerializer`; one row more than
    `limit`.

    Messages for operators only are among them. No row comes back for a chat of another widget.
    Index: chats_message_list.
    """
    sql = [_SENT_MESSAGES, "m.widget_id = %(widget_id)s"]
    parameters = {**filters, "widget_id": widget_id, "chat_id": chat_id, "rows": limit + 1}
    if "created_at__gte" in filters:
        sql.append("m.created_at >= %(created_at__gte)s")
    if "created_at__lt" in filters:
        sql.append("m.created_at < %(created_at__lt)s")
    if after is not None:
        sql.append("(m.created_at, m.id) < (%(after_at)s, %(after_id)s)")
        parameters["after_at"], parameters["after_id"] = after
    newest_first = " AND ".join(sql) + " ORDER BY m.created_at DESC, m.id DESC LIMIT %(rows)s"
    return RowPage(fetch_all(newest_first, parameters))


def messages_after(*, chat_id: int, after_id: int, limit: int, for_visitor: bool) -> list[Row]:
    """The messages of a chat after one of them, oldest first: what a socket missed. Index: chats_message_in_chat.

    In the columns of `MessageSerializer` for a visitor, else of `OperatorMessageSerializer`.
    """
    sql = f"{_MESSAGES} AND NOT m.is_internal" if for_visitor else _MESSAGES_AND_NOTES
    return fetch_all(
        f"{sql} AND m.id > %(after_id)s ORDER BY m.id LIMIT %(limit)s /* unscoped: read with its widget before */",
        {"chat_id": chat_id, "after_id": after_id, "limit": limit},
    )


def has_client_id(chat_id: int, client_id: UUID | None) -> bool:
    """Whether a chat has a message that its sender named so. Index: that of a message's `client_id`."""
    sql = """SELECT EXISTS (SELECT FROM chats_message WHERE chat_id = %(chat_id)s AND client_id = %(client_id)s)
    /* unscoped: read with its widget before */"""
    found = fetch_one(sql, {"chat_id": chat_id, "client_id": client_id})
    return found is not None and bool(found[0])


def message_with_client_id(chat_id: int, client_id: UUID | None) -> Row:
    """The message of a chat that its sender named so, in the columns of `MessageSerializer`; it must be there."""
    sql = f"{_MESSAGES} AND m.client_id = %(client_id)s /* unscoped: read with its widget before */"
    found = fetch_one(sql, {"chat_id": chat_id, "client_id": client_id})
    if found is None:
        raise LookupError(client_id)
    return found
