from django.urls import path

from apps.core.endpoints import converters  # noqa: F401 - registers `id`
from apps.learning.api.demand_signals import DemandSignalViewSet
from apps.learning.api.learning import LearningViewSet
from apps.learning.api.marketplace import TemplateViewSet
from apps.learning.api.versions import HistoryViewSet, PersonaVersionViewSet
from apps.learning.api.wishes import WishViewSet

urlpatterns = [
    path("ai/demand-signals", DemandSignalViewSet.as_view({"get": "retrieve"})),
    path("ai/marketplace/templates", TemplateViewSet.as_view({"get": "list"})),
    path("ai/marketplace/templates/<slug:slug>", TemplateViewSet.as_view({"get": "retrieve"})),
    path("ai/marketplace/templates/<slug:slug>/apply", TemplateViewSet.as_view({"post": "apply"})),
    path("ai/learning/settings", LearningViewSet.as_view({"get": "panel"})),
    path("ai/learning/kill-switch", LearningViewSet.as_view({"get": "kill_switch"})),
    path("ai/learning/tune", LearningViewSet.as_view({"post": "tune"})),
    path("ai/learning/cycles", LearningViewSet.as_view({"get": "cycles"})),
    path("ai/learning/history", HistoryViewSet.as_view({"get": "list"})),
    path("ai/learning/persona-versions", PersonaVersionViewSet.as_view({"get": "list"})),
    path("ai/learning/persona-versions/<id:version>", PersonaVersionViewSet.as_view({"get": "retrieve"})),
    path("ai/learning/persona-versions/<id:version>/revert", PersonaVersionViewSet.as_view({"post": "revert"})),
    path("wishes", WishViewSet.as_view({"get": "list", "post": "create"})),
    path("wishes/<id:wish_id>", WishViewSet.as_view({"get": "retrieve"})),
    path("wishes/<id:wish_id>/preview", WishViewSet.as_view({"get": "preview"})),
    path("wishes/<id:wish_id>/approve", WishViewSet.as_view({"post": "approve"})),
    path("wishes/<id:wish_id>/reject", WishViewSet.as_view({"post": "reject"})),
    path("wishes/<id:wish_id>/revert", WishViewSet.as_view({"post": "revert"})),
]
