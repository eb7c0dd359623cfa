"""Chats over REST (specification, Endpoints, "Chats and messages")."""

from typing import Any

from rest_framework import serializers

from apps.chats import actions, querysets
from apps.chats.errors import CHAT_IS_EMPTY, CHAT_IS_SPAM
from apps.chats.rules import Status
from apps.chats.rules.typing import Typing
from apps.chats.shapes import ChatRow, ChatShape, show_chat
from apps.core.endpoints.operations import Call, operation
from apps.core.endpoints.paging import Listing, Page, columns
from apps.core.endpoints.serializers import Body, Choice, Integer, QueryFlag, Shape, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.endpoints.windows import WindowQuery
from apps.core.errors import NOT_FOUND

CHATS = Listing("chats", show_chat, columns(ChatRow, "created_at", "id"))


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


class TransferBody(Body):
    """Whom the chat is given to."""

    agent_id = Integer(min_value=1, help_text="A human agent of this widget, not banned.")


class TypingBody(Body):
    """Whether an operator types."""

    state = Choice(choices=list(Typing))


class SeenBody(Body):
    """Up to where the chat has been read."""

    message_id = Integer(min_value=1, help_text="A message of this chat; all before it count as seen, too.")


class ChatReferenceShape(Shape):
    """Which chat it was."""

    chat_id = serializers.IntegerField()


class TypingShape(ChatReferenceShape):
    """What the visitor was shown."""

    state = serializers.ChoiceField(choices=list(Typing))


class SeenShape(ChatReferenceShape):
    """Up to where the visitor's messages are marked as seen."""

    message_id = serializers.IntegerField()


def chat_exists(call: Call) -> bool:
    return querysets.chat_exists(widget_id=call.widget_id, chat_id=call.path["chat_id"])


class ChatViewSet(ApiViewSet):
    @operation(scopes=("chats:read",), summary="List chats", query=ChatListQuery, answer=ChatShape, envelope="list")
    def list(self, call: Call) -> Page:
        """The widget's chats in every state, newest first.

        A search (`q`) that had to look at very much may end a page early, even an empty one: `next_cursor` goes on from
        there, and only null means that nothing more was found.
        """
        asked = CHATS.asked(call)
        found = querysets.chat_page(
            widget_id=call.widget_id, filters=asked.filters, after=asked.after, limit=asked.limit
        )
        return asked.page(*found)

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

    @operation(
        scopes=("chats:write",),
        summary="Transfer a chat",
        body=TransferBody,
        answer=ChatShape,
        status=202,
        problems=(NOT_FOUND, CHAT_IS_SPAM),
        idempotency="required",
        target_exists=chat_exists,
        example={"agent_id": 1},
    )
    def transfer(self, call: Call, chat_id: int) -> dict[str, Any]:
        """Makes a human agent the chat's owner and emits `chat.transferred`, unless the chat is theirs already.

        An answered chat is handled by them from now on; one that nobody has answered stays `missed` until somebody
        does. The chat's state does not change.
        """
        actions.transfer_chat(widget_id=call.widget_id, chat_id=chat_id, agent_id=call.body["agent_id"])
        return _shown(call, chat_id)

    @operation(
        scopes=("chats:write",),
        summary="Ask for a rating",
        answer=ChatReferenceShape,
        status=202,
        problems=(NOT_FOUND, CHAT_IS_SPAM, CHAT_IS_EMPTY),
        idempotency="required",
        target_exists=chat_exists,
    )
    def rate_request(self, call: Call, chat_id: int) -> dict[str, Any]:
        """Asks the visitor to rate the chat: at once in an open widget, else on their return."""
        actions.request_rating(widget_id=call.widget_id, chat_id=chat_id)
        return {"chat_id": chat_id}

    @operation(
        scopes=("messages:write",),
        summary="Show an operator typing",
        body=TypingBody,
        answer=TypingShape,
        status=202,
        problems=(NOT_FOUND, CHAT_IS_SPAM),
        idempotency="required",
        target_exists=chat_exists,
        example={"state": "start"},
    )
    def typing(self, call: Call, chat_id: int) -> dict[str, Any]:
        """Shows the visitor that an operator types. A second `start` in a chat within 5 seconds is 429."""
        state = Typing(call.body["state"])
        actions.tell_visitor_of_typing(widget_id=call.widget_id, chat_id=chat_id, state=state)
        return {"chat_id": chat_id, "state": state}

    @operation(
        scopes=("messages:write",),
        summary="Mark messages as seen",
        body=SeenBody,
        answer=SeenShape,
        problems=(NOT_FOUND,),
        idempotency="required",
        target_exists=chat_exists,
        example={"message_id": 1},
    )
    def seen(self, call: Call, chat_id: int) -> dict[str, Any]:
        """Marks the visitor's messages up to `message_id` as seen; a message of another chat is 404."""
        message_id = call.body["message_id"]
        actions.mark_seen(widget_id=call.widget_id, chat_id=chat_id, message_id=message_id, seen_by="OPERATOR")
        return {"chat_id": chat_id, "message_id": message_id}


def _shown(call: Call, chat_id: int) -> dict[str, Any]:
    row = querysets.chat_row(widget_id=call.widget_id, chat_id=chat_id)
    if row is None:
        raise NOT_FOUND()
    return show_chat(row)
