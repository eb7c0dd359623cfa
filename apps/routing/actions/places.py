"""Changing the places of operators: how many chats the router gives them at once."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.agents.models import Agent, Department
from apps.core import bus
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT
from apps.routing.errors import NOT_ROUTABLE
from apps.routing.events import RoutingChanged
from apps.routing.models import OperatorPlaces


@transaction.atomic
def change_places(*, widget_id: int, agent_id: int, changes: Mapping[str, Any]) -> None:
    """Changes `capacity`, and of `departments` (`{id: capacity}`) those that are given; null is the usual again.

    Raises NOT_FOUND (404), NOT_ROUTABLE (409) for an agent that is no person, INVALID_INPUT (422) on `departments.N`
    for a department that is not theirs.
    """
    agent = Agent.objects.for_widget(widget_id).get_for_update(pk=agent_id)
    if agent.type != Agent.Type.HUMAN:
        raise NOT_ROUTABLE()
    wanted: dict[int, int | None] = dict(changes.get("departments", {}))
    theirs = agent.departments.in_bulk()
    refused = {
        f"departments.{place}.department_id": ["The operator is not in this department."]
        for place, department_id in enumerate(wanted)
        if department_id not in theirs
    }
    if refused:
        raise INVALID_INPUT(errors=refused)
    changed = [_set(agent, theirs[department_id], capacity) for department_id, capacity in wanted.items()]
    if "capacity" in changes:
        changed.append(_set(agent, None, changes["capacity"]))
    if any(changed):
        bus.publish(RoutingChanged(widget_id=widget_id, department_id=None))


def _set(agent: Agent, department: Department | None, capacity: int | None) -> bool:
    row, _ = OperatorPlaces.objects.get_or_create(widget_id=agent.widget_id, agent_id=agent.pk, department=department)
    changed = set_changes(row, {"capacity": capacity})
    if changed:
        save_changed(row, changed)
    return bool(changed)
