"""Webhook subscriptions over REST (specification, Endpoints, "Webhook subscriptions")."""

from typing import Any

from rest_framework import serializers

from apps.core.egress import EgressRefused, vet
from apps.core.endpoints.calls import Call
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Boolean, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.webhooks import rules
from apps.webhooks.actions.subscriptions import create_subscription, delete_subscription
from apps.webhooks.errors import WEBHOOK_URL_TAKEN
from apps.webhooks.models import Subscription
from apps.webhooks.shapes import CreatedSubscriptionShape, SubscriptionShape


class ReceiverUrl(Text):
    """An https url whose host resolves to public addresses only; becomes `url` and `target`, as it is called.

    Asks the resolver.
    """

    def to_internal_value(self, data: Any) -> Any:
        url = super().to_internal_value(data)
        try:
            return {"url": url, "target": vet(url).url}
        except EgressRefused as error:
            raise serializers.ValidationError(str(error)) from None


class SubscriptionBody(Body):
    """A new subscription."""

    url = ReceiverUrl(
        source="*", help_text="https, on a public address, at most 2048 characters; unique in the widget."
    )
    events = serializers.ListField(
        child=Text(max_length=64),
        allow_empty=False,
        max_length=len(rules.NATIVE_NAMES),
        help_text="Native names, or the five legacy names when `is_legacy_compat` is true.",
    )
    secret = Text(
        required=False,
        min_length=rules.MIN_SECRET_LENGTH,
        max_length=rules.MAX_SECRET_LENGTH,
        help_text="Signs the deliveries. Generated when omitted.",
    )
    is_legacy_compat = Boolean(required=False, default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if refusals := rules.events_refusals(attrs["events"], is_legacy_compat=attrs["is_legacy_compat"]):
            raise serializers.ValidationError({path: [text] for path, text in refusals.items()})
        return attrs


class SubscriptionViewSet(ApiViewSet):
    target = Subscription

    @operation(scopes=("webhooks:read",), summary="List webhook subscriptions", answers=SubscriptionShape, lists=True)
    def list(self, call: Call) -> Page:
        """The widget's subscriptions, newest first, without their secrets."""
        return call.page(Subscription.objects.of(call.widget_id))

    @operation(
        scopes=("webhooks:write",),
        summary="Subscribe a url to events",
        takes=SubscriptionBody,
        answers=CreatedSubscriptionShape,
        status=201,
        problems=(WEBHOOK_URL_TAKEN,),
        idempotent=True,
        example={"url": "https://hooks.example.com/parley", "events": ["message.created"]},
    )
    def create(self, call: Call) -> Subscription:
        """Deliveries to the url are signed with the secret, which only this answer shows.

        A native subscription takes the names of the catalogue, a legacy one (`is_legacy_compat`) the five legacy names.
        An event type that is not enabled platform-wide is accepted and not delivered until it is.
        """
        return create_subscription(widget_id=call.widget_id, **call.body)

    @operation(scopes=("webhooks:read",), summary="Read a webhook subscription", answers=SubscriptionShape)
    def retrieve(self, call: Call) -> Answer:
        """One subscription of the widget, without its secret."""
        return call.target

    @operation(scopes=("webhooks:write",), summary="Delete a webhook subscription", status=204)
    def destroy(self, call: Call) -> None:
        """What is queued for the subscription is dropped in silence."""
        delete_subscription(call.target)
