"""Chats that are put aside: the one rule behind lists, counts and rings.

A snooze is in force until its time comes, if it has one, or anybody but an operator's note says something in the chat:
its visitor, a person, or AI that answers the visitor. A handover ends it, too. An operator ends it by taking, giving,
closing or waking the chat: those clear the columns. Snoozes that ended otherwise are cleared by `actions/snoozes.py`
soon.

A chat is back (`back_since`) since its snooze ended by time or by its visitor, until a person says something.
"""

from datetime import datetime
from typing import Any

from django.db.models import Case, DateTimeField, F, Q, When
from django.db.models.functions import Coalesce, Greatest

from apps.chats.rules import SenderKind


def is_snoozed(now: datetime) -> Q:
    """The chats whose snooze is in force. Index: chats_chat_aside."""
    is_silent = Q(last_message_id=F("snoozed_after_id")) | Q(last_message_id=None, snoozed_after_id=0)
    no_handover = Q(handed_over_at=None) | Q(handed_over_at__lte=F("snoozed_at"))
    before_its_time = Q(snoozed_until=None) | Q(snoozed_until__gt=now)
    return Q(snoozed_at__isnull=False) & is_silent & no_handover & before_its_time


def back_since(now: datetime) -> Any:
    """Since when a chat is back from its snooze; null for one that is not."""
    has_ended = Q(snoozed_at__isnull=False) & ~is_snoozed(now)
    by_visitor = Q(last_message__sender_kind=SenderKind.CLIENT) & Q(last_message_id__gt=F("snoozed_after_id"))
    ended = Case(
        When(has_ended & Q(snoozed_until__lte=now), then=F("snoozed_until")),
        When(has_ended & by_visitor, then=F("last_message_at")),
        output_field=DateTimeField(),
    )
    since = Coalesce("woken_at", ended)
    by_person = Q(last_message__sender_kind=SenderKind.AGENT) & Q(
        last_message_at__gt=Coalesce(F("woken_at"), F("snoozed_until"), F("snoozed_at"))
    )
    return Case(When(by_person, then=None), default=since, output_field=DateTimeField())


def active_at(now: datetime) -> Any:
    """When a chat had its last word, or came back from its snooze: the order of lists."""
    spoken = Coalesce("last_message_at", "created_at")
    return Greatest(spoken, Coalesce(back_since(now), spoken))
