"""Moving a chat from state to state: one implementation for the API, the console, the compat routes and the sweep."""

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.agents.models import Agent
from apps.chats import rules
from apps.chats.actions.changes import locked_chat, record_change, record_step
from apps.chats.actions.snoozes import AT_HAND
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.events import ChatClosed, ChatMarkedSpam
from apps.chats.models import Chat
from apps.chats.rules import Status, Transition
from apps.chats.rules.activities import StepKind


def close_chat(*, widget_id: int, chat_id: int, reason: str | None = None, by_agent_id: int | None = None) -> Chat:
    """Closes a chat; closing an expired one changes nothing and emits nothing.

    The chat no longer waits for an answer: closing it counts as having read it. `by_agent_id` is the operator who did
    it, if one did. Raises NOT_FOUND (404), CHAT_IS_SPAM (409).
    """
    return _move(widget_id, chat_id, Transition.CLOSE, reason, by_agent_id)


def set_chat_state(
    *, widget_id: int, chat_id: int, status: Status, reason: str | None = None, by_agent_id: int | None = None
) -> Chat:
    """Sets a chat's state. Raises NOT_FOUND (404), CHAT_IS_SPAM (409)."""
    return _move(widget_id, chat_id, rules.SET_STATE[status], reason, by_agent_id)


@transaction.atomic
def mark_as_dealt_with(*, widget_id: int, chat_id: int, by_agent_id: int | None = None) -> Chat:
    """Marks a chat as needing no answer: it waits no more, until the visitor's next message.

    Without effect on a chat that does not wait. `by_agent_id` is the operator who did it, if one did. Raises NOT_FOUND
    (404).
    """
    chat = locked_chat(widget_id, chat_id)
    changes = {name: value for name, value in _dealt_with(chat).items() if getattr(chat, name) != value}
    if changes:
        record_step(chat, StepKind.DEALT_WITH, agent_id=by_agent_id)
        record_change(chat, **changes)
    return chat


@transaction.atomic
def _move(widget_id: int, chat_id: int, transition: Transition, reason: str | None, by_agent_id: int | None) -> Chat:
    chat = locked_chat(widget_id, chat_id)
    before = Status(chat.status)
    try:
        after = rules.next_status(before, transition)
    except rules.MoveRefused:
        raise CHAT_IS_SPAM() from None
    if after is before:
        return chat
    if not rules.is_closing(before, after):
        if before is Status.EXPIRED and after is not Status.SPAM:
            record_step(chat, StepKind.REOPENED, agent_id=by_agent_id)
        gone = {"agent_id": None} if _owner_is_gone(chat) else {}
        aside = AT_HAND if after is Status.SPAM else {}
        record_change(chat, *_marked(chat, after), status=after, left_unanswered_at=None, **gone, **aside)
        return chat
    closed = ChatClosed.of(chat, reason=reason or rules.DEFAULT_CLOSE_REASON)
    record_step(chat, StepKind.CLOSED, agent_id=by_agent_id, comment=reason or "")
    record_change(chat, closed, status=after, expired_at=timezone.now(), **_dealt_with(chat), **AT_HAND)
    return chat


def _owner_is_gone(chat: Chat) -> bool:
    agents = Agent.objects.for_widget(chat.widget_id).filter(Q(status=Agent.Status.BANNED) | Q(user__is_active=False))
    return chat.agent_id is not None and agents.filter(pk=chat.agent_id).exists()


def _marked(chat: Chat, after: Status) -> list[ChatMarkedSpam]:
    return [ChatMarkedSpam.of(chat)] if after is Status.SPAM else []


def _dealt_with(chat: Chat) -> dict[str, Any]:
    """The fields of a chat that does not wait, whatever was said so far."""
    return {
        "dealt_with_message_id": chat.last_message_id,
        "waiting_since": None,
        "left_unanswered_at": None,
        "for_people_since": None,
        "handed_over_at": None,
        "handover_reason": None,
    }
