"""Custom channels, and connections to providers."""

import factory
from factory.django import DjangoModelFactory

from apps.accounts.rules import digest
from apps.messengers import rules
from apps.messengers.models import AdCabinet, Channel, Community, Connection
from apps.messengers.rules.providers import WebhookStatus, new_key
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


class ConnectionFactory(DjangoModelFactory[Connection]):
    """A bot of Telegram, registered; `provider` makes it another messenger."""

    class Meta:
        model = Connection

    widget = factory.SubFactory(WidgetFactory)
    provider = "tg"
    account_id = factory.Sequence(lambda n: str(7000 + n))
    account_name = "Bot"
    public_name = factory.LazyAttribute(lambda row: f"bot{row.account_id}_bot")
    token = factory.LazyAttribute(lambda row: f"{row.account_id}:{'A' * 35}")
    secret = factory.LazyFunction(new_key)
    verify_token = factory.LazyFunction(new_key)
    hook_key = factory.LazyFunction(new_key)
    digest = factory.LazyAttribute(lambda row: digest(row.hook_key))
    webhook_status = WebhookStatus.REGISTERED


class CommunityFactory(ConnectionFactory):
    """A community of VK."""

    class Meta:
        model = Community

    provider = "vk"
    account = factory.Sequence(lambda n: str(100 + n))
    account_id = factory.SelfAttribute("account")
    public_name = factory.LazyAttribute(lambda row: f"club{row.account}")
    token = "vk1.a.key"
    confirmation = "c0de"


class CabinetFactory(ConnectionFactory):
    """A cabinet of Avito, enabled."""

    class Meta:
        model = AdCabinet

    provider = "av"
    account = factory.Sequence(lambda n: str(500 + n))
    account_id = factory.SelfAttribute("account")
    token = "at-1"
    refresh_token = "rt-1"
