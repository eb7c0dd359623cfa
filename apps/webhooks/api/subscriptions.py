"""Webhook subscriptions over REST (specification, Endpoints, "Webhook subscriptions")."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.outbound_urls import OutboundUrl
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.serializers import Body, Boolean, Choice, Items, PatchBody, Text, Uuid
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.endpoints.windows import Moment
from apps.core.errors import INVALID_INPUT
from apps.webhooks import rules
from apps.webhooks.actions.redelivery import CannotRedeliver, redeliver, redeliver_failed
from apps.webhooks.actions.subscriptions import (
    change_subscription,
    create_subscription,
    delete_subscription,
    rotate_secret,
)
from apps.webhooks.errors import WEBHOOK_URL_TAKEN
from apps.webhooks.models import Delivery, Subscription
from apps.webhooks.rules import DeliveryStatus, Irredeliverable
from apps.webhooks.serializers import (
    CreatedSubscriptionSerializer,
    DeliverySerializer,
    RedeliveredSerializer,
    RedeliverySerializer,
    SubscriptionSerializer,
)


class EventNames(Items):
    """The events of a subscription. The allowed names depend on its vocabulary."""

    def __init__(self, **options: Any) -> None:
        child = Text(max_length=64)
        super().__init__(child=child, allow_empty=False, max_length=len(rules.NATIVE_NAMES), **options)


class SigningSecret(Text):
    """A secret that signs deliveries."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_length=rules.MIN_SECRET_LENGTH, max_length=rules.MAX_SECRET_LENGTH, **options)


_EVENTS_HELP = "Native names, or the five legacy names when `is_legacy_compat` is true."


def _with_refused_events(error: serializers.ValidationError, data: Mapping[str, Any]) -> serializers.ValidationError:
    """The refusal of a new subscription's other members with that of its events, which `validate` would never reach."""
    refused = error.detail
    if not isinstance(refused, dict) or "events" in refused or "is_legacy_compat" in refused:
        return error
    refusals = rules.events_refusals(data["events"], is_legacy_compat=data.get("is_legacy_compat", False))
    return serializers.ValidationError(refused | {path: [text] for path, text in refusals.items()})


class SubscriptionBody(Body):
    """A new subscription."""

    url = OutboundUrl(
        source="*", help_text="https, on a public address, at most 2048 characters; unique in the widget."
    )
    events = EventNames(help_text=_EVENTS_HELP)
    secret = SigningSecret(required=False, help_text="Signs the deliveries. Generated when omitted.")
    is_legacy_compat = Boolean(required=False, default=False)

    def to_internal_value(self, data: Any) -> Any:
        try:
            return super().to_internal_value(data)
        except serializers.ValidationError as error:
            raise _with_refused_events(error, data) from None

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if refusals := rules.events_refusals(attrs["events"], is_legacy_compat=attrs["is_legacy_compat"]):
            raise serializers.ValidationError({path: [text] for path, text in refusals.items()})
        return attrs


class SubscriptionChangesBody(PatchBody):
    """The changes of a subscription; a member that is not sent stays as it is. The secret is rotated instead."""

    of, without, read_only_members = SubscriptionBody, ("secret",), ("secret",)

    events = EventNames(
        required=False, help_text=f"{_EVENTS_HELP} Required when `is_legacy_compat` changes: no name is of both kinds."
    )
    is_active = Boolean(required=False, help_text="While false, nothing is queued, and what is queued is dropped.")

    def to_internal_value(self, data: Any) -> Any:
        """A refused url hides no event that is of the vocabulary in question, or, where none is named, of neither."""
        try:
            return super().to_internal_value(data)
        except serializers.ValidationError as error:
            if not isinstance(data, Mapping) or "events" not in data or "events" in error.detail:
                raise
            if "is_legacy_compat" in data:
                raise _with_refused_events(error, data) from None
            both = [rules.events_refusals(data["events"], is_legacy_compat=legacy) for legacy in (False, True)]
            raise (_with_refused_events(error, data) if all(both) else error) from None


class SecretBody(Body):
    """The new secret, if it is not to be generated."""

    secret = SigningSecret(required=False, help_text="Generated when omitted.")


class RedeliveryBody(Body):
    """The delivery of the log that is sent again."""

    delivery_id = Uuid(help_text="A delivery of the subscription's log.")


class RedeliverFailedBody(Body):
    """From when on what has failed is sent again."""

    since = Moment(help_text="Inclusive, by the delivery's `created_at`.")


class EventTypeFilter(Text):
    """A name of either vocabulary, which becomes the native one. No enum: generated clients spell both kinds alike."""

    def to_internal_value(self, data: Any) -> str:
        name = rules.native_name(super().to_internal_value(data))
        if name not in rules.CATALOGUE:
            raise serializers.ValidationError(f"There is no such event. Known are: {', '.join(rules.NATIVE_NAMES)}.")
        return name


class DeliveryListQuery(PageQuery):
    """The filters of a delivery log."""

    status = Choice(required=False, choices=[status.value for status in DeliveryStatus])
    event_type = EventTypeFilter(
        required=False, help_text="A name of `GET /v1/webhook-events`; a legacy one stands for its native event."
    )


# Why a delivery is not sent again, as the refusal says it.
_REFUSALS = {
    Irredeliverable.UNDER_WAY: "It is under way.",
    Irredeliverable.NO_RECEIVER: "The subscription is deleted.",
    Irredeliverable.INACTIVE: "The subscription is not active.",
    Irredeliverable.SENT_AS_LEGACY: "What was sent in the legacy envelope is not sent again.",
    Irredeliverable.NO_LEGACY_NAME: "The event has no legacy equivalent, and the subscription takes legacy events.",
    Irredeliverable.SWITCHED_OFF: "The event type is not enabled platform-wide.",
}


class SubscriptionViewSet(ApiViewSet):
    target = Subscription
    reads = ("webhooks:read",)
    writes = ("webhooks:write",)

    @operation(summary="List webhook subscriptions", answers=SubscriptionSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """The widget's subscriptions, newest first, without their secrets."""
        return context.page(Subscription.objects.for_widget(context.widget_id))

    @operation(
        summary="Subscribe a url to events",
        takes=SubscriptionBody,
        answers=CreatedSubscriptionSerializer,
        status=201,
        problems=(WEBHOOK_URL_TAKEN,),
        calls_out=True,
        example={"url": "https://hooks.example.com/parley", "events": ["message.created"]},
    )
    def create(self, context: RequestContext) -> Answer:
        """Deliveries to the url are signed with the secret, which only this answer shows.

        A native subscription takes the names of the catalogue, a legacy one (`is_legacy_compat`) the five legacy names.
        An event type that is not enabled platform-wide is accepted and not delivered until it is.
        """
        with context.outbound.write():
            subscription = create_subscription(widget_id=context.widget_id, **context.body)
            context.outbound.made(subscription.pk)
            return subscription

    @operation(summary="Read a webhook subscription", answers=SubscriptionSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """One subscription of the widget, without its secret."""
        return context.target

    @operation(
        summary="Change a webhook subscription",
        takes=SubscriptionChangesBody,
        answers=SubscriptionSerializer,
        problems=(WEBHOOK_URL_TAKEN,),
        calls_out=True,
        example={"events": ["message.created", "chat.closed"], "is_active": True},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """Changes what is sent and nothing else. A new `url` is vetted as at the subscription's creation.

        A change of `is_legacy_compat` must send the `events` of the other vocabulary with it, else the call is 422 on
        `events`: no name is of both, and most native events have no legacy name. Queued deliveries keep their envelope.
        The secret is not changed here (422), but by its rotation.
        """
        with context.outbound.write():
            change_subscription(widget_id=context.widget_id, subscription_id=context.target_id, changes=context.body)
        return context.target

    @operation(
        summary="Rotate a webhook subscription's secret",
        takes=SecretBody,
        answers=CreatedSubscriptionSerializer,
        example={},
    )
    def rotate_secret(self, context: RequestContext) -> Answer:
        """Overwrites the secret with the one that is sent, or with a generated one; only this answer shows it.

        The cutover is immediate, without an overlap: deliveries that wait already are signed with the new secret.
        """
        rotate_secret(widget_id=context.widget_id, subscription_id=context.target_id, **context.body)
        return context.target

    @operation(
        summary="List a webhook subscription's deliveries",
        filters=DeliveryListQuery,
        answers=DeliverySerializer,
        lists=True,
    )
    def deliveries(self, context: RequestContext) -> Page:
        """The delivery log, newest first: the only source of `delivery_id`. It reaches back as far as the
        installation keeps it: 30 days, unless it was told otherwise.

        Deliveries in the legacy envelope are logged only when they fail for good; they cannot be sent again.
        """
        return context.page(Delivery.objects.for_widget(context.widget_id).logged(context.target_id))

    @operation(
        summary="Send a delivery again",
        takes=RedeliveryBody,
        answers=RedeliverySerializer,
        status=202,
        example={"delivery_id": "7d0f9c1e-2a64-4b0e-8a0d-1f8f6f0c9b27"},
    )
    def redeliver(self, context: RequestContext) -> dict[str, str]:
        """Queues the stored event once more, with a new `X-Service-Delivery` and the same idempotency key.

        It goes out in the envelope that the subscription uses now. 422 for a row whose `is_redeliverable` is false,
        404 for one that is not of this subscription.
        """
        context.require_target()
        logged = Delivery.objects.for_widget(context.widget_id).to_subscription(context.target_id)
        delivery = logged.get_or_404("There is no such delivery.", guid=context.body["delivery_id"])
        try:
            again = redeliver(widget_id=context.widget_id, delivery=delivery)
        except CannotRedeliver as refusal:
            raise INVALID_INPUT(errors={"delivery_id": [_REFUSALS[refusal.args[0]]]}) from None
        return {"delivery_id": str(again.guid), "envelope": "legacy" if again.is_legacy else "native"}

    @operation(
        summary="Send again what has failed",
        takes=RedeliverFailedBody,
        answers=RedeliveredSerializer,
        status=202,
        example={"since": "2026-11-21T10:45:00Z"},
    )
    def redeliver_failed(self, context: RequestContext) -> dict[str, Any]:
        """Queues what has failed since then once more, the oldest first: after an outage of the receiver.

        Each is sent as `POST …/redeliver` sends one. An event that was sent again since it failed is passed over, and
        so is what can't be sent again (`is_redeliverable`): a second call sends nothing twice. At most 1,000 a call;
        while `has_more` is true, the same call with a new key goes on. 422 while the subscription is not active.
        """
        try:
            done = redeliver_failed(
                widget_id=context.widget_id, subscription_id=context.target_id, since=context.body["since"]
            )
        except CannotRedeliver as refusal:
            raise INVALID_INPUT(errors={"since": [_REFUSALS[refusal.args[0]]]}) from None
        return done._asdict()

    @operation(summary="Delete a webhook subscription", status=204)
    def destroy(self, context: RequestContext) -> None:
        """Queued deliveries of the subscription are dropped silently."""
        delete_subscription(widget_id=context.widget_id, subscription_id=context.target_id)
