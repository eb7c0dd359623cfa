"""The queue: the chats that wait for a place, or are offered, in their order."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import (
    Case,
    Count,
    DateTimeField,
    DurationField,
    ExpressionWrapper,
    F,
    FloatField,
    Func,
    IntegerField,
    Min,
    Q,
    Value,
    When,
)
from django.db.models.functions import Cast, Floor

from apps.chats.models import Chat
from apps.chats.querysets.waiting import may_wait, waits_since
from apps.chats.rules import OperatorType
from apps.chats.rules.priorities import Priority
from apps.routing.models import Assignment
from apps.routing.rules.matching import AGING, QueuedChat
from apps.routing.rules.reasons import OfferOutcome

# As many chats are matched at once.
HEAD = 200


def queued(widget_id: int) -> Any:
    """The chats in the queues of a widget. Index: chats_chat_queued."""
    return Chat.objects.for_widget(widget_id).filter(queued_at__isnull=False)


def queue_length() -> tuple[int, datetime | None]:
    """How many chats are in the queues of all widgets, and since when the longest waits. Index: chats_chat_queued."""
    chats = Chat.objects.unscoped("the installation's figure").filter(queued_at__isnull=False)
    found = chats.aggregate(count=Count("pk"), since=Min("queued_at"))
    return found["count"], found["since"]


def in_order(chats: Any, as_of: datetime) -> Any:
    """Queued chats by the order of `rules.matching`: a queued chat's `queued_at` is the beginning of its wait."""
    ranks = [When(priority=each.value, then=Value(each.rank)) for each in Priority]
    waited = ExpressionWrapper(Value(as_of, DateTimeField()) - F("queued_at"), output_field=DurationField())
    seconds = Func(waited, template="extract(epoch FROM %(expressions)s)", output_field=FloatField())
    aged = Cast(Floor(seconds / AGING.total_seconds()), IntegerField())
    rank = Case(*ranks, output_field=IntegerField())
    return chats.annotate(rank_now=rank + aged).order_by("-rank_now", "queued_at", "pk")


def head_of(
    widget_id: int, departments: Collection[int], *, without_department: bool, as_of: datetime, after: int = 0
) -> list[QueuedChat]:
    """The first chats of these departments that nobody is offered, behind as many as `after`."""
    where = Q(department__in=departments) | Q(department=None) if without_department else Q(department__in=departments)
    chats = in_order(queued(widget_id).filter(where, offered_to=None), as_of)
    names = (
        "pk",
        "department",
        "priority",
        "queued_at",
        "agent",
        "handled_agent",
        "handled_type",
        "queue_row__language",
    )
    rows = list(chats.values_list(*names)[after : after + HEAD])
    passed = passes_of(widget_id, {row[0]: row[3] for row in rows})
    return [
        QueuedChat(
            id=pk,
            department_id=department_id,
            priority=Priority(priority),
            waits_since=since,
            language=language or "",
            last_operator_id=owner_id or (handled_id if handled_type == OperatorType.HUMAN else None),
            taken_from_id=owner_id,
            passed=passed.get(pk, {}),
        )
        for pk, department_id, priority, since, owner_id, handled_id, handled_type, language in rows
    ]


def passes_of(widget_id: int, since: dict[int, datetime]) -> dict[int, dict[int, datetime]]:
    """By chat the operators who missed or declined it in its wait, and when; `since`: the waits by chat."""
    rows = Assignment.objects.for_widget(widget_id).filter(
        chat__in=since, outcome__in=(OfferOutcome.MISSED, OfferOutcome.DECLINED), agent__isnull=False
    )
    found: dict[int, dict[int, datetime]] = defaultdict(dict)
    names = ("chat", "agent", "waits_since", "ended_at")
    for chat_id, agent_id, of_wait, ended_at in rows.order_by("pk").values_list(*names):
        if of_wait == since[chat_id]:
            found[chat_id][agent_id] = ended_at
    return found


def out_of_place(
    widget_id: int, departments: Collection[int | None], as_of: datetime
) -> tuple[dict[int, datetime], set[int]]:
    """The chats that belong into the queues of these departments and are not there, with their waits; and others that
    may belong there, or are in another's.
    """
    ids = [pk for pk in departments if pk is not None]
    here = Q(department__in=ids) | Q(department=None) if None in departments else Q(department__in=ids)
    chats = Chat.objects.for_widget(widget_id).filter(may_wait(as_of), here, queued_at=None)
    waiting = chats.annotate(waits_since=waits_since(as_of)).filter(waits_since__isnull=False)
    columns = ("pk", "waits_since", "agent", "answer_missed_at")
    rows: list[tuple[int, datetime, int | None, datetime | None]] = list(waiting.values_list(*columns))
    entering = {pk: since for pk, since, owner_id, missed_at in rows if owner_id is None and missed_at is None}
    gone = queued(widget_id).exclude(here)
    return entering, {*(pk for pk, *_ in rows), *gone.values_list("pk", flat=True)} - entering.keys()
