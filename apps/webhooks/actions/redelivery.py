"""Deliveries of the log, sent once more (specification, "Retry and redelivery")."""

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
    again = Delivery.objects.create(
        guid=uuid4(),
        event_id=delivery.event_id,
        kind=delivery.kind,
        destination_id=delivery.destination_id,
        event_type=delivery.event_type,
        is_legacy=subscription.is_legacy_compat,
    )
    wakeups.after_commit(DELIVER)
    return again


def _subscription_of(widget_id: int, delivery: Delivery) -> Subscription | None:
    """Locked, so that the envelope is that of the moment."""
    if delivery.kind != rules.SUBSCRIPTIONS:
        return None
    subscriptions = Subscription.objects.for_widget(widget_id).select_for_update(no_key=True)
    return subscriptions.filter(pk=delivery.destination_id).first()


class CannotRedeliver(Exception):
    """A delivery that is not sent again; `args` says why: one of `rules.Irredeliverable`."""
