from django.urls import path

from apps.agents.api.agents import AgentEventViewSet, AgentViewSet
from apps.agents.api.departments import DepartmentViewSet
from apps.agents.api.hours import DepartmentHoursViewSet, HoursViewSet
from apps.agents.api.invitations import InvitationViewSet
from apps.core.endpoints import converters  # noqa: F401 - registers `id`

urlpatterns = [
    path("agents/invitations", InvitationViewSet.as_view({"get": "list", "post": "create"})),
    path("agents/invitations/<id:invitation_id>", InvitationViewSet.as_view({"delete": "destroy"})),
    path("departments", DepartmentViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "departments/<id:department_id>",
        DepartmentViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
    ),
    path("departments/<id:department_id>/agents", DepartmentViewSet.as_view({"put": "agents"})),
    path("departments/<id:department_id>/hours", DepartmentHoursViewSet.as_view({"get": "retrieve", "put": "update"})),
    path("hours", HoursViewSet.as_view({"get": "retrieve", "put": "update"})),
    path("hours/now", HoursViewSet.as_view({"get": "now"})),
    path("holidays", HoursViewSet.as_view({"get": "holidays"})),
    path("departments/<id:department_id>/schedule", DepartmentViewSet.as_view({"put": "schedule"})),
    path("agents", AgentViewSet.as_view({"get": "list"})),
    path(
        "agents/<id:agent_id>",
        AgentViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
    ),
    path("agents/<id:agent_id>/suspend", AgentViewSet.as_view({"post": "suspend"})),
    path("agents/<id:agent_id>/restore", AgentViewSet.as_view({"post": "restore"})),
    path("agents/<id:agent_id>/avatar", AgentViewSet.as_view({"post": "set_avatar", "delete": "remove_avatar"})),
    path("agents/<id:agent_id>/events", AgentEventViewSet.as_view({"get": "list"})),
]
