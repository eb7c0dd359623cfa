"""The tables of routing."""

from apps.routing.models.assignments import Assignment, QueueRow, RouterRow
from apps.routing.models.clocks import SlaClock
from apps.routing.models.estimates import EstimateTally, ToldEstimate
from apps.routing.models.pages import DepartmentRouting, OperatorRouting, WidgetRouting
from apps.routing.models.settings import OperatorPlaces, RoutingSettings

__all__ = [
    "Assignment",
    "DepartmentRouting",
    "EstimateTally",
    "OperatorPlaces",
    "OperatorRouting",
    "QueueRow",
    "RouterRow",
    "RoutingSettings",
    "SlaClock",
    "ToldEstimate",
    "WidgetRouting",
]
