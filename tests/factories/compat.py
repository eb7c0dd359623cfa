"""Bots of the other platform."""

import factory
from factory.django import DjangoModelFactory

from apps.compat.models import LegacyBot
from apps.messengers.rules import new_secret
from tests.factories.accounts import WidgetFactory


class LegacyBotFactory(DjangoModelFactory[LegacyBot]):
    """An active bot, of which processes know within seconds."""

    class Meta:
        model = LegacyBot

    widget = factory.SubFactory(WidgetFactory)
    url = factory.Sequence(lambda n: f"https://bot.example.test/{n}")
    target = factory.SelfAttribute("url")
    secret = factory.LazyFunction(new_secret)
