"""The places of an operator, as the API shows them."""

from typing import Any

from apps.agents.models import Agent
from apps.routing.errors import NOT_ROUTABLE
from apps.routing.models import OperatorPlaces
from apps.routing.querysets.operators import operators_of
from apps.routing.rules.matching import Operator
from apps.routing.rules.settings import Routing


def places_of(widget_id: int, agent_id: int, routing: Routing) -> dict[str, Any]:
    """An operator's places and chats. Raises NOT_FOUND (404), NOT_ROUTABLE (409) for an operator who is no person."""
    agent = Agent.objects.for_widget(widget_id).get_or_404(pk=agent_id)
    if agent.type != Agent.Type.HUMAN:
        raise NOT_ROUTABLE()
    [operator] = operators_of(widget_id, routing, agent_ids=[agent_id])
    own = OperatorPlaces.objects.for_widget(widget_id).filter(agent=agent_id, department=None).first()
    why_not = _why_not(agent, operator)
    return {
        "capacity": own.capacity if own else None,
        "departments": [
            {
                "department_id": pk,
                "capacity": operator.capacities.get(pk),
                "load": operator.loads.get(pk, 0),
            }
            for pk in sorted(operator.departments)
        ],
        "reads": sorted(operator.reads),
        "effective_capacity": operator.capacity,
        "load": operator.load,
        "is_available": why_not is None,
        "why_not": why_not,
        "last_given_at": operator.last_given_at,
        "misses": own.misses if own else 0,
    }


def _why_not(agent: Agent, operator: Operator) -> str | None:
    if operator.capacity == 0:
        return "excluded"
    if agent.online_since is None:
        return "offline"
    if agent.status != Agent.Status.ACTIVE:
        return "on_break"
    places = [None, *operator.departments]
    return None if any(operator.has_place(pk) for pk in places) else "full"
