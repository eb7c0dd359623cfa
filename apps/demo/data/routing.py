"""The demo's routed department: chats that come there are offered to one operator after the other."""

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.demo.document import Demo
from apps.routing.models import RoutingSettings
from apps.routing.rules.settings import RoutingMode

NAME = "Wholesale"
AGENTS = ("Alice", "Борис")


def seed(demo: Demo) -> None:
    """Adds a department to the first widget, without channels: chats come there where somebody sends them."""
    widget = demo.rows(Widget)["shop"]
    department, made = demo.find_or_create(
        f"{widget.guid} {NAME}", Department.objects.for_widget(widget.pk), {}, widget=widget, name=NAME
    )
    if made:
        department.agents.set([demo.row(Agent, f"shop {name}") for name in AGENTS])
    demo.keep(f"shop {NAME}", department)
    demo.find_or_create(
        f"{widget.guid} {NAME}",
        RoutingSettings.objects.for_widget(widget.pk),
        {"mode": RoutingMode.ROUTED},
        widget=widget,
        department=department,
    )
    part = demo.part(widget)
    part["department_ids"].append(department.pk)
    part["routing"] = {"department_id": department.pk}
