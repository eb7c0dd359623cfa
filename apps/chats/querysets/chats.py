"""The list of chats. Searches are in `search.py`."""

from typing import Any

from apps.chats.shapes import ChatShape
from apps.core.database import Parameters, fetch_all
from apps.core.endpoints.paging import Found, Position
from apps.core.endpoints.shapes import select_list

COLUMNS = select_list(ChatShape, "c")
NEWEST_FIRST = "ORDER BY c.created_at DESC, c.id DESC"

_CHATS = f"""
SELECT {COLUMNS}
FROM chats_chat c JOIN chats_contact contact ON contact.id = c.contact_id"""  # noqa: S608 - of constants

# Each filter of the chat list and the condition it adds. Index: chats_chat_list, or the one named in the comment.
_FILTERS = {
    "status": "c.status = %(status)s",  # chats_chat_by_status
    "channel": "c.channel = %(channel)s",  # chats_chat_by_channel
    "has_client_messages": "c.has_client_messages",  # chats_chat_with_client
    "created_at__gte": "c.created_at >= %(created_at__gte)s",
    "created_at__lt": "c.created_at < %(created_at__lt)s",
}
_AFTER = "(c.created_at, c.id) < (%(after_at)s, %(after_id)s)"


def conditions(*, widget_id: int, filters: dict[str, Any], after: Position | None) -> tuple[str, Parameters]:
    """The condition on chats `c` that a list's filters and position (created_at, id) make, and its parameters."""
    sql = ["c.widget_id = %(widget_id)s", *(_FILTERS[name] for name in _FILTERS if filters.get(name))]
    parameters: Parameters = {**filters, "widget_id": widget_id}
    if after is not None:
        sql.append(_AFTER)
        parameters["after_at"], parameters["after_id"] = after
    return " AND ".join(sql), parameters


def listed_page(*, widget_id: int, filters: dict[str, Any], after: Position | None, limit: int) -> Found:
    """One page of a widget's chats as `chat_page` (in `__init__.py`) promises it, whatever was said in them."""
    where, parameters = conditions(widget_id=widget_id, filters=filters, after=after)
    rows = fetch_all(f"{_CHATS} WHERE {where} {NEWEST_FIRST} LIMIT %(rows)s", {**parameters, "rows": limit + 1})
    return Found(rows)
