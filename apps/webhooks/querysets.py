"""Named reads of subscriptions and deliveries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from apps.core.database.tenants import TenantQuerySet
from apps.webhooks.rules import SUBSCRIPTIONS

if TYPE_CHECKING:
    from apps.webhooks.models import Delivery, Subscription  # noqa: F401 - named in the bases below


class SubscriptionQuerySet(TenantQuerySet["Subscription"]):
    """Subscriptions of a widget."""


class DeliveryQuerySet(TenantQuerySet["Delivery"]):
    """Deliveries of a widget's events."""

    widget_path = "event__widget_id"

    def to_subscription(self, *subscription_ids: int) -> Self:
        """Those to subscriptions. Indexes: webhooks_delivery_log, _by_status, _by_type."""
        return self.filter(kind=SUBSCRIPTIONS, destination_id__in=subscription_ids)
