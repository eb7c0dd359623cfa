from django.urls import path

from apps.agents.api.departments import DepartmentViewSet
from apps.core.endpoints import converters  # noqa: F401 - registers `id`

urlpatterns = [
    path("departments", DepartmentViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "departments/<id:department_id>",
        DepartmentViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
    ),
    path("departments/<id:department_id>/agents", DepartmentViewSet.as_view({"put": "agents"})),
    path("departments/<id:department_id>/schedule", DepartmentViewSet.as_view({"put": "schedule"})),
]
