"""The chats that wait for help from another department, and those that were moved there."""

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db.models import Exists, OuterRef

from apps.chats.models import Chat, ChatActivity, Timer
from apps.chats.querysets.waiting import may_wait, waits_since
from apps.chats.rules.activities import StepKind
from apps.chats.rules.timers import TimerKind
from apps.routing.querysets.queue import queued
from apps.routing.rules.reasons import Reason

_MOVED = Exists(
    ChatActivity.objects.unscoped("of the row's own chat").filter(
        chat=OuterRef("pk"), kind=StepKind.ROUTED, comment=Reason.OVERFLOW, at__gte=OuterRef("queued_at")
    )
)
_TIMER = Exists(
    Timer.objects.unscoped("of the row's own chat").filter(chat=OuterRef("pk"), kind=TimerKind.OVERFLOW, key="")
)


def was_moved(chat: Chat, since: datetime) -> bool:
    """Whether the chat was moved since it waits."""
    return chat.pk in moved_of(chat.widget_id, {chat.pk: since})


def moved_of(widget_id: int, since: Mapping[int, datetime]) -> set[int]:
    """The chats among these that were moved in their wait; `since`: the waits by chat."""
    steps = ChatActivity.objects.for_widget(widget_id).filter(
        chat__in=since, kind=StepKind.ROUTED, comment=Reason.OVERFLOW
    )
    return {chat_id for chat_id, at in steps.values_list("chat", "at") if at >= since[chat_id]}


def with_timer(widget_id: int, departments: Collection[int]) -> list[int]:
    """Locks the queued chats of these departments that wait for help; one that is being changed is left out."""
    chats = queued(widget_id).filter(_TIMER, department__in=departments).order_by("pk")
    return list(chats.select_for_update(skip_locked=True, of=("self",)).values_list("pk", flat=True))


def without_timer(widget_id: int, departments: Collection[int], *, most: int) -> list[tuple[int, datetime, int]]:
    """Locks the queued chats of these departments that nobody is offered and that wait for no help yet, nor had it:
    their ids, waits and departments. One that is being changed is left out.
    """
    chats = queued(widget_id).filter(~_TIMER, ~_MOVED, department__in=departments, offered_to=None)
    locked = chats.order_by("queued_at", "pk").select_for_update(skip_locked=True, of=("self",))
    return list(locked.values_list("pk", "queued_at", "department")[:most])


def unqueued(widget_id: int, departments: Collection[int], as_of: datetime) -> set[int]:
    """The chats of these departments that wait, and are in no queue."""
    chats = Chat.objects.for_widget(widget_id).filter(may_wait(as_of), department__in=departments, queued_at=None)
    waiting = chats.annotate(waits_since=waits_since(as_of)).filter(waits_since__isnull=False)
    return set(waiting.values_list("pk", flat=True))
