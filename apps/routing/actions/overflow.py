"""The timers of chats for which nobody of their department is available: when one is due, another department helps out.

An operator is available who is there, at work, below their capacities, and in a department that is open. A timer counts
from the moment at which nobody is, or the helping department opens, if that is later; it goes with the first place
that is left free. The router sets and drops those of the queue; a look those of chats that are in none, since their
department is closed or empty.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from apps.agents.querysets.hours import hours_of_department
from apps.agents.rules.hours import OpenHours
from apps.chats.actions.timers import set_timer
from apps.chats.models import Chat, Timer
from apps.chats.rules.timers import TimerKind, moment_anchor
from apps.leases import wake_workers
from apps.routing.querysets.overflow import was_moved, with_timer, without_timer
from apps.routing.rules.matching import Operator
from apps.routing.rules.settings import Routing

# As many chats get their timer by one decision.
MOST_SET = 1000


def wait_for_help(chat: Chat, since: datetime, routing: Routing, as_of: datetime) -> None:
    """Sets the timer of a locked chat in a closed or empty department, unless it stands, or was due in this wait."""
    timers = Timer.objects.for_widget(chat.widget_id).filter(chat_id=chat.pk, kind=TimerKind.OVERFLOW)
    if timers.exists() or was_moved(chat, since):
        return
    hours = hours_of_department(chat.widget_id, routing.overflow_department_id or 0)
    if hours is not None and (due_at := _due_at(routing, hours, as_of)):
        set_timer(
            widget_id=chat.widget_id,
            chat_id=chat.pk,
            kind=TimerKind.OVERFLOW,
            due_at=due_at,
            anchor=moment_anchor(since),
        )


def follow_places(
    widget_id: int,
    routings: Mapping[int | None, Routing],
    hours: Mapping[int | None, OpenHours],
    operators: Sequence[Operator],
    as_of: datetime,
) -> None:
    """Sets and drops the timers of queued chats, by the places that a decision has left free.

    A chat that is being changed waits for the next decision.
    """
    helped = {pk: each for pk, each in routings.items() if pk is not None and each.overflows}
    free = [pk for pk in helped if any(each.is_available(pk) for each in operators)]
    if free:
        chats = with_timer(widget_id, free)
        Timer.objects.for_widget(widget_id).filter(chat__in=chats, kind=TimerKind.OVERFLOW).delete()
    due: dict[int, datetime] = {}
    for pk in helped.keys() - set(free):
        helper = hours.get(helped[pk].overflow_department_id)
        if helper is not None and (due_at := _due_at(helped[pk], helper, as_of)):
            due[pk] = due_at
    if due:
        _set(widget_id, due)


def _set(widget_id: int, due: Mapping[int, datetime]) -> None:
    """`due` are the moments by department."""
    wanted = without_timer(widget_id, due, most=MOST_SET)
    if not wanted:
        return
    Timer.objects.bulk_create(
        (
            Timer(
                widget_id=widget_id,
                chat_id=pk,
                kind=TimerKind.OVERFLOW,
                anchor=moment_anchor(since),
                due_at=due[department_id],
            )
            for pk, since, department_id in wanted
        ),
        ignore_conflicts=True,
    )
    wake_workers()


def _due_at(routing: Routing, hours: OpenHours, as_of: datetime) -> datetime | None:
    """None where the helping department never opens."""
    begins_at = as_of if hours.is_open(as_of) else hours.opens_at(as_of)
    return begins_at and begins_at + timedelta(minutes=routing.overflow_minutes or 0)
