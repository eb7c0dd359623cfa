from django.urls import path

from apps.core.endpoints import converters  # noqa: F401 - registers `id`
from apps.webhooks.api.events import EventViewSet
from apps.webhooks.api.subscriptions import SubscriptionViewSet

urlpatterns = [
    path("webhook-subscriptions", SubscriptionViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "webhook-subscriptions/<id:subscription_id>",
        SubscriptionViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
    ),
    path(
        "webhook-subscriptions/<id:subscription_id>/rotate-secret",
        SubscriptionViewSet.as_view({"post": "rotate_secret"}),
    ),
    path("webhook-subscriptions/<id:subscription_id>/deliveries", SubscriptionViewSet.as_view({"get": "deliveries"})),
    path("webhook-subscriptions/<id:subscription_id>/redeliver", SubscriptionViewSet.as_view({"post": "redeliver"})),
    path(
        "webhook-subscriptions/<id:subscription_id>/redeliver-failed",
        SubscriptionViewSet.as_view({"post": "redeliver_failed"}),
    ),
    path("webhook-events", EventViewSet.as_view({"get": "list"})),
]
