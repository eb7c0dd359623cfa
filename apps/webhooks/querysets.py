"""Named reads of subscriptions and deliveries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models.fields.tuple_lookups import TupleLessThan

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.webhooks.models import Delivery, Subscription  # noqa: F401 - in quotes below

Position = tuple[Any, ...]


class SubscriptionQuerySet(models.QuerySet["Subscription"]):
    def of(self, widget_id: int) -> SubscriptionQuerySet:
        return self.filter(widget_id=widget_id)

    def page(self, after: Position | None, limit: int) -> Sequence[Subscription]:
        """Newest first from a position (created_at, id), one row more than `limit`, secrets left out.

        Index: webhooks_subscription_list.
        """
        found = self if after is None else self.filter(TupleLessThan((models.F("created_at"), models.F("id")), after))
        return list(found.defer("secret").order_by("-created_at", "-id")[: limit + 1])

    def seen_by(self, user: User) -> SubscriptionQuerySet:
        """The subscriptions that a cabinet user may see."""
        if user.account_id is None:
            return self if user.is_superuser else self.none()
        return self.filter(widget__account_id=user.account_id)


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def seen_by(self, user: User) -> DeliveryQuerySet:
        """The deliveries that a cabinet user may see."""
        if user.account_id is None:
            return self if user.is_superuser else self.none()
        return self.filter(event__widget__account_id=user.account_id)
