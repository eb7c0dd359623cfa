"""Named reads of subscriptions; each starts from the widget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models.fields.tuple_lookups import TupleLessThan

if TYPE_CHECKING:
    from apps.webhooks.models import Subscription

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
