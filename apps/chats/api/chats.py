"""Chats over REST (specification, Endpoints, "Chats and messages")."""

from typing import Any

from rest_framework.serializers import Field

from apps.chats import actions, querysets
from apps.chats.errors import CHAT_IS_EMPTY, CHAT_IS_SPAM, TYPING_TOO_OFTEN
from apps.chats.models import Chat
from apps.chats.querysets.conditions import CONDITIONS, Condition, ConditionKind
from apps.chats.rules import Status
from apps.chats.rules.priorities import Priority
from apps.chats.rules.typing import Typing
from apps.chats.serializers.chats import ChatReferenceSerializer, ChatSerializer, SeenSerializer, TypingSerializer
from apps.chats.serializers.requests import CloseBody, PriorityBody, StateBody, TransferBody, WindowQuery
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Choice, Integer, QueryFlag, Text
from apps.core.endpoints.viewsets import ApiViewSet


def parameter_of(condition: Condition) -> "Field[Any, Any, Any, Any]":
    """The parameter of a list by which a condition is asked for."""
    told: dict[str, Any] = {"help_text": condition.parameter} if condition.parameter else {}
    if condition.kind is ConditionKind.CHOICE and condition.choices:
        return Choice(required=False, choices=list(condition.choices), **told)
    if condition.kind is ConditionKind.FLAG:
        return QueryFlag(required=False, **told)
    return Text(required=False, max_length=condition.max_length, **told)


class ChatListQuery(WindowQuery):
    """The filters of the chat list; `from` and `to` bound the chat's creation."""

    status = parameter_of(CONDITIONS["status"])
    channel = parameter_of(CONDITIONS["channel"])
    has_client_messages = parameter_of(CONDITIONS["has_client_messages"])
    q = Text(
        required=False,
        min_length=2,
        max_length=100,
        help_text="Part of a visible message's text, in any case and spelling (`cafe` finds café, `е` ё); of a longer"
        " one its first 10,000 characters count.",
    )


class TypingBody(Body):
    """Whether an operator types."""

    state = Choice(choices=list(Typing))


class SeenBody(Body):
    """Up to where the chat has been read."""

    message_id = Integer(min_value=1, help_text="A message of this chat; all before it count as seen, too.")


class ChatViewSet(ApiViewSet):
    target = Chat
    reads = ("chats:read",)
    writes = ("chats:write",)

    @operation(
        summary="List chats",
        filters=ChatListQuery,
        answers=ChatSerializer,
        lists=True,
        compresses="long",
    )
    def list(self, context: RequestContext) -> Page:
        """The widget's chats in every state, newest first.

        A search (`q`) that had to look at very much may end a page early, even an empty one: `next_cursor` goes on from
        there, and only null means that nothing more was found.
        """
        found = querysets.chat_page(
            widget_id=context.widget_id, filters=context.filters, after=context.after, limit=context.limit
        )
        return context.page(found)

    @operation(summary="Read a chat", answers=ChatSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """One chat of the widget."""
        return context.target

    @operation(
        summary="Close a chat",
        takes=CloseBody,
        answers=ChatSerializer,
        problems=(CHAT_IS_SPAM,),
        example={"reason": "resolved"},
    )
    def close(self, context: RequestContext) -> Chat:
        """Moves the chat into `expired` and emits `chat.closed`; an expired chat stays as it is and emits nothing.

        A chat that was just talked in reads back as `active` within 5 minutes.
        """
        return actions.close_chat(
            widget_id=context.widget_id, chat_id=context.target_id, reason=context.body.get("reason")
        )

    @operation(
        summary="Set a chat's state",
        takes=StateBody,
        answers=ChatSerializer,
        problems=(CHAT_IS_SPAM,),
        example={"state": "active"},
    )
    def set_state(self, context: RequestContext) -> Chat:
        """`active` is always allowed, and the only way out of `spam`; `ready` lasts until the next scheduled run."""
        return actions.set_chat_state(
            widget_id=context.widget_id,
            chat_id=context.target_id,
            status=Status(context.body["state"]),
            reason=context.body.get("reason"),
        )

    @operation(
        summary="Transfer a chat",
        takes=TransferBody,
        answers=ChatSerializer,
        status=202,
        problems=(CHAT_IS_SPAM,),
        example={"agent_id": 1},
    )
    def transfer(self, context: RequestContext) -> Chat:
        """Makes a human agent the chat's owner and emits `chat.transferred`, unless the chat is theirs already.

        An answered chat is handled by them from now on; a chat without an answer stays `missed` until it is answered.
        The chat's state does not change.
        """
        return actions.transfer_chat(
            widget_id=context.widget_id, chat_id=context.target_id, agent_id=context.body["agent_id"]
        )

    @operation(
        summary="Set a chat's priority",
        takes=PriorityBody,
        answers=ChatSerializer,
        problems=(CHAT_IS_SPAM,),
        example={"priority": "urgent"},
    )
    def set_priority(self, context: RequestContext) -> Chat:
        """Sets the priority by which operators' lists are sorted. The visitor is not told, and no event is emitted."""
        return actions.set_priority(
            widget_id=context.widget_id, chat_id=context.target_id, priority=Priority(context.body["priority"])
        )

    @operation(
        summary="Ask for a rating",
        answers=ChatReferenceSerializer,
        status=202,
        problems=(CHAT_IS_SPAM, CHAT_IS_EMPTY),
    )
    def rate_request(self, context: RequestContext) -> dict[str, Any]:
        """Asks the visitor to rate the chat: at once in an open widget, else on their return."""
        actions.request_rating(widget_id=context.widget_id, chat_id=context.target_id)
        return {"chat_id": context.target_id}

    @operation(
        scopes=("messages:write",),
        summary="Show an operator typing",
        takes=TypingBody,
        answers=TypingSerializer,
        status=202,
        problems=(CHAT_IS_SPAM, TYPING_TOO_OFTEN),
        example={"state": "start"},
    )
    def typing(self, context: RequestContext) -> dict[str, Any]:
        """Shows the visitor that an operator types. A second `start` in a chat within 5 seconds is 429."""
        state = Typing(context.body["state"])
        actions.tell_visitor_of_typing(widget_id=context.widget_id, chat_id=context.target_id, state=state)
        return {"chat_id": context.target_id, "state": state}

    @operation(
        scopes=("messages:write",),
        summary="Mark messages as seen",
        takes=SeenBody,
        answers=SeenSerializer,
        example={"message_id": 1},
    )
    def seen(self, context: RequestContext) -> dict[str, Any]:
        """Marks the visitor's messages up to `message_id` as seen; a message of another chat is 404."""
        message_id = context.body["message_id"]
        actions.mark_seen(
            widget_id=context.widget_id, chat_id=context.target_id, message_id=message_id, seen_by="OPERATOR"
        )
        return {"chat_id": context.target_id, "message_id": message_id}
