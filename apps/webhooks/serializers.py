"""The serializers of webhook subscriptions, their deliveries and the catalogue of events."""

from typing import Any

import orjson

from apps.core.database import encryption
from apps.core.endpoints.row_serializers import Json, MethodField, RowSerializer, Secret, TextList, TextOrNull, Time
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text
from apps.webhooks import rules
from apps.webhooks.rules import DeliveryStatus
from apps.webhooks.rules.masking import masked


class SubscriptionSerializer(RowSerializer):
    """A webhook subscription. Its secret is in the answer to its creation and to its rotation, and never again."""

    id = Integer()
    url = Text()
    events = TextList()
    disabled_events = MethodField(
        TextList(
            help_text="The events among `events` that are not enabled platform-wide now: they are not delivered "
            "until they are. `GET /v1/webhook-events` tells of every event whether it is."
        ),
        columns=("events", "enabled_names"),
        from_=rules.disabled_events,
    )
    is_active = Boolean()
    is_legacy_compat = Boolean()
    created_at = Time()
    updated_at = Time()


class CreatedSubscriptionSerializer(SubscriptionSerializer):
    """A webhook subscription with its new secret."""

    secret = Secret()


def shown_payload(body: str, is_sealed: bool, is_legacy: bool) -> dict[str, Any]:
    """The body of a delivery in the envelope that it was sent in, as the log may show it; empty where none can."""
    try:
        native = encryption.decrypt(body) if is_sealed else body
    except encryption.DecryptionFailed:
        return {}
    payload: dict[str, Any] = masked(orjson.loads(rules.legacy_body(native) if is_legacy else native))
    return payload


def is_redeliverable(
    status: str, event_type: str, is_legacy: bool, is_active: bool | None, is_legacy_compat: bool | None, enabled: Any
) -> bool:
    """Whether a delivery can be sent again now."""
    refusal = rules.redelivery_refusal(
        status=status,
        event_type=event_type,
        is_legacy=is_legacy,
        is_active=is_active,
        is_legacy_compat=is_legacy_compat,
        enabled=enabled,
    )
    return refusal is None


class DeliverySerializer(RowSerializer):
    """A row of the delivery log."""

    delivery_id = Text(source="guid", help_text="The value of `X-Service-Delivery`.")
    event_id = Text(source="event.guid", help_text="The event's: the body's `id`, and `X-Service-Idempotency-Key`.")
    event_type = Text(help_text="The native name, whatever the envelope.")
    status = Choice(
        choices=[status.value for status in DeliveryStatus],
        help_text="`skipped`: the subscription was not active, or the event type not enabled, when its turn came.",
    )
    payload = MethodField(
        Json(
            help_text="The whole body as it was sent, with `[скрыто]` in place of phone numbers, e-mail addresses and "
            "card-like runs of digits. Empty where the key that it was encrypted with is lost."
        ),
        columns=("event__body", "event__is_sealed", "is_legacy"),
        from_=shown_payload,
    )
    is_redeliverable = MethodField(
        Boolean(),
        columns=(
            *("status", "event_type", "is_legacy"),
            *("subscription_is_active", "subscription_is_legacy", "enabled_names"),
        ),
        from_=is_redeliverable,
    )
    attempts = Integer(help_text="How many attempts have ended.")
    response_status = Integer(allow_null=True, help_text="The status of the last attempt; null if there was no answer.")
    last_error = TextOrNull(help_text="Why the last attempt failed.")
    created_at = Time()
    delivered_at = Time(allow_null=True)


class RedeliverySerializer(RowSerializer):
    """A delivery that is sent again, under a name of its own."""

    delivery_id = Text(help_text="The new one's.")
    envelope = Choice(choices=["native", "legacy"], help_text="The one that the subscription uses now.")


class RedeliveredSerializer(RowSerializer):
    """How much of what has failed is sent again."""

    queued = Integer(help_text="Deliveries, each under a name of its own.")
    has_more = Boolean(help_text="More have failed since then: the same call with a new key goes on.")


class EventNameSerializer(RowSerializer):
    """A name that a subscription may list."""

    name = Text()
    vocabulary = Choice(
        choices=["native", "legacy"], help_text="`legacy` names are those of subscriptions with `is_legacy_compat`."
    )
    enabled = Boolean(help_text="Whether it is delivered now, platform-wide. Subscriptions to it are accepted anyhow.")
    frozen = Boolean(help_text="Whether it is one of the seven native names that will never change.")
    triggered_by = Text(help_text="When it is sent.")
