"""Operators' calls of a chat: the same actions as the API's calls."""

from typing import Any

from django.utils.translation import get_language

from apps.chats import actions
from apps.chats.errors import CHAT_IS_EMPTY, CHAT_IS_SPAM, CHAT_IS_TAKEN
from apps.chats.models import Block, Chat, Message
from apps.chats.rules import Status
from apps.chats.rules.blocks import Blocked
from apps.chats.rules.priorities import Priority
from apps.chats.rules.ratings import RequestCause
from apps.chats.serializers.chats import ChatReferenceSerializer, OperatorMessageSerializer
from apps.chats.serializers.requests import CloseBody, PriorityBody, StateBody, TransferBody
from apps.console import querysets
from apps.console.authentication import SessionAuthenticator
from apps.console.querysets.translations import translation_reader
from apps.console.serializers.requests import AcceptBody, BlockBody, HandOverBody, LongPageQuery, SnoozeBody
from apps.console.serializers.responses import BlockSerializer, ChatWithCardSerializer, InboxChatSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import NOT_FOUND


class ConsoleChatViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = Chat

    @operation(summary="Read a chat and its card", answers=ChatWithCardSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """The chat's row, and what is known of its visitor."""
        row, cards = _row(context), querysets.contact_panels(context.widget_id, [context.target_id])
        reader = translation_reader(context.caller.agent, get_language())
        return {"chat": row, "card": reader.shown(cards[context.target_id])}

    @operation(
        summary="List a chat's messages and notes", filters=LongPageQuery, answers=OperatorMessageSerializer, lists=True
    )
    def messages(self, context: RequestContext) -> Page:
        """The messages of the chat, newest first, operators' own too (`is_note`)."""
        return context.page(Message.objects.for_widget(context.widget_id).filter(chat_id=context.target_id))

    @operation(
        summary="Accept a chat",
        takes=AcceptBody,
        answers=InboxChatSerializer,
        problems=(CHAT_IS_SPAM, CHAT_IS_TAKEN),
        example={"only_if_free": True},
    )
    def accept(self, context: RequestContext) -> dict[str, Any]:
        """The caller takes the chat, also from another owner, unless they ask for a free one only."""
        actions.accept_chat(
            widget_id=context.widget_id,
            chat_id=context.target_id,
            agent_id=context.caller.agent.pk,
            only_if_free=context.body.get("only_if_free", False),
        )
        return _row(context)

    @operation(
        summary="Assign a chat",
        takes=TransferBody,
        answers=InboxChatSerializer,
        problems=(CHAT_IS_SPAM,),
        example={"agent_id": 1},
    )
    def assign(self, context: RequestContext) -> dict[str, Any]:
        """Assigns the chat to an operator: as if they had accepted it themselves."""
        me = context.caller.agent.pk
        agent_id = context.body["agent_id"]
        actions.assign_chat(widget_id=context.widget_id, chat_id=context.target_id, agent_id=agent_id, by_agent_id=me)
        return _row(context)

    @operation(
        summary="Hand a chat over",
        takes=HandOverBody,
        answers=InboxChatSerializer,
        problems=(CHAT_IS_SPAM,),
        example={"department_id": 1, "comment": "Asks for an invoice"},
    )
    def transfer(self, context: RequestContext) -> dict[str, Any]:
        """To a person (`agent_id`), as the API does it, or to a department, where it has no owner until it is taken.

        Only the first emits `chat.transferred`. `accepted_by` stays as it is. The `comment` stands in the thread for
        the chat's next operator; no visitor, webhook or transcript has it.
        """
        about: dict[str, Any] = {
            "widget_id": context.widget_id,
            "chat_id": context.target_id,
            "by_agent_id": context.caller.agent.pk,
            "comment": context.body.get("comment", ""),
        }
        if "agent_id" in context.body:
            actions.transfer_chat(agent_id=context.body["agent_id"], **about)
        else:
            actions.transfer_chat_to_department(department_id=context.body["department_id"], **about)
        return _row(context)

    @operation(summary="Give a chat back", answers=InboxChatSerializer, problems=(CHAT_IS_SPAM,))
    def give_back(self, context: RequestContext) -> dict[str, Any]:
        """The chat has no owner again, and any operator may take it. `accepted_by` stays as it is."""
        actions.return_chat(widget_id=context.widget_id, chat_id=context.target_id, by_agent_id=context.caller.agent.pk)
        return _row(context)

    @operation(
        summary="Put a chat aside",
        takes=SnoozeBody,
        answers=InboxChatSerializer,
        problems=(CHAT_IS_SPAM,),
        example={"until": None},
    )
    def snooze(self, context: RequestContext) -> dict[str, Any]:
        """Until a moment within 90 days, or, with null, until the visitor writes.

        The chat leaves all other lists and counts, and rings nobody. Any word ends it, as do a handover and a transfer;
        by its time or by the visitor it comes back at the top of the lists.
        """
        actions.snooze_chat(
            widget_id=context.widget_id,
            chat_id=context.target_id,
            agent_id=context.caller.agent.pk,
            until=context.body["until"],
        )
        return _row(context)

    @operation(summary="End the snooze of a chat", answers=InboxChatSerializer)
    def wake(self, context: RequestContext) -> dict[str, Any]:
        """Without effect on a chat that is not snoozed."""
        actions.wake_chat(widget_id=context.widget_id, chat_id=context.target_id)
        return _row(context)

    @operation(summary="Say that nothing needs an answer", answers=InboxChatSerializer)
    def dealt_with(self, context: RequestContext) -> dict[str, Any]:
        """The chat no longer waits for an answer, until the visitor's next message."""
        actions.mark_as_dealt_with(
            widget_id=context.widget_id, chat_id=context.target_id, by_agent_id=context.caller.agent.pk
        )
        return _row(context)

    @operation(
        summary="Close a chat",
        takes=CloseBody,
        answers=InboxChatSerializer,
        problems=(CHAT_IS_SPAM,),
        example={"reason": "resolved"},
    )
    def close(self, context: RequestContext) -> dict[str, Any]:
        """As the API closes it."""
        actions.close_chat(
            widget_id=context.widget_id,
            chat_id=context.target_id,
            reason=context.body.get("reason"),
            by_agent_id=context.caller.agent.pk,
        )
        return _row(context)

    @operation(
        summary="Set a chat's state",
        takes=StateBody,
        answers=InboxChatSerializer,
        problems=(CHAT_IS_SPAM,),
        example={"state": "spam"},
    )
    def set_state(self, context: RequestContext) -> dict[str, Any]:
        """As the API sets it: `active` is always allowed, and the only way out of `spam`."""
        state, reason = Status(context.body["state"]), context.body.get("reason")
        actions.set_chat_state(
            widget_id=context.widget_id,
            chat_id=context.target_id,
            status=state,
            reason=reason,
            by_agent_id=context.caller.agent.pk,
        )
        return _row(context)

    @operation(
        summary="Set a chat's priority",
        takes=PriorityBody,
        answers=InboxChatSerializer,
        problems=(CHAT_IS_SPAM,),
        example={"priority": "urgent"},
    )
    def set_priority(self, context: RequestContext) -> dict[str, Any]:
        """Its thread says who changed it; the visitor is not told."""
        actions.set_priority(
            widget_id=context.widget_id,
            chat_id=context.target_id,
            priority=Priority(context.body["priority"]),
            by_agent_id=context.caller.agent.pk,
        )
        return _row(context)

    @operation(
        summary="Block a visitor",
        takes=BlockBody,
        answers=BlockSerializer,
        example={"what": "contact", "reason": "Insults", "hours": 24},
    )
    def block(self, context: RequestContext) -> Block:
        """The visitor writes nothing more, and is told so; what was said stays. The card shows it.

        A second block of the same takes the first one's place.
        """
        body, chat_id = context.body, context.target_id
        return actions.block_visitor(
            widget_id=context.widget_id,
            chat_id=chat_id,
            what=Blocked(body["what"]),
            reason=body["reason"],
            hours=body["hours"],
            agent_id=context.caller.agent.pk,
            address=querysets.address_in_chat(context.widget_id, chat_id),
        )

    @operation(
        summary="Ask for a rating", answers=ChatReferenceSerializer, status=202, problems=(CHAT_IS_SPAM, CHAT_IS_EMPTY)
    )
    def rate_request(self, context: RequestContext) -> dict[str, Any]:
        """Asks the visitor to rate the chat: at once in an open widget, else on their return."""
        actions.request_rating(
            widget_id=context.widget_id,
            chat_id=context.target_id,
            cause=RequestCause.OPERATOR,
            agent_id=context.caller.agent.pk,
        )
        return {"chat_id": context.target_id}


def _row(context: RequestContext) -> dict[str, Any]:
    """The chat's row as it is now. Raises NOT_FOUND (404)."""
    for row in querysets.inbox_rows(context.widget_id, [context.target_id]):
        return row
    raise NOT_FOUND()
