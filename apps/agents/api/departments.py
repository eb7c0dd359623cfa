"""Departments over REST (specification, "Department"; Endpoints, "Departments")."""

from apps.agents.actions import departments as actions
from apps.agents.models import Department
from apps.agents.serializers.requests import AgentIds, Channels, DepartmentName, Week
from apps.agents.serializers.responses import DepartmentSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, PatchBody
from apps.core.endpoints.viewsets import ApiViewSet

OPEN = {"Monday": "full", "Tuesday": {"from": "09:00", "to": "18:00"}, "Sunday": None}


class DepartmentBody(Body):
    """A new department."""

    name = DepartmentName()
    channels = Channels(required=False)
    agent_ids = AgentIds(required=False)
    schedule = Week(required=False, help_text="A day that is omitted is closed. Without a schedule: open all week.")


class DepartmentChanges(PatchBody):
    """The changes of a department; its agents and hours have calls of their own."""

    of, without = DepartmentBody, ("agent_ids", "schedule")


class DepartmentAgentsBody(Body):
    """The whole set of a department's agents."""

    agent_ids = AgentIds()


class DepartmentScheduleBody(Body):
    """A department's whole week."""

    schedule = Week(help_text="A day that is omitted is closed.")


class DepartmentViewSet(ApiViewSet):
    target = Department
    reads = ("departments:read",)
    writes = ("departments:write",)

    @operation(summary="List departments", answers=DepartmentSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """The widget's departments, newest first."""
        return context.page(Department.objects.for_widget(context.widget_id))

    @operation(
        summary="Add a department",
        takes=DepartmentBody,
        answers=DepartmentSerializer,
        status=201,
        example={"name": "Sales", "channels": ["smb", "tg"], "schedule": OPEN},
    )
    def create(self, context: RequestContext) -> Answer:
        """Every agent must be the widget's, of whatever status; an unknown one is refused like another account's."""
        return actions.create_department(widget_id=context.widget_id, **context.body)

    @operation(summary="Read a department", answers=DepartmentSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """One department of the widget, with its agents' ids and all seven days of its schedule."""
        return context.target

    @operation(
        summary="Change a department",
        takes=DepartmentChanges,
        answers=DepartmentSerializer,
        example={"name": "Sales and returns"},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """Changes the name, or replaces the channels. Agents and schedule have calls of their own."""
        actions.change_department(widget_id=context.widget_id, department_id=context.target_id, changes=context.body)
        return context.target

    @operation(summary="Delete a department", status=204)
    def destroy(self, context: RequestContext) -> None:
        """The chats that it has taken stay, and belong to no department."""
        actions.delete_department(widget_id=context.widget_id, department_id=context.target_id)

    @operation(
        summary="Replace a department's agents",
        takes=DepartmentAgentsBody,
        answers=DepartmentSerializer,
        example={"agent_ids": [12, 15]},
    )
    def agents(self, context: RequestContext) -> Answer:
        """Replaces the set; an empty one empties it. A suspended agent stays in the set."""
        actions.replace_agents(widget_id=context.widget_id, department_id=context.target_id, **context.body)
        return context.target

    @operation(
        summary="Replace a department's schedule",
        takes=DepartmentScheduleBody,
        answers=DepartmentSerializer,
        example={"schedule": OPEN},
    )
    def schedule(self, context: RequestContext) -> Answer:
        """Replaces the week, in the widget's time zone. Hours past midnight are not supported.

        A day of several periods names them in `periods`, with `from` and `to` around them; `from` and `to` alone
        replace all of the day's. Holidays are kept in the cabinet: on such a date departments are closed, whatever the
        week says.
        """
        actions.replace_schedule(widget_id=context.widget_id, department_id=context.target_id, **context.body)
        return context.target
