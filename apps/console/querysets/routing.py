"""The members of the console's page and lists that routing gives: none while it is switched off, or without the app."""

from collections.abc import Mapping
from typing import Any

from django.apps import apps as django_apps
from django.db.models import BooleanField, DateTimeField, F, Value


def _is_installed() -> bool:
    return django_apps.is_installed("apps.routing")


def due_at() -> Any:
    """When the first of a chat's answers is due; null where none is."""
    if not _is_installed():
        return Value(None, output_field=DateTimeField())
    from apps.routing.querysets.clocks import first_due

    return first_due()


def is_due() -> Any:
    """Whether an answer of a chat is due."""
    if not _is_installed():
        return Value(False, output_field=BooleanField())
    from apps.routing.querysets import clocks

    return clocks.is_due()


def queue_of_page(widget_id: int, agent_id: int) -> dict[str, Any]:
    """Whether the widget has a queue and answer times, and the places of the operator; null where nothing is routed."""
    if not _is_installed():
        return {"has_queue": False, "has_due": False, "capacity": None}
    from apps.routing.models import OperatorPlaces, RoutingSettings
    from apps.routing.rules.settings import Routing, RoutingMode

    rows: list[Mapping[str, Any]] = list(
        RoutingSettings.objects.for_widget(widget_id)
        .order_by(F("department").asc(nulls_first=True))
        .values("department_id", "mode", "answer_times", "capacity")
    )
    is_routed = any(row["mode"] == RoutingMode.ROUTED for row in rows)
    capacity = None
    if is_routed:
        own = OperatorPlaces.objects.for_widget(widget_id).filter(agent=agent_id, department=None)
        of_widget = [{"capacity": row["capacity"]} for row in rows if row["department_id"] is None]
        capacity = own.values_list("capacity", flat=True).first()
        capacity = Routing.of(*of_widget).capacity if capacity is None else capacity
    return {"has_queue": is_routed, "has_due": any(row["answer_times"] for row in rows), "capacity": capacity}
