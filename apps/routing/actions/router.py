"""The router: gives the free places of a widget's operators to the chats of its queue, a transaction a decision.

One router a widget at a time. The head of the queue is matched by `rules.matching`, which looks at the rows that were
read alone; each chat is locked, and is left to a later decision if it is another by then, or is being changed.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from apps import leases
from apps.agents.querysets.hours import hours_of_widget
from apps.agents.rules.hours import OpenHours
from apps.chats.models import Chat
from apps.core import database
from apps.core.observability import metrics
from apps.routing.actions.entering import enter
from apps.routing.actions.misses import give_breaks
from apps.routing.actions.offers import give
from apps.routing.actions.overflow import follow_places
from apps.routing.actions.settings import routing_of, routings_of
from apps.routing.actions.wakening import put_rows
from apps.routing.models import RouterRow
from apps.routing.querysets.operators import operators_of
from apps.routing.querysets.overflow import moved_of, unqueued
from apps.routing.querysets.queue import HEAD, head_of, out_of_place, queued
from apps.routing.rules.matching import ASKED_AGAIN_AFTER, Match, Operator, PlaceMatching, QueuedChat
from apps.routing.rules.reasons import Reason
from apps.routing.rules.settings import Routing
from apps.routing.rules.standing import departments_now


class RouterDecision(NamedTuple):
    """The chats that a pass gave, how many of the queue still wait for a place, and whether more may be given."""

    given: int
    waiting: int
    goes_on: bool


class RoutedWidget(NamedTuple):
    """A widget as a decision reads it: settings, hours by department and operators."""

    id: int
    routings: Mapping[int | None, Routing]
    hours: Mapping[int | None, OpenHours]
    operators: Sequence[Operator]

    def routing_of(self, department_id: int | None) -> Routing:
        return self.routings.get(department_id, self.routings[None])

    def staffed(self, department_ids: Collection[int | None]) -> set[int | None]:
        """The departments among these in which somebody is who takes routed chats."""
        return {pk for pk in department_ids if any(each.takes(pk) for each in self.operators)}

    def changes_at(self, as_of: datetime) -> datetime | None:
        """When a routed department opens or closes next."""
        moments = [
            hours.closes_at(as_of) if hours.is_open(as_of) else hours.opens_at(as_of)
            for department_id, hours in self.hours.items()
            if self.routing_of(department_id).is_routed
        ]
        return min((moment for moment in moments if moment), default=None)


def work(lease: leases.Lease[RouterRow]) -> None:
    """Decides on the queue of a leased row's widget, and has it decided on again when something changes by itself."""
    widget_id, as_of = lease.row.widget_id, timezone.now()
    _give_breaks(widget_id)
    with metrics.ROUTING.time(), transaction.atomic():
        decision = _decide(widget_id=widget_id, as_of=as_of)
        changes_at = RouterRow.objects.for_widget(widget_id).values_list("changes_at", flat=True).get()
        waits_s = [] if changes_at is None else [max(0.0, (changes_at - as_of).total_seconds())]
        if decision.waiting:
            waits_s.append(ASKED_AGAIN_AFTER.total_seconds() / 5)
        if decision.goes_on:
            waits_s = [0.0]
        if waits_s:
            lease.later(min(waits_s))
        else:
            lease.done(though_overtaken=True)


def route_all(*, as_of: datetime) -> RouterDecision:
    """One pass over every widget that is routed."""
    given = waiting = 0
    for widget_id in RouterRow.objects.unscoped("every widget that is routed").values_list("widget_id", flat=True):
        while True:
            decision = decide(widget_id=widget_id, as_of=as_of)
            given += decision.given
            if not decision.goes_on:
                break
        waiting += decision.waiting
    return RouterDecision(given, waiting, goes_on=False)


def decide(*, widget_id: int, as_of: datetime) -> RouterDecision:
    """Gives the free places to the head of the queue.

    Chats that belong into a queue since a department opened or an operator came enter it before.
    """
    _give_breaks(widget_id)
    return _decide(widget_id=widget_id, as_of=as_of)


def _give_breaks(widget_id: int) -> None:
    """In a transaction of its own: it ends with the router's row, which the decision is the last to lock."""
    give_breaks(widget_id=widget_id, most=routing_of(widget_id, None).misses)


@transaction.atomic
def _decide(*, widget_id: int, as_of: datetime) -> RouterDecision:
    database.lock(f"routing:{widget_id}")
    widget = read(widget_id)
    departments = departments_now(widget.routings, widget.hours, widget.staffed, as_of)
    places = [pk for pk, now in departments.items() if all(now)]
    state = {str(pk or ""): [*now] for pk, now in departments.items()}
    row, _ = RouterRow.objects.get_or_create(widget_id=widget_id, defaults={"due_at": None})
    if row.departments != state:
        _follow_departments(widget, places, as_of)
    matching = PlaceMatching(widget.operators, widget.routings, as_of)
    given, after, goes_on = 0, 0, False
    free = [pk for pk in places if any(each.is_available(pk) for each in widget.operators)]
    while free:
        head = head_of(
            widget_id,
            [pk for pk in free if pk is not None],
            without_department=None in free,
            as_of=as_of,
            after=after,
        )
        found = list(matching.matches(head, as_of))
        given += _give(widget, found, as_of)
        if found or len(head) < HEAD:
            goes_on = len(head) == HEAD and bool(found) and given > 0
            break
        after += HEAD
    if not goes_on:
        follow_places(widget.id, widget.routings, widget.hours, widget.operators, as_of)
    RouterRow.objects.for_widget(widget_id).update(departments=state, changes_at=widget.changes_at(as_of))
    waiting = queued(widget_id).filter(offered_to=None).count()
    return RouterDecision(given, waiting, goes_on=goes_on)


def read(widget_id: int) -> RoutedWidget:
    """The widget as it is now."""
    routings = routings_of(widget_id)
    hours = hours_of_widget(widget_id)
    by_department: dict[int | None, OpenHours] = {each.id: each.hours for each in hours.departments}
    return RoutedWidget(
        widget_id, routings, {None: hours.hours, **by_department}, operators_of(widget_id, routings[None])
    )


def _follow_departments(widget: RoutedWidget, places: Collection[int | None], as_of: datetime) -> None:
    """Departments have opened, closed, or are staffed otherwise since the last decision.

    Chats without an owner enter the queues before any of them is given, so that the longest wait is served first; all
    others that may be out of place are looked at soon.
    """
    entering, others = out_of_place(widget.id, places, as_of)
    if entering:
        enter(widget.id, entering)
    helped = [pk for pk, each in widget.routings.items() if pk is not None and each.overflows and pk not in places]
    put_rows(widget.id, others | unqueued(widget.id, helped, as_of) if helped else others)


def _give(widget: RoutedWidget, found: Sequence[Match], as_of: datetime) -> int:
    """Gives each chat of these that is as it was read, in the queue's order; returns how many."""
    by_id = {match.chat.id: match for match in found}
    chats = Chat.objects.for_widget(widget.id).filter(pk__in=by_id, offered_to=None, queued_at__isnull=False)
    related = chats.select_related("widget", "contact")
    locked = {each.pk: each for each in related.select_for_update(of=("self",), skip_locked=True).order_by("pk")}
    moved = moved_of(widget.id, {pk: match.chat.waits_since for pk, match in by_id.items()})
    given = 0
    for match in found:
        chat = locked.get(match.chat.id)
        if chat is None or _is_another(chat, match.chat):
            continue
        why = _why(match, chat, as_of, is_moved=chat.pk in moved)
        give(chat, match.operator.id, widget.routing_of(chat.department_id), why, as_of)
        given += 1
    return given


def _is_another(chat: Chat, read_chat: QueuedChat) -> bool:
    now = (chat.department_id, chat.queued_at, chat.agent_id)
    return now != (read_chat.department_id, read_chat.waits_since, read_chat.taken_from_id)


def _why(match: Match, chat: Chat, as_of: datetime, *, is_moved: bool) -> dict[str, Any]:
    """The API's `why`, with the chat's owner then."""
    operator, department_id = match.operator, match.chat.department_id
    return {
        "reasons": [str(each) for each in (*match.reasons, *_why_now(match, chat, is_moved=is_moved))],
        "load": match.load,
        "capacity": operator.capacity,
        "department_load": None if department_id is None else match.department_load,
        "department_capacity": None if department_id is None else operator.capacities.get(department_id),
        "waited_seconds": max(0, int((as_of - match.chat.waits_since).total_seconds())),
        "among": match.among,
        "owner_id": chat.agent_id,
    }


def _why_now(match: Match, chat: Chat, *, is_moved: bool) -> Iterable[Reason]:
    if match.chat.passed:
        yield Reason.PASSED
    if chat.agent_id is not None:
        silent_at = chat.owner_silent_at
        is_silent = silent_at is not None and silent_at >= match.chat.waits_since
        yield Reason.OWNER_SILENT if is_silent else Reason.OWNER_AWAY
    if is_moved:
        yield Reason.OVERFLOW
