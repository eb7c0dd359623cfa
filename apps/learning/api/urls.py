from django.urls import path

from apps.core.endpoints import converters  # noqa: F401 - registers `id`
from apps.learning.api.demand_signals import DemandSignalViewSet
from apps.learning.api.marketplace import TemplateViewSet

urlpatterns = [
    path("ai/demand-signals", DemandSignalViewSet.as_view({"get": "retrieve"})),
    path("ai/marketplace/templates", TemplateViewSet.as_view({"get": "list"})),
    path("ai/marketplace/templates/<slug:slug>", TemplateViewSet.as_view({"get": "retrieve"})),
    path("ai/marketplace/templates/<slug:slug>/apply", TemplateViewSet.as_view({"post": "apply"})),
]
