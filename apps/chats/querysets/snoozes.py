"""Chats that are put aside: the one rule behind lists, counts and rings. It reads facts, and no clock.

A snooze is in force until its time comes, if it has one, or anybody but an operator's note says something in the chat:
its visitor, a person, or AI that answers the visitor. A handover ends it, too. An operator ends it by taking, giving,
closing or waking the chat, or by a message: those clear the columns. So do the visitor's word, by its own statement
(`actions/posting.py`), and the time (`actions/snoozes.py`), and note when the chat came back (`woken_at`).

A chat is back (`back_since`) since its snooze ended by time or by its visitor, until a person says something.
"""

from typing import Any

from django.db.models import Case, DateTimeField, F, Q, When
from django.db.models.functions import Coalesce, Greatest

from apps.chats.rules import SenderKind


def is_snoozed() -> Q:
    """The chats whose snooze is in force. Index: chats_chat_aside."""
    is_silent = Q(last_message_id=F("snoozed_after_id")) | Q(last_message_id=None, snoozed_after_id=0)
    no_handover = Q(handed_over_at=None) | Q(handed_over_at__lte=F("snoozed_at"))
    return Q(snoozed_at__isnull=False) & is_silent & no_handover


# The same of a chat `c`, for statements by hand.
IS_SNOOZED_SQL = """c.snoozed_at IS NOT NULL AND coalesce(c.last_message_id, 0) = c.snoozed_after_id
    AND (c.handed_over_at IS NULL OR c.handed_over_at <= c.snoozed_at)"""


def back_since() -> Any:
    """Since when a chat is back from its snooze; null for one that is not."""
    by_person = Q(last_message__sender_kind=SenderKind.AGENT) & Q(last_message_at__gt=F("woken_at"))
    return Case(When(by_person, then=None), default=F("woken_at"), output_field=DateTimeField())


def active_at() -> Any:
    """When a chat had its last word, or came back from its snooze: the order of lists."""
    spoken = Coalesce("last_message_at", "created_at")
    return Greatest(spoken, Coalesce(back_since(), spoken))
