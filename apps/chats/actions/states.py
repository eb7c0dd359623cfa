"""Moving a chat from state to state: one implementation for the API, the console, the compat routes and the sweep."""

from django.db import transaction
from django.utils import timezone

from apps.chats import rules
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.events import ChatClosed, ChatUpdated
from apps.chats.models import Chat
from apps.chats.rules import Status, Transition
from apps.core import bus
from apps.core.errors import NOT_FOUND
from apps.core.redis import nudges


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
    chat = (
        Chat.objects.of(widget_id).select_related("widget").select_for_update(of=("self",)).filter(pk=chat_id).first()
    )
    if chat is None:
        raise NOT_FOUND()
    before = Status(chat.status)
    try:
        after = rules.next_status(before, transition)
    except rules.Refused:
        raise CHAT_IS_SPAM() from None
    if after is before:
        return chat
    chat.status = after
    chat.version += 1
    changed = ["status", "version"]
    if rules.is_closing(before, after):
        chat.expired_at = timezone.now()
        changed.append("expired_at")
    chat.save(update_fields=changed)
    if rules.is_closing(before, after):
        bus.publish(
            ChatClosed(
                widget_id=widget_id,
                widget_guid=chat.widget.guid,
                chat_id=chat.pk,
                reason=reason or rules.DEFAULT_CLOSE_REASON,
            )
        )
    bus.publish(ChatUpdated(widget_id=widget_id, chat_id=chat.pk))
    nudges.after_commit("chat", {"chat_id": chat.pk, "kind": "chat.updated"})
    return chat
