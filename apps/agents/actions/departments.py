"""Making, changing and deleting departments."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction

from apps.agents.events import DepartmentChanged, DepartmentDeleted
from apps.agents.models import Agent, Department
from apps.agents.rules.weeks import read_week, schedule_of, shown_week, week_of
from apps.core import bus
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT


@transaction.atomic
def create_department(
    *,
    widget_id: int,
    name: str,
    channels: Sequence[str] = (),
    agent_ids: Collection[int] = (),
    schedule: Mapping[str, Any] | None = None,
    internal: bool = False,
    time_zone: str = "",
) -> Department:
    """Adds a department; without a schedule it is open all week. Whether it is for colleagues alone, it stays.

    Raises INVALID_INPUT (422) on `agent_ids` for an agent that is not the widget's.
    """
    department = Department(
        widget_id=widget_id, name=name, channels=list(channels), internal=internal, time_zone=time_zone
    )
    if schedule is not None:
        department.schedule = dict(schedule)
    department.save(force_insert=True)
    department.agents.set(_agents(widget_id, agent_ids))
    bus.publish(DepartmentChanged(widget_id=widget_id))
    return department


@transaction.atomic
def change_department(*, widget_id: int, department_id: int, changes: Mapping[str, Any]) -> None:
    """Changes those of a department's `name`, `channels` and `time_zone` that are given. Raises NOT_FOUND (404)."""
    department = _locked(widget_id, department_id)
    if changed := set_changes(department, changes):
        save_changed(department, changed)
        bus.publish(DepartmentChanged(widget_id=widget_id))


@transaction.atomic
def replace_agents(*, widget_id: int, department_id: int, agent_ids: Collection[int]) -> None:
    """Makes these a department's agents; none empties it. A suspended agent may be one, and stays one.

    Raises NOT_FOUND (404), INVALID_INPUT (422) on `agent_ids` for an agent that is not the widget's.
    """
    department = _locked(widget_id, department_id)
    department.agents.set(_agents(widget_id, agent_ids))
    department.save(update_fields=["updated_at"])
    bus.publish(DepartmentChanged(widget_id=widget_id))


@transaction.atomic
def add_agent(*, department: Department, agent: Agent) -> None:
    """Adds an operator to a department; its operators of before stay."""
    department.agents.add(agent)
    department.save(update_fields=["updated_at"])
    bus.publish(DepartmentChanged(widget_id=department.widget_id))


@transaction.atomic
def replace_schedule(*, widget_id: int, department_id: int, schedule: Mapping[str, Any]) -> None:
    """Replaces a department's week. Raises NOT_FOUND (404)."""
    department = _locked(widget_id, department_id)
    save_changed(department, set_changes(department, {"schedule": dict(schedule)}))
    bus.publish(DepartmentChanged(widget_id=widget_id))


@transaction.atomic
def change_hours(*, widget_id: int, department_id: int, hours: Mapping[str, Sequence[Mapping[str, str]]]) -> None:
    """Changes the periods that begin on those days of a department's week. Raises NOT_FOUND (404)."""
    department = _locked(widget_id, department_id)
    week = {**shown_week(week_of(department.schedule)), **hours}
    save_changed(department, set_changes(department, {"schedule": dict(schedule_of(read_week(week)))}))
    bus.publish(DepartmentChanged(widget_id=widget_id))


@transaction.atomic
def delete_department(*, widget_id: int, department_id: int) -> None:
    """Deletes a department; the chats that it has taken stay, and belong to none. Raises NOT_FOUND (404)."""
    department = Department.objects.for_widget(widget_id).select_for_update().get_or_404(pk=department_id)
    bus.publish(DepartmentDeleted(widget_id=widget_id, department_id=department_id))
    department.delete()


def _locked(widget_id: int, department_id: int) -> Department:
    return Department.objects.for_widget(widget_id).get_for_update(pk=department_id)


def _agents(widget_id: int, ids: Collection[int]) -> list[Agent]:
    """The widget's agents of those ids, whatever their status. Unknown ids and another account's are told alike."""
    found = {agent.pk: agent for agent in Agent.objects.for_widget(widget_id).filter(pk__in=ids)}
    refused = {f"agent_ids.{place}": ["There is no such agent."] for place, id_ in enumerate(ids) if id_ not in found}
    if refused:
        raise INVALID_INPUT(errors=refused)
    return [found[id_] for id_ in ids]
