"""Named reads of contacts, chats and messages; each starts from the widget.

The reads behind the busiest endpoints are written in SQL: one prepared statement each, in the columns of the shape that
shows their rows. The index that serves a statement is named beside it.
"""

from apps.chats.querysets.messages import (
    chat_page,
    has_client_id,
    message_page,
    message_with_client_id,
    messages_after,
)
from apps.chats.querysets.rows import (
    ChatActivityQuerySet,
    ChatQuerySet,
    ContactQuerySet,
    ContactTagQuerySet,
    MessageQuerySet,
    RatingQuerySet,
    RatingRequestQuerySet,
    TagQuerySet,
    TransferQuerySet,
    counts_by,
)
from apps.chats.querysets.search import search_page

__all__ = [
    "ChatActivityQuerySet",
    "ChatQuerySet",
    "ContactQuerySet",
    "ContactTagQuerySet",
    "MessageQuerySet",
    "RatingQuerySet",
    "RatingRequestQuerySet",
    "TagQuerySet",
    "TransferQuerySet",
    "chat_page",
    "counts_by",
    "has_client_id",
    "message_page",
    "message_with_client_id",
    "messages_after",
    "search_page",
]
