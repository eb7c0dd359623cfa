"""Custom channels."""

import factory
from factory.django import DjangoModelFactory

from apps.accounts.rules import digest
from apps.messengers import rules
from apps.messengers.models import Channel
from tests.factories.accounts import WidgetFactory


class ChannelFactory(DjangoModelFactory[Channel]):
    """An active custom channel; give `target` a receiver's address to have it called."""

    class Meta:
        model = Channel

    widget = factory.SubFactory(WidgetFactory)
    name = factory.Sequence(lambda n: f"Channel {n}")
    outbound_url = factory.Sequence(lambda n: f"https://channel.example.test/{n}")
    target = factory.SelfAttribute("outbound_url")
    secret = factory.LazyFunction(rules.new_secret)
    digest = factory.LazyAttribute(lambda channel: digest(channel.secret))
