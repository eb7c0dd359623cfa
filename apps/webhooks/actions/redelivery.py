"""Deliveries of the log, sent once more (specification, "Retry and redelivery")."""

from datetime import datetime
from typing import NamedTuple
from uuid import uuid4

from django.db import transaction

from apps.core.redis import wakeups
from apps.webhooks import rules
from apps.webhooks.actions.outbox import DELIVER
from apps.webhooks.models import Delivery, EventSwitch, Subscription


@transaction.atomic
def redeliver(*, widget_id: int, delivery: Delivery) -> Delivery:
    """Sends the stored event of a widget's delivery again: a new row of the log, with a name (`X-Service-Delivery`) of
    its own.

    The body's id, which receivers dedupe by, stays; the envelope is the one that the subscription uses now. Raises
    CannotRedeliver, and says why (`rules.redelivery_refusal`).
    """
    subscription = _subscription_of(widget_id, delivery)
    refusal = rules.redelivery_refusal(
        status=delivery.status,
        event_type=delivery.event_type,
        is_legacy=delivery.is_legacy,
        is_active=subscription.is_active if subscription else None,
        is_legacy_compat=subscription.is_legacy_compat if subscription else None,
        enabled=set(EventSwitch.objects.filter(enabled=True).values_list("name", flat=True)),
    )
    if subscription is None or refusal:
        raise CannotRedeliver(refusal)
    again = _again(delivery, subscription)
    again.save(force_insert=True)
    wakeups.after_commit(DELIVER)
    return again


class Redelivered(NamedTuple):
    """How many deliveries are sent again, and whether more have failed than are sent in one call."""

    queued: int
    has_more: bool


@transaction.atomic
def redeliver_failed(*, widget_id: int, subscription_id: int, since: datetime) -> Redelivered:
    """Sends again what has failed of a subscription's deliveries that were made since then, the oldest first.

    The rules are those of `redeliver`; what they refuse is passed over, and so is an event that was sent again later,
    whatever came of that: so a second call goes on where the first has ended, and sends nothing twice. At most
    `rules.MOST_AGAIN` a call. Raises NOT_FOUND (404), CannotRedeliver for a subscription that is not active.
    """
    subscriptions = Subscription.objects.for_widget(widget_id).select_for_update(no_key=True)
    subscription = subscriptions.get_or_404(pk=subscription_id)
    if not subscription.is_active:
        raise CannotRedeliver(rules.Irredeliverable.INACTIVE)
    enabled = set(EventSwitch.objects.filter(enabled=True).values_list("name", flat=True))
    sendable = [
        name
        for name in rules.CATALOGUE
        if not rules.redelivery_refusal(
            status=rules.DeliveryStatus.FAILED,
            event_type=name,
            is_legacy=False,
            is_active=True,
            is_legacy_compat=subscription.is_legacy_compat,
            enabled=enabled,
        )
    ]
    failed = Delivery.objects.for_widget(widget_id).failed_last(subscription_id, since=since)
    found = list(failed.filter(event_type__in=sendable).order_by("pk")[: rules.MOST_AGAIN + 1])
    again = [_again(delivery, subscription) for delivery in found[: rules.MOST_AGAIN]]
    Delivery.objects.bulk_create(again)
    if again:
        wakeups.after_commit(DELIVER)
    return Redelivered(len(again), has_more=len(found) > rules.MOST_AGAIN)


def _again(delivery: Delivery, subscription: Subscription) -> Delivery:
    return Delivery(
        guid=uuid4(),
        event_id=delivery.event_id,
        kind=delivery.kind,
        destination_id=delivery.destination_id,
        event_type=delivery.event_type,
        is_legacy=subscription.is_legacy_compat,
    )


def _subscription_of(widget_id: int, delivery: Delivery) -> Subscription | None:
    """Locked, so that the envelope is that of the moment."""
    if delivery.kind != rules.SUBSCRIPTIONS:
        return None
    subscriptions = Subscription.objects.for_widget(widget_id).select_for_update(no_key=True)
    return subscriptions.filter(pk=delivery.destination_id).first()


class CannotRedeliver(Exception):
    """A delivery that is not sent again; `args` says why: one of `rules.Irredeliverable`."""
