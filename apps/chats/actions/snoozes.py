"""Putting a chat aside, and having it back (querysets/snoozes.py)."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.chats.actions.changes import locked_chat, record_change
from apps.chats.actions.timers import drop_timers, set_timer
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.models import Chat
from apps.chats.querysets.snoozes import is_snoozed
from apps.chats.rules import Status
from apps.chats.rules.snoozes import moment_refusal
from apps.chats.rules.timers import TimerKind, moment_anchor
from apps.core.errors import INVALID_INPUT

# The fields of a chat that is neither put aside nor back.
AT_HAND: dict[str, Any] = {
    "snoozed_at": None,
    "snoozed_until": None,
    "snoozed_by_id": None,
    "snoozed_after_id": None,
    "woken_at": None,
}


@transaction.atomic
def snooze_chat(*, widget_id: int, chat_id: int, agent_id: int | None, until: datetime | None) -> Chat:
    """Puts a chat aside until a moment, or, without one, until its visitor writes; another snooze takes its place.
    An automation names no agent.

    Raises NOT_FOUND (404), CHAT_IS_SPAM (409), INVALID_INPUT (422) on `until` for a moment that is past or too far.
    """
    now = timezone.now()
    chat = locked_chat(widget_id, chat_id)
    if chat.status == Status.SPAM:
        raise CHAT_IS_SPAM()
    if until is not None and (refusal := moment_refusal(until, now)):
        raise INVALID_INPUT(errors={"until": [refusal]})
    after_id = chat.last_message_id or 0
    record_change(
        chat, snoozed_at=now, snoozed_until=until, snoozed_by_id=agent_id, snoozed_after_id=after_id, woken_at=None
    )
    if until is None:
        drop_timers(chat_id=chat.pk, kinds=[TimerKind.SNOOZE])
    _set_timer(chat)
    return chat


@transaction.atomic
def wake_chat(*, widget_id: int, chat_id: int) -> Chat:
    """Has a chat at hand again that was put aside; without effect on any other. Raises NOT_FOUND (404)."""
    chat = locked_chat(widget_id, chat_id)
    if is_aside(chat):
        record_change(chat, **AT_HAND)
    return chat


def is_aside(chat: Chat) -> bool:
    """Whether a chat has anything of a snooze, over or not."""
    return chat.snoozed_at is not None or chat.woken_at is not None


def end_snooze(*, widget_id: int, chat_id: int, anchor: str, as_of: datetime) -> None:
    """The timer of a locked chat's snooze is due: the chat is back from now on, if that snooze is in force still.

    One that was ended by a machine's word, or a handover, is over, and no return.
    """
    chat = locked_chat(widget_id, chat_id)
    if chat.snoozed_at is None or chat.snoozed_until is None or moment_anchor(chat.snoozed_at) != anchor:
        return
    if chat.snoozed_until > as_of:
        _set_timer(chat)
        return
    in_force = Chat.objects.for_widget(widget_id).filter(is_snoozed(), pk=chat_id).exists()
    record_change(chat, **{**AT_HAND, "woken_at": chat.snoozed_until if in_force else None})


def follow_snooze(chat: Chat) -> None:
    """Sets the timer of a locked chat's snooze anew; it has none without one."""
    drop_timers(chat_id=chat.pk, kinds=[TimerKind.SNOOZE])
    _set_timer(chat)


def follow_snoozes(*, widget_id: int) -> None:
    """Sets the timers of all snoozes of a widget whose chats came from elsewhere."""
    chats = Chat.objects.for_widget(widget_id).filter(snoozed_at__isnull=False, snoozed_until__isnull=False)
    for chat in chats.order_by("pk"):
        _set_timer(chat)


def _set_timer(chat: Chat) -> None:
    """Sets the timer of a snooze that has a time."""
    if chat.snoozed_at is not None and chat.snoozed_until is not None:
        set_timer(
            widget_id=chat.widget_id,
            chat_id=chat.pk,
            kind=TimerKind.SNOOZE,
            due_at=chat.snoozed_until,
            anchor=moment_anchor(chat.snoozed_at),
        )
