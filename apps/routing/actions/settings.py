"""Reading and changing the settings of routing and answer times."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Department
from apps.core import bus
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT
from apps.routing.events import RoutingChanged
from apps.routing.models import RoutingSettings
from apps.routing.rules.settings import Routing, read_answer_times

_NAMES = (
    *("mode", "accept_seconds", "silent_minutes", "prefer_last", "languages", "overflow_department_id"),
    *("overflow_minutes", "answer_times", "warn_percent", "clock", "capacity", "misses", "show_place", "show_expected"),
)


def routing_of(widget_id: int, department_id: int | None) -> Routing:
    """The settings that hold for a department, or for the chats without one."""
    return Routing.of(*RoutingSettings.objects.for_widget(widget_id).that_hold(department_id).values(*_NAMES))


def routings_of(widget_id: int) -> dict[int | None, Routing]:
    """The settings that hold, by department with its own; under None those of the widget, for all others."""
    rows = RoutingSettings.objects.for_widget(widget_id).values("department_id", *_NAMES)
    given = {row.pop("department_id"): row for row in rows}
    of_widget = given.pop(None, {})
    return {None: Routing.of(of_widget)} | {pk: Routing.of(of_widget, row) for pk, row in given.items()}


@transaction.atomic
def change_routing(*, widget_id: int, department_id: int | None, changes: Mapping[str, Any]) -> None:
    """Changes the settings that are given; null is the widget's, or the default, again.

    Raises NOT_FOUND (404) for a department that is not the widget's, INVALID_INPUT (422) on `overflow.department_id`.
    """
    Widget.objects.select_for_update(no_key=True).get(pk=widget_id)
    departments = Department.objects.for_widget(widget_id)
    department = None if department_id is None else departments.get_or_404(pk=department_id)
    changes = dict(changes)
    if (helper_id := changes.get("overflow_department_id")) is not None:
        others = departments.exclude(pk=department_id or 0)
        if not others.filter(pk=helper_id, internal=False).exists():
            raise INVALID_INPUT(errors={"overflow.department_id": ["There is no such other department."]})
    if changes.get("answer_times") is not None:
        changes["answer_times"] = read_answer_times(changes["answer_times"])
    row, _ = RoutingSettings.objects.get_or_create(widget_id=widget_id, department=department)
    if "answer_times" in changes and bool(changes["answer_times"]) != (row.answer_times_at is not None):
        changes["answer_times_at"] = timezone.now() if changes["answer_times"] else None
    if changed := set_changes(row, changes):
        save_changed(row, changed)
        bus.publish(RoutingChanged(widget_id=widget_id, department_id=department_id))
