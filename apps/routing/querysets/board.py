"""The queue as people watch over it: each department, each operator, the chats in order, and the last hour's waits."""

from collections import Counter
from dataclasses import asdict
from datetime import datetime, timedelta
from math import ceil
from typing import Any, NamedTuple

from django.db.models import Max, Min, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from apps.agents.models import Agent, Department
from apps.agents.querysets.hours import hours_of_department, hours_of_widget
from apps.agents.rules.absence import shown_break
from apps.chats.models import Chat, Message
from apps.chats.querysets.priorities import queue_rank
from apps.chats.querysets.ringing import rings_for
from apps.chats.querysets.waiting import may_wait, waits_since
from apps.chats.rules import SenderKind
from apps.chats.rules.messages import ANSWERING
from apps.routing.models import OperatorPlaces, RoutingSettings
from apps.routing.querysets.clocks import due_of_chats
from apps.routing.querysets.estimates import estimate_figures
from apps.routing.querysets.facts import places_of
from apps.routing.querysets.loads import Loads, loads_of
from apps.routing.rules.estimates import EstimateFigure
from apps.routing.rules.settings import Routing

HEAD = 100
ANSWERED_WITHIN = timedelta(hours=1)
_PER_CENT = 100


def queue_of(widget_id: int) -> dict[str, Any]:
    """The answer of `GET /v1/queue`."""
    now = timezone.now()
    operators = _operators(widget_id)
    return {
        "at": now,
        "departments": _departments(widget_id, operators, now),
        "operators": [_shown_operator(each) for each in operators],
        "chats": _chats(widget_id, now),
        "answered": answered(widget_id, now - ANSWERED_WITHIN),
    }


def _waiting(widget_id: int, now: datetime) -> Any:
    chats = Chat.objects.for_widget(widget_id).filter(may_wait(now)).annotate(waits_since=waits_since(now))
    return chats.filter(waits_since__isnull=False)


def _chats(widget_id: int, now: datetime) -> list[dict[str, Any]]:
    chats = _waiting(widget_id, now).filter(queued_at__isnull=False).annotate(rank=queue_rank(now), rings=rings_for())
    names = ("pk", "department_id", "priority", "waits_since", "offered_to_id")
    rows = (
        chats.filter(rings__in=("queue", "offered")).order_by("-rank", "waits_since", "pk").values_list(*names)[:HEAD]
    )
    places = places_of(widget_id) if rows else {}
    shown = ("chat_id", "department_id", "priority", "waits_since", "offered_to")
    return [{**dict(zip(shown, row, strict=True)), "place": places.get(row[0])} for row in rows]


def _operators(widget_id: int) -> list[dict[str, Any]]:
    """The people of a widget, their loads and places; `takes` are the free places by department."""
    of_widget = Routing.of(*RoutingSettings.objects.for_widget(widget_id).that_hold(None).values("capacity"))
    loads: Loads = loads_of(widget_id)
    capacities: dict[tuple[int, int | None], int] = {}
    for place in OperatorPlaces.objects.for_widget(widget_id).filter(capacity__isnull=False):
        capacities[place.agent_id, place.department_id] = place.capacity or 0
    offers = Chat.objects.for_widget(widget_id).filter(offered_to__isnull=False).order_by()
    offered = Counter(offers.values_list("offered_to_id", flat=True))
    found = []
    for agent in Agent.objects.for_widget(widget_id).people().for_api().order_by("pk"):
        of_agent = loads.get(agent.pk, {})
        capacity = capacities.get((agent.pk, None), of_widget.capacity)
        free = max(0, capacity - sum(of_agent.values()))
        departments = [each["id"] for each in agent.department_list]  # type: ignore[attr-defined]
        takes: dict[int | None, int] = {None: free}
        for department_id in departments:
            own = capacities.get((agent.pk, department_id))
            takes[department_id] = free if own is None else min(free, max(0, own - of_agent.get(department_id, 0)))
        found.append(
            {
                "agent_id": agent.pk,
                "status": agent.status,
                "load": sum(of_agent.values()),
                "capacity": capacity,
                "offered": offered[agent.pk],
                "break": shown_break(agent),
                "is_online": agent.online_since is not None,
                "takes": takes,
            }
        )
    return found


def _shown_operator(operator: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in operator.items() if name not in ("is_online", "takes")}


def _departments(widget_id: int, operators: list[dict[str, Any]], now: datetime) -> list[dict[str, Any]]:
    """The chats without a department first, then the departments for visitors."""
    names = Department.objects.for_widget(widget_id).filter(internal=False).order_by("pk").values_list("pk", "name")
    told = estimate_figures(widget_id, now)
    waits = _waits(widget_id, now)
    found = []
    for department_id, name in ((None, None), *names):
        hours = (
            hours_of_widget(widget_id).hours if department_id is None else hours_of_department(widget_id, department_id)
        )
        members = [each for each in operators if department_id in each["takes"]]
        there = [each for each in members if each["is_online"]]
        wait = waits.get(department_id, _Waits())
        found.append(
            {
                "department_id": department_id,
                "name": name,
                "is_open": hours is not None and hours.is_open(now),
                "opens_at": hours.opens_at(now) if hours is not None else None,
                **wait._asdict(),
                "online": sum(each["status"] == Agent.Status.ACTIVE for each in there),
                "on_break": sum(each["status"] == Agent.Status.RELAXATION for each in there),
                "places": sum(each["takes"][department_id] for each in there if each["status"] == Agent.Status.ACTIVE),
                "estimates": asdict(told.get(department_id, EstimateFigure(0, 0))),
            }
        )
    return found


class _Waits(NamedTuple):
    """The chats of a department that wait: how many, since when, and how many answers are due soon, and missed."""

    waiting: int = 0
    longest_since: datetime | None = None
    due_soon: int = 0
    breached: int = 0


def _waits(widget_id: int, now: datetime) -> dict[int | None, _Waits]:
    """By department. An answer is due soon that was warned of; a chat counts by the answer that is due first."""
    waiting = _waiting(widget_id, now).order_by().values_list("pk", "department_id", "waits_since")
    due = due_of_chats(widget_id)
    found: dict[int | None, _Waits] = {}
    for pk, department_id, since in waiting:
        of_chat = due.get(pk, {})
        is_missed = of_chat.get("breached_at") is not None
        is_soon = of_chat.get("warned_at") is not None and not is_missed
        before = found.get(department_id, _Waits(longest_since=since))
        found[department_id] = _Waits(
            before.waiting + 1,
            min(before.longest_since or since, since),
            before.due_soon + is_soon,
            before.breached + is_missed,
        )
    return found


def answered(widget_id: int, since: datetime) -> dict[str, Any]:
    """The waits that a person's words have ended since a moment: how many, and how long they were (nearest rank)."""
    said = Message.objects.for_widget(widget_id).filter(is_internal=False)
    of_chat = said.filter(chat=OuterRef("chat"), pk__lt=OuterRef("pk"), sender_kind__in=ANSWERING).order_by()
    answers = said.filter(created_at__gt=since, sender_kind=SenderKind.AGENT).annotate(
        before=Coalesce(Subquery(of_chat.values("chat").annotate(last=Max("pk")).values("last")), 0)
    )
    asked = said.filter(chat=OuterRef("chat"), pk__lt=OuterRef("pk"), sender_kind=SenderKind.CLIENT).order_by()
    first = asked.filter(pk__gt=OuterRef("before")).values("chat").annotate(first=Min("created_at")).values("first")
    waits = answers.annotate(asked_at=Subquery(first)).filter(asked_at__isnull=False)
    seconds = sorted(
        int((at - asked_at).total_seconds()) for at, asked_at in waits.values_list("created_at", "asked_at")
    )
    return {"count": len(seconds), "p50_seconds": nearest_rank(seconds, 50), "p90_seconds": nearest_rank(seconds, 90)}


def nearest_rank(values: list[int], percent: int) -> int | None:
    """The value at a rank of sorted ones; None without any."""
    return values[max(0, ceil(len(values) * percent / _PER_CENT) - 1)] if values else None
