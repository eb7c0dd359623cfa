"""Named reads of switches, subscriptions and deliveries."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import Case, Count, Exists, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Coalesce

from apps.core.database.tenants import TenantQuerySet
from apps.webhooks.rules import CATALOGUE, SUBSCRIPTIONS, DeliveryStatus

if TYPE_CHECKING:
    from apps.webhooks.models import Attempt, Delivery, EventSwitch, Subscription  # noqa: F401 - named in the bases below

# What the log of a subscription shows: of what is sent in the legacy envelope, final failures only.
LOGGED = Q(is_legacy=False) | Q(status=DeliveryStatus.FAILED.value)


class EventSwitchQuerySet(models.QuerySet["EventSwitch"]):
    """The switches of event types."""

    def with_receivers(self) -> EventSwitchQuerySet:
        """With who is told of it while it is enabled: how many active `subscriptions`, of how many `widgets`."""
        from apps.webhooks.models import Subscription

        legacy_names = (
            When(name=event.name, then=Value(event.legacy_name)) for event in CATALOGUE.values() if event.legacy_name
        )
        wanting = (
            Subscription.objects.unscoped("every widget's rows")
            .filter(Q(events__contains=[OuterRef("name")]) | Q(events__contains=[OuterRef("legacy")]), is_active=True)
            .values("is_active")
        )
        return self.annotate(legacy=Case(*legacy_names, output_field=models.CharField())).annotate(
            subscriptions=_counted(wanting.annotate(n=Count("pk"))),
            widgets=_counted(wanting.annotate(n=Count("widget_id", distinct=True))),
        )


def _counted(groups: models.QuerySet[Any, Any]) -> Coalesce:
    return Coalesce(Subquery(groups.values("n")), 0)


def _enabled_names() -> ArraySubquery:
    """The event types that are enabled platform-wide now."""
    from apps.webhooks.models import EventSwitch

    return ArraySubquery(EventSwitch.objects.filter(enabled=True).values("name"))


def _its_subscription() -> SubscriptionQuerySet:
    """The subscription that a delivery goes to."""
    from apps.webhooks.models import Subscription

    return Subscription.objects.unscoped("each delivery's own subscription").filter(pk=OuterRef("destination_id"))


class SubscriptionQuerySet(TenantQuerySet["Subscription"]):
    """Subscriptions of a widget."""

    def for_api(self) -> SubscriptionQuerySet:
        """With what tells which of their events are enabled (`enabled_names`)."""
        return self.annotate(enabled_names=_enabled_names())


class AttemptQuerySet(TenantQuerySet["Attempt"]):
    widget_path = "delivery__event__widget_id"


class DeliveryQuerySet(TenantQuerySet["Delivery"]):
    """Deliveries of a widget's events."""

    widget_path = "event__widget_id"

    def to_subscription(self, *subscription_ids: int) -> Self:
        """The deliveries to these subscriptions. Indexes: webhooks_delivery_log, _by_status, _by_type."""
        return self.filter(kind=SUBSCRIPTIONS, destination_id__in=subscription_ids)

    def logged(self, subscription_id: int) -> DeliveryQuerySet:
        """The log of one of the widget's subscriptions, newest first, until that is deleted.

        Specification, "Retry and redelivery", 6. Index: webhooks_delivery_log, webhooks_delivery_by_type and
        webhooks_delivery_by_status.
        """
        return self.to_subscription(subscription_id).filter(LOGGED, Exists(_its_subscription())).order_by("-id")

    def failed_last(self, subscription_id: int, *, since: datetime) -> DeliveryQuerySet:
        """The deliveries to a subscription that were made since then and failed, in the native envelope; no later one
        of the same event. Index: webhooks_delivery_by_status, and the one of the event.
        """
        from apps.webhooks.models import Delivery

        later = (
            Delivery.objects.unscoped("the same event's")
            .to_subscription(subscription_id)
            .filter(event_id=OuterRef("event_id"), pk__gt=OuterRef("pk"))
        )
        failed = self.to_subscription(subscription_id).filter(status=DeliveryStatus.FAILED, is_legacy=False)
        return failed.filter(~Exists(later), created_at__gte=since)

    def for_api(self) -> DeliveryQuerySet:
        """With what tells whether it can be sent again."""
        return self.annotate(
            subscription_is_active=Subquery(_its_subscription().values("is_active")),
            subscription_is_legacy=Subquery(_its_subscription().values("is_legacy_compat")),
            enabled_names=_enabled_names(),
        )
