"""Canned replies."""

import factory
from factory.django import DjangoModelFactory

from apps.console.models import Reply
from tests.factories.accounts import WidgetFactory


class ReplyFactory(DjangoModelFactory[Reply]):
    """A shared reply; `agent` makes it that operator's own."""

    class Meta:
        model = Reply

    widget = factory.SubFactory(WidgetFactory)
    shortcut = factory.Sequence(lambda n: f"reply-{n}")
    body = "Здравствуйте! Чем помочь?"
