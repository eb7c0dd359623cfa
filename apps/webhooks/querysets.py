"""Named reads of subscriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.webhooks.models import Subscription  # noqa: F401 - named in the base below


class SubscriptionQuerySet(TenantQuerySet["Subscription"]):
    """Subscriptions of a widget."""
