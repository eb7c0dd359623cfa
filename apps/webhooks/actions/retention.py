"""The delivery log, and how far back it reaches."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from apps.chats.rules.retention import DELIVERIES, kept_since
from apps.core.database import Row, fetch_one
from apps.webhooks.models import Attempt, Delivery, Event
from apps.webhooks.rules import DeliveryStatus

BATCH, WIDGETS_BATCH = 1000, 200

# A batch of the oldest rows, of which those go that are final and old; and how far it got among what is old.
_FORGET_DELIVERIES = """
WITH oldest AS MATERIALIZED (
    SELECT id, created_at < statement_timestamp() - %(kept_for)s AS is_old, status FROM webhooks_delivery
    WHERE id > %(after)s ORDER BY id LIMIT %(batch)s
), gone AS (
    DELETE FROM webhooks_delivery
    WHERE id = ANY (ARRAY(SELECT id FROM oldest WHERE is_old AND status <> 'pending')) RETURNING id
), attempt AS (
    DELETE FROM webhooks_attempt WHERE delivery_id = ANY (ARRAY(SELECT id FROM gone))
)
SELECT (SELECT count(*) FROM gone), (SELECT max(id) FROM oldest WHERE is_old) /* unscoped: every widget */"""
_FORGET_EVENTS = """
WITH oldest AS MATERIALIZED (
    SELECT id, created_at < statement_timestamp() - %(kept_for)s AS is_old FROM webhooks_event
    WHERE id > %(after)s ORDER BY id LIMIT %(batch)s
), gone AS (
    DELETE FROM webhooks_event WHERE id = ANY (ARRAY(
        SELECT id FROM oldest
        WHERE is_old AND NOT EXISTS (SELECT FROM webhooks_delivery d WHERE d.event_id = oldest.id))) RETURNING id
)
SELECT (SELECT count(*) FROM gone), (SELECT max(id) FROM oldest WHERE is_old) /* unscoped: every widget */"""


def forget_old_deliveries() -> int:
    """Deletes the finished deliveries older than DELIVERY_LOG_DAYS with their attempts, then the events that no
    delivery is left of; returns how many deliveries. Small transactions, oldest first. Two at once share the work."""
    forgotten = _in_batches(lambda parameters: fetch_one(_FORGET_DELIVERIES, parameters))
    _in_batches(lambda parameters: fetch_one(_FORGET_EVENTS, parameters))
    return forgotten


def _in_batches(forget: Callable[[dict[str, Any]], Row | None]) -> int:
    total, after = 0, 0
    kept_for = timedelta(days=settings.DELIVERY_LOG_DAYS)
    while row := forget({"batch": BATCH, "kept_for": kept_for, "after": after}):
        deleted, last_old = row
        total += deleted
        if last_old is None:
            break
        after = last_old
    return total


@transaction.atomic
def forget_batch(widget_id: int, days: Mapping[str, int], now: datetime) -> int:
    """One batch of events, with their deliveries and attempts; what still waits to be delivered stays."""
    since = kept_since(days, DELIVERIES, now)
    if since is None:
        return 0
    old = Event.objects.for_widget(widget_id).filter(created_at__lt=since)
    waiting = (
        Delivery.objects.unscoped("read with their widget before")
        .filter(event__in=old, status=DeliveryStatus.PENDING.value)
        .values("event_id")
    )
    keys = list(old.exclude(pk__in=waiting).order_by("pk").values_list("pk", flat=True)[:WIDGETS_BATCH])
    deliveries = list(
        Delivery.objects.unscoped("read with their widget before")
        .filter(event_id__in=keys)
        .values_list("pk", flat=True)
    )
    Attempt.objects.unscoped("read with their widget before").filter(delivery_id__in=deliveries).delete()
    Delivery.objects.unscoped("read with their widget before").filter(pk__in=deliveries).delete()
    Event.objects.unscoped("read with their widget before").filter(pk__in=keys).delete()
    return len(keys)
