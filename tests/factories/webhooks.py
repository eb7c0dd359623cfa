"""Webhook subscriptions, events and deliveries, as rows. To see what an event causes, publish it or post a message."""

import uuid
from collections.abc import Sequence

import factory
from factory.django import DjangoModelFactory

from apps.webhooks import rules
from apps.webhooks.actions.outbox import OutboxEvent, outbox_cte
from apps.webhooks.models import Delivery, Event, Subscription
from tests.factories.accounts import WidgetFactory

SECRET = "whsec_of-the-tests-only"


class SubscriptionFactory(DjangoModelFactory[Subscription]):
    """An active native subscription to `message.created`; give `url` a receiver's address to have it called."""

    class Meta:
        model = Subscription

    widget = factory.SubFactory(WidgetFactory)
    url = factory.Sequence(lambda n: f"https://hooks.example.test/{n}")
    target = factory.SelfAttribute("url")
    events = factory.LazyFunction(lambda: ["message.created"])
    secret = SECRET


class EventFactory(DjangoModelFactory[Event]):
    """A `message.created` event."""

    class Meta:
        model = Event

    guid = factory.LazyFunction(uuid.uuid4)
    widget = factory.SubFactory(WidgetFactory)
    type = "message.created"
    body = factory.LazyAttribute(
        lambda e: rules.native_body(
            e.guid,
            e.type,
            {"chat_id": 1, "message_id": 2, "client_id": "0" * 32, "author_type": "USER", "source": "widget"},
            widget_guid=e.widget.guid,
        )
    )


class DeliveryFactory(DjangoModelFactory[Delivery]):
    """A pending delivery of an event of its own to a `subscription`, due now."""

    class Meta:
        model = Delivery

    class Params:
        subscription = factory.SubFactory(SubscriptionFactory)

    guid = factory.LazyFunction(uuid.uuid4)
    kind = rules.SUBSCRIPTIONS
    destination_id = factory.SelfAttribute("subscription.pk")
    event = factory.SubFactory(EventFactory, widget=factory.SelfAttribute("..subscription.widget"))
    event_type = factory.SelfAttribute("event.type")
    is_legacy = factory.SelfAttribute("subscription.is_legacy_compat")


def emit(events: Sequence[OutboxEvent]) -> int:
    """Queues events as an action's statement would, in the transaction under way; returns how many deliveries."""
    cte = outbox_cte(events)
    return int(cte.run()) if cte else 0
