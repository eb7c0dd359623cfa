"""The routing of a widget and of its departments over REST."""

from collections.abc import Mapping
from typing import Any

from apps.agents.models import Department
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.viewsets import ApiViewSet
from apps.routing.actions.settings import change_routing, routing_of
from apps.routing.models import RoutingSettings
from apps.routing.rules.settings import Routing
from apps.routing.serializers import (
    DepartmentRoutingBody,
    DepartmentRoutingSerializer,
    RoutingBody,
    RoutingSerializer,
)

OF_ALL = (
    *("mode", "accept_seconds", "silent_minutes", "prefer_last", "languages"),
    *("answer_times", "warn_percent", "clock"),
)
OF_WIDGET = (*OF_ALL, "capacity", "misses", "show_place", "show_expected")


class RoutingViewSet(ApiViewSet):
    reads = ("departments:read",)
    writes = ("departments:write",)

    @operation(summary="Read the widget's routing", answers=RoutingSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """It holds for chats without a department, and for departments without their own."""
        return _shown(routing_of(context.widget_id, None), OF_WIDGET)

    @operation(
        summary="Change the widget's routing",
        takes=RoutingBody,
        answers=RoutingSerializer,
        example={"mode": "routed", "accept_seconds": 40},
    )
    def partial_update(self, context: RequestContext) -> dict[str, Any]:
        """`routed` offers chats that wait to one operator after the other; `manual` has them ring for all."""
        change_routing(widget_id=context.widget_id, department_id=None, changes=context.body)
        return self.retrieve(context)


class DepartmentRoutingViewSet(ApiViewSet):
    target = Department
    reads = ("departments:read",)
    writes = ("departments:write",)

    @operation(summary="Read a department's routing", answers=DepartmentRoutingSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """Its own settings, null where the widget's hold, and in `effective` those that hold."""
        widget_id, department_id = context.widget_id, context.target_id
        Department.objects.for_widget(widget_id).get_or_404(pk=department_id)
        row = RoutingSettings.objects.for_widget(widget_id).filter(department=department_id).first()
        own = {name: getattr(row, name) if row else None for name in OF_ALL}
        overflow = _overflow(row.overflow_department_id, row.overflow_minutes) if row else None
        holds = routing_of(widget_id, department_id)
        effective = _shown(holds, OF_ALL) | {
            "overflow": _overflow(holds.overflow_department_id, holds.overflow_minutes)
        }
        return {**own, "overflow": overflow, "effective": effective}

    @operation(
        summary="Change a department's routing",
        takes=DepartmentRoutingBody,
        answers=DepartmentRoutingSerializer,
        example={"mode": None, "silent_minutes": 5},
    )
    def partial_update(self, context: RequestContext) -> dict[str, Any]:
        """Null takes a setting of its own back: the widget's holds again."""
        changes = _columns(context.body)
        change_routing(widget_id=context.widget_id, department_id=context.target_id, changes=changes)
        return self.retrieve(context)


def _shown(routing: Routing, names: tuple[str, ...]) -> dict[str, Any]:
    shown = {name: getattr(routing, name) for name in names}
    return shown | {"answer_times": [each.shown() for each in routing.answer_times]}


def _overflow(department_id: int | None, minutes: int | None) -> dict[str, Any] | None:
    return {"department_id": department_id, "minutes": minutes} if department_id and minutes else None


def _columns(body: Mapping[str, Any]) -> dict[str, Any]:
    columns = {name: value for name, value in body.items() if name != "overflow"}
    if "overflow" in body:
        overflow = body["overflow"] or {}
        columns["overflow_department_id"] = overflow.get("department_id")
        columns["overflow_minutes"] = overflow.get("minutes")
    return columns
