"""The list of chats. Searches are in `search.py`.

The table says which index serves which filters of the list, alone and in pairs. Each has the order of the list, so
nothing is sorted; bounds of `created_at`, and the place where a page goes on, are the ends of what is read of it. The
planner takes the index whose filter leaves fewer chats; the other filter is applied to the rows. (A filter that leaves
nearly all chats may be applied to the rows of chats_chat_list as well.) tests/chats/test_plans.py pins this table.

    filters                                index
    none                                   chats_chat_list
    status                                 chats_chat_by_status
    channel                                chats_chat_by_channel
    has_client_messages                    chats_chat_with_client
    created_at__gte                        chats_chat_list
    created_at__lt                         chats_chat_list
    status, channel                        chats_chat_by_status or chats_chat_by_channel
    status, has_client_messages            chats_chat_by_status or chats_chat_with_client
    status, created_at__gte                chats_chat_by_status
    status, created_at__lt                 chats_chat_by_status
    channel, has_client_messages           chats_chat_by_channel or chats_chat_with_client
    channel, created_at__gte               chats_chat_by_channel
    channel, created_at__lt                chats_chat_by_channel
    has_client_messages, created_at__gte   chats_chat_with_client
    has_client_messages, created_at__lt    chats_chat_with_client
    created_at__gte, created_at__lt        chats_chat_list
"""

from typing import Any

from apps.chats.querysets.conditions import CONDITIONS
from apps.chats.serializers.chats import PREVIEW_LENGTH, ChatSerializer
from apps.core.database import Parameters, fetch_all
from apps.core.endpoints.paging import Position, RowPage
from apps.core.endpoints.row_serializers import select_list

# The columns of `ChatSerializer` for chats `c`, and the rows that they are read from besides: by their primary keys.
COLUMNS = select_list(ChatSerializer, "c", last_message__body=f"left(last_message.body, {PREVIEW_LENGTH})")
RELATED = """JOIN chats_contact contact ON contact.id = c.contact_id
LEFT JOIN chats_message last_message ON last_message.id = c.last_message_id"""
# For rows `c`, of contacts too.
NEWEST_FIRST = "ORDER BY c.created_at DESC, c.id DESC"
AFTER = "(c.created_at, c.id) < (%(after_at)s, %(after_id)s)"

_CHATS = f"""
SELECT {COLUMNS}
FROM chats_chat c {RELATED}"""  # noqa: S608 - of constants

# Each filter of the chat list and the condition it adds. Indexes: see above.
FILTERS = ("status", "channel", "has_client_messages", "created_at__gte", "created_at__lt")
_FILTERS = {name: CONDITIONS[name].sql(f"%({name})s") for name in FILTERS}


def conditions(*, widget_id: int, filters: dict[str, Any], after: Position | None) -> tuple[str, Parameters]:
    """The condition on chats `c` that a list's filters and position (created_at, id) make, and its parameters."""
    sql = ["c.widget_id = %(widget_id)s", *(_FILTERS[name] for name in _FILTERS if filters.get(name))]
    parameters: Parameters = {**filters, "widget_id": widget_id}
    if after is not None:
        sql.append(AFTER)
        parameters["after_at"], parameters["after_id"], *_ = after  # where a search goes on names a message, too
    return " AND ".join(sql), parameters


def listed_page(*, widget_id: int, filters: dict[str, Any], after: Position | None, limit: int) -> RowPage:
    """One page of a widget's chats as `chat_page` (in `__init__.py`) promises it, whatever was said in them."""
    where, parameters = conditions(widget_id=widget_id, filters=filters, after=after)
    rows = fetch_all(f"{_CHATS} WHERE {where} {NEWEST_FIRST} LIMIT %(rows)s", {**parameters, "rows": limit + 1})
    return RowPage(rows)
