"""Moving a chat from state to state: one implementation for the API, the console, the compat routes and the sweep."""

from django.db import transaction
from django.utils import timezone

from apps.chats import rules
from apps.chats.actions.changes import locked_chat, record_change
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.events import ChatClosed
from apps.chats.models import Chat
from apps.chats.rules import Status, Transition


def close_chat(*, widget_id: int, chat_id: int, reason: str | None = None) -> Chat:
    """Closes a chat; closing an expired one changes nothing and emits nothing.

    Raises NOT_FOUND (404), CHAT_IS_SPAM (409).
    """
    return _move(widget_id, chat_id, Transition.CLOSE, reason)


def set_chat_state(*, widget_id: int, chat_id: int, status: Status, reason: str | None = None) -> Chat:
    """Sets a chat's state. Raises NOT_FOUND (404), CHAT_IS_SPAM (409)."""
    return _move(widget_id, chat_id, rules.SET_STATE[status], reason)


@transaction.atomic
def _move(widget_id: int, chat_id: int, transition: Transition, reason: str | None) -> Chat:
    chat = locked_chat(widget_id, chat_id)
    before = Status(chat.status)
    try:
        after = rules.next_status(before, transition)
    except rules.Refused:
        raise CHAT_IS_SPAM() from None
    if after is before:
        return chat
    if not rules.is_closing(before, after):
        record_change(chat, status=after)
        return chat
    closed = ChatClosed(
        widget_id=widget_id,
        widget_guid=chat.widget.guid,
        chat_id=chat.pk,
        reason=reason or rules.DEFAULT_CLOSE_REASON,
        answerers=tuple(chat.widget.answerers),
    )
    # Whoever closes a chat sees that nobody is waited for; the sweep sees nothing.
    record_change(chat, closed, status=after, expired_at=timezone.now(), handed_over_at=None, handover_reason=None)
    return chat
