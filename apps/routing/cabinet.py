"""The lines of the cabinet that tell of now: in a widget, in a department, and to an operator."""

from collections.abc import Iterable

from django.utils import timezone
from django.utils.translation import gettext, ngettext

from apps.agents.forms import people_line, state_line
from apps.agents.models import Agent, Department
from apps.agents.querysets import AgentQuerySet
from apps.agents.querysets.hours import hours_of_department, hours_of_widget
from apps.routing.actions.settings import routing_of
from apps.routing.models import OperatorPlaces
from apps.routing.querysets.loads import loads_of
from apps.routing.rules.estimates import EstimateFigure
from apps.routing.rules.settings import Routing


def now_line(widget_id: int, department_id: int | None) -> str:
    """Whether it is open, who is here, the free places, and the way of a new chat: "Open until 18:00. …"."""
    hours = hours_of_widget(widget_id).hours if department_id is None else hours_of_department(widget_id, department_id)
    if hours is None:
        return ""
    told, routing = hours.now(timezone.now()), routing_of(widget_id, department_id)
    people = _people(widget_id, department_id)
    everybody = people.count()
    here = list(people.available().values_list("pk", flat=True))
    places = free_places(widget_id, department_id, here, routing)
    free = sum(places.values())
    said = [state_line(told), people_line(len(here), everybody)]
    if routing.is_routed and here:
        said.append(ngettext("%(count)d place is free.", "%(count)d places are free.", free) % {"count": free})
    said.append(_what_happens(routing, is_open=told.is_open, takers=len(places), free=free))
    return " ".join(said)


def told_line(figures: Iterable[EstimateFigure]) -> str:
    """How many of the times held that visitors were told lately: "In the last 30 days: held in 87 of 100."."""
    count = kept = 0
    for each in figures:
        count, kept = count + each.count, kept + each.kept
    if not count:
        return gettext("In the last 30 days no visitor was told a time.")
    return gettext("In the last 30 days: held in %(kept)d of %(count)d.") % {"kept": kept, "count": count}


def _people(widget_id: int, department_id: int | None) -> AgentQuerySet:
    if department_id is None:
        return Agent.objects.for_widget(widget_id).people()
    return Department.objects.for_widget(widget_id).get(pk=department_id).agents.people()


def _what_happens(routing: Routing, *, is_open: bool, takers: int, free: int) -> str:
    if not routing.is_routed:
        return gettext("A new chat rings for all of them.")
    if not is_open:
        return gettext("Outside of the hours nothing is offered: a new chat rings for all of them.")
    if not takers:
        return gettext("Nobody is here who is offered chats: a new chat rings for all of them.")
    if not free:
        return gettext("All places are taken: a new chat waits in the queue.")
    if not routing.accept_seconds:
        return gettext("A new chat is given to one of them at once.")
    seconds = routing.accept_seconds
    return ngettext(
        "A new chat is offered to one of them for %(count)d second, then to the next.",
        "A new chat is offered to one of them for %(count)d seconds, then to the next.",
        seconds,
    ) % {"count": seconds}


def free_places(
    widget_id: int, department_id: int | None, agent_ids: Iterable[int], routing: Routing
) -> dict[int, int]:
    """How many chats of a department each operator can still be given, by both of their numbers of places.

    Without those who are given none at any load.
    """
    own: dict[tuple[int, int | None], int] = {
        (agent_id, of): capacity
        for agent_id, of, capacity in OperatorPlaces.objects.for_widget(widget_id).values_list(
            "agent", "department", "capacity"
        )
        if capacity is not None
    }
    loads, found = loads_of(widget_id), {}
    for agent_id in agent_ids:
        load = loads.get(agent_id, {})
        in_all = own.get((agent_id, None), routing.capacity)
        in_department = own.get((agent_id, department_id), in_all)
        if in_all and in_department:
            found[agent_id] = max(0, min(in_all - sum(load.values()), in_department - load.get(department_id, 0)))
    return found


def load_line(widget_id: int, agent_id: int) -> str:
    """The chats that an operator has, of how many, and why they are offered none now."""
    routing, agent = routing_of(widget_id, None), Agent.objects.for_widget(widget_id).get(pk=agent_id)
    own = OperatorPlaces.objects.for_widget(widget_id).filter(agent=agent_id, department=None)
    places = next((each for each in own.values_list("capacity", flat=True) if each is not None), routing.capacity)
    load = sum(loads_of(widget_id).get(agent_id, {}).values())
    if not places:
        return gettext("No chats are offered: there are no places.")
    said = gettext("%(load)d of %(places)d places are taken.") % {"load": load, "places": places}
    if agent.online_since is None:
        return " ".join((said, gettext("No chats are offered: the operator is not here.")))
    if agent.status != Agent.Status.ACTIVE:
        return " ".join((said, gettext("No chats are offered: the operator is on a break.")))
    return said
