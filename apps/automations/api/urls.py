from django.urls import path

from apps.automations.api.automations import (
    AutomationRunsViewSet,
    AutomationViewSet,
    StoredTrialViewSet,
    TrialViewSet,
)
from apps.automations.api.macros import MacroViewSet
from apps.automations.api.runs import RunViewSet, UndoingViewSet
from apps.core.endpoints import converters  # noqa: F401 - registers `id`

ONE = {"get": "retrieve", "patch": "partial_update", "delete": "destroy"}

urlpatterns = [
    path("automations", AutomationViewSet.as_view({"get": "list", "post": "create"})),
    path("automations/order", AutomationViewSet.as_view({"put": "order"})),
    path("automations/try", TrialViewSet.as_view({"post": "try_out"})),
    path("automations/<id:automation_id>", AutomationViewSet.as_view(ONE)),
    path("automations/<id:automation_id>/try", StoredTrialViewSet.as_view({"post": "try_out"})),
    path("automations/<id:automation_id>/runs", AutomationRunsViewSet.as_view({"get": "list"})),
    path("automations/<id:automation_id>/undo", UndoingViewSet.as_view({"post": "undo"})),
    path("automation-runs", RunViewSet.as_view({"get": "list"})),
    path("automation-runs/<id:run_id>/undo", RunViewSet.as_view({"post": "undo"})),
    path("macros", MacroViewSet.as_view({"get": "list", "post": "create"})),
    path("macros/<id:macro_id>", MacroViewSet.as_view(ONE)),
]
