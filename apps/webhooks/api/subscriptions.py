"""Webhook subscriptions over REST (specification, Endpoints, "Webhook subscriptions")."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rest_framework import serializers

from apps.core.egress import EgressRefused, vet
from apps.core.endpoints.operations import Call, operation
from apps.core.endpoints.paging import Listing, Page, PageQuery, columns
from apps.core.endpoints.serializers import Body, Boolean, Shape, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND
from apps.webhooks import querysets, rules
from apps.webhooks.actions.subscriptions import create_subscription, delete_subscription
from apps.webhooks.errors import WEBHOOK_URL_TAKEN
from apps.webhooks.querysets import SubscriptionRow


@dataclass(frozen=True, slots=True)
class Destination:
    """A vetted url: as it was given, and as it is called."""

    url: str
    target: str


class ReceiverUrl(Text):
    """An https url whose host resolves to public addresses only; becomes a Destination. Asks the resolver."""

    def to_internal_value(self, data: Any) -> Any:
        url = super().to_internal_value(data)
        try:
            return Destination(url, vet(url).url)
        except EgressRefused as error:
            raise serializers.ValidationError(str(error)) from None


class SubscriptionBody(Body):
    """A new subscription."""

    url = ReceiverUrl(help_text="https, on a public address, at most 2048 characters; unique in the widget.")
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


class SubscriptionShape(Shape):
    """A webhook subscription. Its secret is in the answer to its creation, and never again."""

    id = serializers.IntegerField()
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.CharField())
    is_active = serializers.BooleanField()
    is_legacy_compat = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class CreatedSubscriptionShape(SubscriptionShape):
    """A new webhook subscription, with its secret."""

    secret = serializers.CharField()


def show_subscription(row: Sequence[Any]) -> dict[str, Any]:
    """A subscription's wire shape. `row` has the columns of SubscriptionRow."""
    return SubscriptionRow(*row)._asdict()


SUBSCRIPTIONS = Listing("webhook-subscriptions", show_subscription, columns(SubscriptionRow, "created_at", "id"))


def subscription_exists(call: Call) -> bool:
    found = querysets.subscription_row(widget_id=call.widget_id, subscription_id=call.path["subscription_id"])
    return found is not None


class SubscriptionViewSet(ApiViewSet):
    @operation(
        scopes=("webhooks:read",),
        summary="List webhook subscriptions",
        query=PageQuery,
        answer=SubscriptionShape,
        envelope="list",
    )
    def list(self, call: Call) -> Page:
        """The widget's subscriptions, newest first, without their secrets."""
        asked = SUBSCRIPTIONS.asked(call)
        rows = querysets.subscription_page(widget_id=call.widget_id, after=asked.after, limit=asked.limit)
        return asked.page(rows)

    @operation(
        scopes=("webhooks:write",),
        summary="Subscribe a url to events",
        body=SubscriptionBody,
        answer=CreatedSubscriptionShape,
        status=201,
        problems=(WEBHOOK_URL_TAKEN,),
        idempotency="required",
        example={"url": "https://hooks.example.com/parley", "events": ["message.created"]},
    )
    def create(self, call: Call) -> dict[str, Any]:
        """Deliveries to the url are signed with the secret, which only this answer shows.

        A native subscription takes the names of the catalogue, a legacy one (`is_legacy_compat`) the five legacy names.
        An event type that is not enabled platform-wide is accepted and not delivered until it is.
        """
        body = call.body
        destination: Destination = body["url"]
        subscription = create_subscription(
            widget_id=call.widget_id,
            url=destination.url,
            target=destination.target,
            events=body["events"],
            secret=body.get("secret"),
            is_legacy_compat=body["is_legacy_compat"],
        )
        shown = SubscriptionRow(*(getattr(subscription, name) for name in SubscriptionRow._fields))
        return {**show_subscription(shown), "secret": subscription.secret}

    @operation(
        scopes=("webhooks:read",),
        summary="Read a webhook subscription",
        answer=SubscriptionShape,
        problems=(NOT_FOUND,),
        target_exists=subscription_exists,
    )
    def retrieve(self, call: Call, subscription_id: int) -> dict[str, Any]:
        """One subscription of the widget, without its secret."""
        row = querysets.subscription_row(widget_id=call.widget_id, subscription_id=subscription_id)
        if row is None:
            raise NOT_FOUND()
        return show_subscription(row)

    @operation(
        scopes=("webhooks:write",),
        summary="Delete a webhook subscription",
        status=204,
        problems=(NOT_FOUND,),
        target_exists=subscription_exists,
    )
    def destroy(self, call: Call, subscription_id: int) -> None:
        """What is queued for the subscription is dropped in silence."""
        delete_subscription(widget_id=call.widget_id, subscription_id=subscription_id)
