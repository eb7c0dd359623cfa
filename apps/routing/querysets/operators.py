"""The operators who are there and take routed chats, with their load."""

from collections import defaultdict
from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet

from apps.agents.models import Agent, Department, OperatorChoices
from apps.routing.models import OperatorPlaces
from apps.routing.querysets.loads import loads_of
from apps.routing.rules.matching import Operator
from apps.routing.rules.settings import Routing


def operators_of(widget_id: int, routing: Routing, *, agent_ids: Collection[int] | None = None) -> list[Operator]:
    """The people who are online and `active`; of `agent_ids`, whether they are or not."""
    people = Agent.objects.for_widget(widget_id).people()
    found = people.filter(pk__in=agent_ids) if agent_ids is not None else at_work(people)
    rows = list(found.order_by("pk").values_list("pk", "online_since", "user__language", "user__seen_language"))
    # Of all who work, of any widget: reading rows that are not needed costs less than naming hundreds of ids.
    named = {} if agent_ids is None else {"agent__in": [pk for pk, *_ in rows]}
    members = Department.agents.through.objects.filter(department__widget_id=widget_id, **named)
    departments: dict[int, set[int]] = defaultdict(set)
    for agent_id, department_id in members.values_list("agent", "department"):
        departments[agent_id].add(department_id)
    capacities: dict[int, dict[int | None, int]] = defaultdict(dict)
    given = {}
    places = OperatorPlaces.objects.for_widget(widget_id).filter(**named)
    columns = ("agent", "department", "capacity", "last_given_at")
    for agent_id, place_of, capacity, last_given_at in places.values_list(*columns):
        if capacity is not None:
            capacities[agent_id][place_of] = capacity
        if place_of is None:
            given[agent_id] = last_given_at
    choices = OperatorChoices.objects.for_widget(widget_id).filter(**named)
    reads = dict(choices.values_list("agent", "reads"))
    loads = loads_of(widget_id)
    return [
        Operator(
            id=pk,
            departments=frozenset(departments[pk]),
            load=sum(loads.get(pk, {}).values()),
            capacity=capacities[pk].pop(None, routing.capacity),
            loads=dict(loads.get(pk, {})),
            capacities={each: most for each, most in capacities[pk].items() if each is not None},
            reads=frozenset(reads.get(pk) or {language or seen} - {None, ""}),
            last_given_at=given.get(pk),
            came_at=online_since,
        )
        for pk, online_since, language, seen in rows
    ]


def at_work(people: QuerySet[Agent]) -> QuerySet[Agent]:
    """The people of these with an open console and no break."""
    return people.filter(online_since__isnull=False, status=Agent.Status.ACTIVE)


def staffed_among(widget_id: int, routing: Routing, department_ids: Collection[int | None]) -> set[int | None]:
    """The departments among these in which somebody is there who takes routed chats; None: the chats without one.

    The rule of `Operator.takes`, for many operators at once.
    """
    people = at_work(Agent.objects.for_widget(widget_id).people())
    places = OperatorPlaces.objects.for_widget(widget_id)
    own = places.filter(department=None, capacity__isnull=False)
    takes = Q(pk__in=own.filter(capacity__gt=0).values("agent"))
    if routing.capacity > 0:
        takes |= ~Q(pk__in=own.values("agent"))
    takers = people.filter(takes)
    found: set[int | None] = set()
    if None in department_ids and takers.exists():
        found.add(None)
    if ids := [pk for pk in department_ids if pk is not None]:
        none_here = places.filter(agent=OuterRef("agent"), department=OuterRef("department"), capacity=0)
        members = Department.agents.through.objects.filter(
            ~Exists(none_here), department__widget_id=widget_id, department__in=ids, agent__in=takers.values("pk")
        )
        found.update(members.order_by().values_list("department", flat=True).distinct())
    return found
