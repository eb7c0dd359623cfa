"""Named reads of contacts, chats and messages; each starts from the widget.

The reads behind the busiest endpoints are written in SQL: one prepared statement each, in the columns of the shape that
shows their rows. The index that serves a statement is named beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import Avg, Count, Exists, F, OuterRef, Q

from apps.chats.querysets.chats import listed_page
from apps.chats.querysets.counted_messages import COUNTED
from apps.chats.querysets.search import search_page
from apps.chats.querysets.waiting import may_wait, waits_since
from apps.chats.serializers.chats import MessageSerializer, OperatorMessageSerializer, SentMessageSerializer
from apps.core.database import Row, fetch_all, fetch_one
from apps.core.database.tenants import TenantQuerySet
from apps.core.endpoints.paging import Position, RowPage
from apps.core.endpoints.row_serializers import select_list
from apps.core.parsing.periods import Window

if TYPE_CHECKING:
    from apps.chats.models import (  # noqa: F401 - named in the bases below
        Chat,
        ChatActivity,
        Contact,
        ContactTag,
        Message,
        Rating,
        Tag,
        Transfer,
    )

__all__ = [
    "ChatActivityQuerySet",
    "ChatQuerySet",
    "ContactQuerySet",
    "ContactTagQuerySet",
    "MessageQuerySet",
    "RatingQuerySet",
    "TagQuerySet",
    "TransferQuerySet",
    "chat_page",
    "counts_by",
    "message_page",
    "message_with_client_id",
    "messages_after",
    "search_page",
]


def counts_by(name: str, rows: models.QuerySet[Any], agent_ids: Collection[int]) -> dict[int, int]:
    """How many of the rows name each of these operators in that column; those that none names are left out."""
    return dict(rows.filter(**{f"{name}__in": agent_ids}).values_list(name).annotate(Count("pk")))


class ContactQuerySet(TenantQuerySet["Contact"]):
    def for_api(self) -> ContactQuerySet:
        """With the names of their tags (`tag_names`), sorted by code point."""
        from apps.chats.models import ContactTag

        names = (
            ContactTag.objects.unscoped("each contact's own rows")
            .filter(contact=OuterRef("pk"))
            .order_by("tag__name")
            .values("tag__name")
        )
        return self.annotate(tag_names=ArraySubquery(names))


class ContactTagQuerySet(TenantQuerySet["ContactTag"]):
    widget_path = "contact__widget_id"


class TagQuerySet(models.QuerySet["Tag"]):
    def in_use(self, widget_id: int) -> TagQuerySet:
        """The tags that are on a contact, across the account that owns a widget, sorted. Index: chats_tag_once."""
        from apps.chats.models import ContactTag

        contact_tags = ContactTag.objects.unscoped("each of the account's tags").filter(tag=OuterRef("pk"))
        return self.filter(Exists(contact_tags), account__widgets=widget_id).order_by("name")


class ChatQuerySet(TenantQuerySet["Chat"]):
    def opened_in(self, window: Window) -> ChatQuerySet:
        """The chats created in the window. Index: chats_chat_counted."""
        return self.filter(created_at__gte=window.start, created_at__lt=window.end)

    def unanswered(self, now: datetime) -> ChatQuerySet:
        """The chats whose visitors wait for an answer, with since when (`waits_since`)."""
        return self.filter(may_wait(now)).annotate(waits_since=waits_since(now)).filter(waits_since__isnull=False)

    def by_owner(self, agent_ids: Collection[int]) -> Iterator[tuple[int, int, int, timedelta | None]]:
        """For each of these operators who owns chats: the count, the count without an answer, the mean time to an
        answer.
        """
        missed, waited = Count("pk", filter=Q(handling="missed")), Avg(F("accepted_at") - F("created_at"))
        owned = self.filter(agent_id__in=agent_ids).values_list("agent_id")
        return owned.annotate(Count("pk"), missed=missed, waited=waited).iterator()


class MessageQuerySet(TenantQuerySet["Message"]):
    def counted_in(self, window: Window) -> MessageQuerySet:
        """The messages written in the window that statistics count. Index: chats_message_counted."""
        return self.filter(COUNTED, created_at__gte=window.start, created_at__lt=window.end)


class ChatActivityQuerySet(TenantQuerySet["ChatActivity"]):
    """The steps of chats: events between messages."""


class RatingQuerySet(TenantQuerySet["Rating"]):
    def given_in(self, window: Window) -> RatingQuerySet:
        """The ratings given or replaced in the window. Index: chats_rating_counted."""
        return self.filter(rated_at__gte=window.start, rated_at__lt=window.end)

    def by_agent_and_value(self, agent_ids: Collection[int]) -> list[tuple[int, int, int]]:
        """How many there are of each operator and value."""
        return list(self.filter(agent_id__in=agent_ids).values_list("agent_id", "value").annotate(Count("pk")))


class TransferQuerySet(TenantQuerySet["Transfer"]):
    def made_in(self, window: Window) -> TransferQuerySet:
        """The transfers of the window. Index: chats_transfer_counted."""
        return self.filter(created_at__gte=window.start, created_at__lt=window.end)


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


def message_with_client_id(chat_id: int, client_id: UUID | None) -> Row:
    """The message of a chat that its sender named so, in the columns of `MessageSerializer`; it must be there."""
    sql = f"{_MESSAGES} AND m.client_id = %(client_id)s /* unscoped: read with its widget before */"
    found = fetch_one(sql, {"chat_id": chat_id, "client_id": client_id})
    if found is None:
        raise LookupError(client_id)
    return found
