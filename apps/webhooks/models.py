"""Subscriptions, the switches of event types, and the outbox: events, their deliveries and attempts."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Widget
from apps.core.database.fields import EncryptedTextField, SealedTextField
from apps.core.database.tenants import TenantQuerySet
from apps.webhooks.querysets import LOGGED, AttemptQuerySet, DeliveryQuerySet, EventSwitchQuerySet, SubscriptionQuerySet
from apps.webhooks.rules import DeliveryStatus


class EventSwitch(models.Model):
    """Whether an event type is delivered, platform-wide. One row for each of the catalogue, made by `migrate`."""

    name = models.CharField(max_length=64, primary_key=True, editable=False)
    enabled = models.BooleanField(
        db_default=False, default=False, help_text=_("While off, subscriptions are accepted and nothing is delivered.")
    )

    objects = EventSwitchQuerySet.as_manager()

    class Meta:
        verbose_name = "event type"

    def __str__(self) -> str:
        return self.name


class Subscription(models.Model):
    """A receiver of a widget's events. `url` is as it was given; `target` is the spelling that is called."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="webhook_subscriptions", db_index=False)
    url = models.CharField(max_length=2048)
    target = models.CharField(max_length=2048)
    events = ArrayField(models.CharField(max_length=64))
    secret = EncryptedTextField(blank=True, default="", help_text="Signs the deliveries; without one they fail.")
    is_active = models.BooleanField(db_default=True, default=True)
    is_legacy_compat = models.BooleanField(db_default=False, default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = SubscriptionQuerySet.as_manager()

    class Meta:
        verbose_name = "webhook subscription"
        constraints = [
            models.UniqueConstraint(fields=["widget", "target"], name="webhooks_subscription_target"),
        ]
        indexes = [models.Index(fields=["widget", "-created_at", "-id"], name="webhooks_subscription_list")]

    def __str__(self) -> str:
        return self.url


class Event(models.Model):
    """An event to which a subscription exists. `guid` is the body's `id`, the idempotency key.

    `body` is what receivers are sent, byte for byte; encrypted where it holds personal data (`is_sealed`).
    """

    guid = models.UUIDField(editable=False)
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    type = models.CharField(max_length=64)
    body = SealedTextField(sealed_by="is_sealed")
    is_sealed = models.BooleanField(db_default=False, default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["Event"].as_manager()

    def __str__(self) -> str:
        return f"{self.type} {self.guid}"


class Delivery(models.Model):
    """One event on its way to one destination: a row of the queue, then of the log.

    `kind` and `destination_id` name the destination (`core.destinations`): those of a subscription are the kind's
    SUBSCRIPTIONS and its id. There is no foreign key: a deleted one's rows stay, and what is queued for it is skipped;
    nor a constraint on the event, which is written in the same statement. `guid` is X-Service-Delivery.

    A pending row is due at `due_at`, unless a worker holds it until `lease_until` under `claim_id`; `attempts` counts
    calls that ended, `claims` the times a worker took it. The first migration leaves room on each page for a row's next
    version, and has the table vacuumed early.
    """

    guid = models.UUIDField(unique=True, editable=False)
    event = models.ForeignKey(Event, models.CASCADE, related_name="deliveries", db_constraint=False)
    kind = models.CharField(max_length=32, db_collation="C", editable=False)
    destination_id = models.BigIntegerField(editable=False)
    event_type = models.CharField(max_length=64)
    is_legacy = models.BooleanField(db_default=False, default=False, help_text="Sent in the legacy envelope.")
    status = models.CharField(
        max_length=9,
        choices=[(status.value, status.value) for status in DeliveryStatus],
        db_default=DeliveryStatus.PENDING.value,
        default=DeliveryStatus.PENDING.value,
    )
    attempts = models.PositiveSmallIntegerField(db_default=0, default=0)
    claims = models.PositiveSmallIntegerField(db_default=0, default=0)
    due_at = models.DateTimeField(db_default=Now())
    lease_until = models.DateTimeField(null=True, blank=True)
    claim_id = models.UUIDField(null=True, blank=True)
    response_status = models.PositiveSmallIntegerField(null=True, blank=True)
    last_error = models.CharField(max_length=255, db_default="", default="", blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    delivered_at = models.DateTimeField(null=True, blank=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "deliveries"
        indexes = [
            # The queue: what a claim reads, however long the log has grown.
            models.Index(
                fields=["destination_id", "kind", "due_at"],
                condition=Q(status="pending"),
                name="webhooks_delivery_queue",
            ),
            # The log of a subscription, whole and by its two filters: what `DeliveryQuerySet.logged` reads. Delivered
            # rows are nearly all of it: no index of their own.
            models.Index(fields=["destination_id", "kind", "-id"], condition=LOGGED, name="webhooks_delivery_log"),
            models.Index(
                fields=["destination_id", "kind", "status", "-id"],
                condition=~Q(status="delivered"),
                name="webhooks_delivery_by_status",
            ),
            models.Index(
                fields=["destination_id", "kind", "event_type", "-id"],
                condition=LOGGED,
                name="webhooks_delivery_by_type",
            ),
        ]

    def __str__(self) -> str:
        return str(self.guid)


class Attempt(models.Model):
    """One call of a delivery that ended, and how; `number` counts from 1. Written with the delivery's own change.

    `response_status` is null when no answer came; `error` is empty when it was a good one.
    """

    pk = models.CompositePrimaryKey("delivery_id", "number")
    delivery = models.ForeignKey(
        Delivery, models.CASCADE, related_name="attempt_rows", db_constraint=False, db_index=False
    )
    number = models.PositiveSmallIntegerField()
    started_at = models.DateTimeField()
    milliseconds = models.PositiveIntegerField()
    response_status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=255, db_default="", default="", blank=True)

    objects = AttemptQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.delivery_id} {self.number}"
