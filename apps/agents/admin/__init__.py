"""The cabinet's pages of operators, invitations, departments, hours and holidays."""

from apps.agents.admin.departments import DepartmentAdmin, HolidayAdmin
from apps.agents.admin.hours import WidgetWeekAdmin
from apps.agents.admin.operators import AgentAdmin, InvitationAdmin

__all__ = ["AgentAdmin", "DepartmentAdmin", "HolidayAdmin", "InvitationAdmin", "WidgetWeekAdmin"]
