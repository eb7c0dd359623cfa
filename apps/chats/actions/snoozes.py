"""Putting a chat aside, and having it back (querysets/snoozes.py)."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.chats.actions.changes import locked_chat, record_change
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.events import ChatUpdated
from apps.chats.models import Chat
from apps.chats.querysets.snoozes import back_since, is_snoozed
from apps.chats.rules import Status
from apps.chats.rules.snoozes import moment_refusal
from apps.core import bus
from apps.core.errors import INVALID_INPUT

BATCH = 500
# The fields of a chat that is neither put aside nor back.
AT_HAND: dict[str, Any] = {
    "snoozed_at": None,
    "snoozed_until": None,
    "snoozed_by_id": None,
    "snoozed_after_id": None,
    "woken_at": None,
}


@transaction.atomic
def snooze_chat(*, widget_id: int, chat_id: int, agent_id: int, until: datetime | None) -> Chat:
    """Puts a chat aside until a moment, or, without one, until its visitor writes; another snooze takes its place.

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


def end_snoozes(*, as_of: datetime) -> int:
    """Marks the chats whose snooze has ended as back, tells of them, and lets go of those a person has answered.

    Returns how many. Harmless when run twice at once.
    """
    aside = Chat.objects.unscoped("every widget's rows").filter(Q(snoozed_at__isnull=False) | Q(woken_at__isnull=False))
    over = aside.exclude(is_snoozed(as_of)).annotate(back=back_since(as_of))
    over = over.filter(Q(snoozed_at__isnull=False) | Q(back=None))
    with transaction.atomic():
        rows = over.select_for_update(no_key=True, of=("self",), skip_locked=True).order_by("pk")[:BATCH]
        found = list(rows.values_list("pk", "widget_id", "back"))
        for pk, widget_id, back in found:
            Chat.objects.for_widget(widget_id).filter(pk=pk).update(
                **{**AT_HAND, "woken_at": back}, version=F("version") + 1
            )
        bus.publish(*(ChatUpdated(widget_id=widget_id, chat_id=pk) for pk, widget_id, _ in found))
    return len(found)
