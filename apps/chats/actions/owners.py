"""Patience with owners who are away: when it ends, a waiting chat rings for all (`querysets/ringing.py`).

A timer (`owner_away`) is set by each change that begins the time in which both hold, the owner is away and the visitor
waits: a visitor's message by its own statement (`posting.py`), every other change of a chat by `changes.record_change`,
and the going of an operator by `follow_owners`. When it is due, the chat is looked at again: one timer too many, or too
early, does no harm.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.chats.actions.timers import set_timer
from apps.chats.events import ChatUpdated
from apps.chats.models import Chat
from apps.chats.querysets.compiled import compiled
from apps.chats.querysets.ringing import owed_by_absent
from apps.chats.querysets.waiting import may_wait, waits_since
from apps.chats.rules.timers import TimerKind, moment_anchor
from apps.core import bus
from apps.core.database import Row

# The fields that make a chat wait, or wait for somebody else.
BEGINS_A_WAIT = frozenset(
    ("agent_id", "status", "handed_over_at", "for_people_since", "waiting_since", "snoozed_at", "last_message")
)


def follow_owner(chat: Chat) -> None:
    """Sets the timer of a locked chat that waits for an owner who is away: the end of the patience with them."""
    if chat.agent_id is not None:
        _set_timers(_owed_in_chat(widget_id=chat.widget_id, chat_id=chat.pk, as_of=timezone.now()), chat.widget_id)


@transaction.atomic
def follow_owners(*, widget_id: int, agent_id: int | None = None) -> list[int]:
    """Sets those of all chats of an operator, or of a widget, that may wait; returns the chats that got one.

    Their versions grow: a message that was decided on before is decided on once more, and sees the owner away.
    """
    now = timezone.now()
    whose = Q(agent__isnull=False) if agent_id is None else Q(agent_id=agent_id)
    chats = Chat.objects.for_widget(widget_id).filter(whose & may_wait(now))
    ids = list(chats.select_for_update(no_key=True, of=("self",)).order_by("pk").values_list("pk", flat=True))
    if not ids:
        return []
    Chat.objects.for_widget(widget_id).filter(pk__in=ids).update(version=F("version") + 1)
    return _set_timers(list(_owed(Q(pk__in=ids), widget_id, now)), widget_id)


@transaction.atomic
def follow_changed_patience(*, widget_id: int) -> None:
    """The widget's `away_minutes` are others: chats that ring for all since an owner is away are judged by them."""
    noted = Chat.objects.for_widget(widget_id).filter(owner_away_at__isnull=False)
    ids = list(noted.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    noted.filter(pk__in=ids).update(owner_away_at=None, version=F("version") + 1)
    follow_owners(widget_id=widget_id)
    bus.publish(*(ChatUpdated(widget_id=widget_id, chat_id=pk) for pk in ids))


def look_at_owner(*, widget_id: int, chat_id: int, as_of: datetime) -> None:
    """The timer of a locked chat is due: it rings for all from now on if its owner is away for too long; if that is
    later by now, the timer is set once more.
    """
    for pk, ends, noted_at in _owed_in_chat(widget_id=widget_id, chat_id=chat_id, as_of=as_of):
        if ends > as_of:
            _set(widget_id, pk, ends)
        elif noted_at is None or noted_at < ends:
            Chat.objects.for_widget(widget_id).filter(pk=pk).update(owner_away_at=as_of, version=F("version") + 1)
            bus.publish(ChatUpdated(widget_id=widget_id, chat_id=pk))


def _set_timers(owed: Sequence[Row], widget_id: int) -> list[int]:
    for pk, ends, _ in owed:
        _set(widget_id, pk, ends)
    return [pk for pk, _, _ in owed]


def _owed(which: Q, widget_id: int, as_of: datetime) -> QuerySet[Any]:
    """Id, end of the patience, and when it was noted to be over, of the chats that wait for an owner who is away."""
    chats: Any = Chat.objects.for_widget(widget_id).filter(which).annotate(waits_since=waits_since(as_of))
    return owed_by_absent(chats).order_by("pk").values_list("pk", "patience_ends", "owner_away_at")


@compiled
def _owed_in_chat(widget_id: int, chat_id: int, as_of: datetime) -> QuerySet[Any]:
    return _owed(Q(pk=chat_id), widget_id, as_of)


def _set(widget_id: int, chat_id: int, ends: datetime) -> None:
    set_timer(widget_id=widget_id, chat_id=chat_id, kind=TimerKind.OWNER_AWAY, due_at=ends, anchor=moment_anchor(ends))
