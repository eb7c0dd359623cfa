from django.urls import path

from apps.core.endpoints import converters  # noqa: F401 - registers `id`
from apps.webhooks.api.subscriptions import SubscriptionViewSet

urlpatterns = [
    path("webhook-subscriptions", SubscriptionViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "webhook-subscriptions/<id:subscription_id>",
        SubscriptionViewSet.as_view({"get": "retrieve", "delete": "destroy"}),
    ),
]
