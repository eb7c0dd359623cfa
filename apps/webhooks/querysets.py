"""Named reads of subscriptions and deliveries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.webhooks.models import Delivery, Subscription  # noqa: F401 - named in the bases below


class SubscriptionQuerySet(TenantQuerySet["Subscription"]):
    """Subscriptions of a widget."""


class DeliveryQuerySet(TenantQuerySet["Delivery"]):
    """Deliveries of a widget's events."""

    widget_path = "event__widget_id"
