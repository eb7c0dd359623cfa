"""A widget, a department and an operator, as the cabinet's pages of routing show them."""

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department


class WidgetRouting(Widget):
    """A widget with its settings of routing and answer times."""

    class Meta:
        proxy = True
        verbose_name_plural = "routing of widgets"


class DepartmentRouting(Department):
    """A department with its settings of routing and answer times."""

    class Meta:
        proxy = True
        verbose_name_plural = "routing of departments"


class OperatorRouting(Agent):
    """An operator with their places."""

    class Meta:
        proxy = True
        verbose_name_plural = "places of operators"
