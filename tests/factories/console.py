"""Canned replies."""

import factory
from factory.django import DjangoModelFactory

from apps.console.models import CannedReply
from tests.factories.accounts import WidgetFactory


class CannedReplyFactory(DjangoModelFactory[CannedReply]):
    """A shared reply; `agent` makes it that operator's own."""

    class Meta:
        model = CannedReply

    widget = factory.SubFactory(WidgetFactory)
    shortcut = factory.Sequence(lambda n: f"reply-{n}")
    body = "Здравствуйте! Чем помочь?"
