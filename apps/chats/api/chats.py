"""Chats over REST (specification, Endpoints, "Chats and messages")."""

from typing import Any

from apps.chats import actions, querysets
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.rules import Status
from apps.chats.shapes import ChatRow, ChatShape, show_chat
from apps.core.errors import NOT_FOUND
from apps.core.operations import Call, operation
from apps.core.paging import Page, page_of, read_cursor
from apps.core.serializers import Body, Choice, QueryFlag, Text
from apps.core.viewsets import ApiViewSet
from apps.core.windows import WindowQuery

CHATS = "chats"


class ChatListQuery(WindowQuery):
    """The filters of the chat list; `from` and `to` bound the chat's creation."""

    status = Choice(required=False, choices=list(Status))
    channel = Text(required=False, max_length=32, help_text="Provider code, such as `widget`.")
    has_client_messages = QueryFlag(required=False, help_text="1 keeps the chats in which the visitor wrote.")
    q = Text(required=False, min_length=2, max_length=100, help_text="Part of a visible message's text, in any case.")


class CloseBody(Body):
    """Why the chat is closed; receivers of `chat.closed` read it."""

    reason = Text(required=False, min_length=1, max_length=255, help_text="Without one: `expired`.")


class StateBody(CloseBody):
    """The state to set; `reason` counts when the chat is closed by it."""

    state = Choice(choices=list(Status))


def chat_exists(call: Call) -> bool:
    return querysets.chat_exists(widget_id=call.widget_id, chat_id=call.path["chat_id"])


def position(row: Any) -> tuple[Any, ...]:
    chat = ChatRow(*row)
    return chat.created_at, chat.id


class ChatViewSet(ApiViewSet):
    @operation(scopes=("chats:read",), summary="List chats", query=ChatListQuery, answer=ChatShape, envelope="list")
    def list(self, call: Call) -> Page:
        """The widget's chats in every state, newest first."""
        filters = dict(call.query)
        limit, cursor = filters.pop("limit"), filters.pop("cursor", None)
        rows = querysets.chat_page(
            widget_id=call.widget_id, filters=filters, after=read_cursor(CHATS, cursor), limit=limit
        )
        return page_of(rows, limit=limit, of_list=CHATS, show=show_chat, position=position)

    @operation(
        scopes=("chats:read",),
        summary="Read a chat",
        answer=ChatShape,
        problems=(NOT_FOUND,),
        target_exists=chat_exists,
    )
    def retrieve(self, call: Call, chat_id: int) -> dict[str, Any]:
        """One chat of the widget."""
        return _shown(call, chat_id)

    @operation(
        scopes=("chats:write",),
        summary="Close a chat",
        body=CloseBody,
        answer=ChatShape,
        problems=(NOT_FOUND, CHAT_IS_SPAM),
        idempotency="required",
        target_exists=chat_exists,
        example={"reason": "resolved"},
    )
    def close(self, call: Call, chat_id: int) -> dict[str, Any]:
        """Moves the chat into `expired` and emits `chat.closed`; an expired chat stays as it is and emits nothing.

        A chat that was just talked in reads back as `active` within 5 minutes.
        """
        actions.close_chat(widget_id=call.widget_id, chat_id=chat_id, reason=call.body.get("reason"))
        return _shown(call, chat_id)

    @operation(
        scopes=("chats:write",),
        summary="Set a chat's state",
        body=StateBody,
        answer=ChatShape,
        problems=(NOT_FOUND, CHAT_IS_SPAM),
        idempotency="required",
        target_exists=chat_exists,
        example={"state": "active"},
    )
    def set_state(self, call: Call, chat_id: int) -> dict[str, Any]:
        """`active` is always allowed, and the only way out of `spam`; `ready` lasts until the next scheduled run."""
        actions.set_chat_state(
            widget_id=call.widget_id,
            chat_id=chat_id,
            status=Status(call.body["state"]),
            reason=call.body.get("reason"),
        )
        return _shown(call, chat_id)


def _shown(call: Call, chat_id: int) -> dict[str, Any]:
    row = querysets.chat_row(widget_id=call.widget_id, chat_id=chat_id)
    if row is None:
        raise NOT_FOUND()
    return show_chat(row)
