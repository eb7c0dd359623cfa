"""Factories of AI rows."""

import factory
import openai  # noqa: F401 - a process imports it within the time of its first call: on a busy machine, all of it

from apps.ai.actions.personas import begin_persona
from apps.ai.models import Alert, Assistant, Credential, Exchange, Usage
from apps.ai.rules.actors import SYSTEM
from tests.factories.accounts import WidgetFactory
from tests.factories.chats import ChatFactory


class AssistantFactory(factory.django.DjangoModelFactory[Assistant]):
    """An assistant with the first version of its text; not the default one."""

    class Meta:
        model = Assistant
        skip_postgeneration_save = True

    widget = factory.SubFactory(WidgetFactory)
    name = "Flora"

    @factory.post_generation
    def version(self, create: bool, extracted: object, **kwargs: object) -> None:
        begin_persona(self, actor=SYSTEM)  # type: ignore[arg-type]


class CredentialFactory(factory.django.DjangoModelFactory[Credential]):
    """An active, widget-wide credential of OpenAI."""

    class Meta:
        model = Credential

    widget = factory.SubFactory(WidgetFactory)
    provider = "openai"
    api_key = "sk-factory-0123456789"


class AlertFactory(factory.django.DjangoModelFactory[Alert]):
    """An open alert."""

    class Meta:
        model = Alert

    widget = factory.SubFactory(WidgetFactory)
    code = "provider_failure"
    severity = "warning"
    message = "The provider failed."


class UsageFactory(factory.django.DjangoModelFactory[Usage]):
    """A call of a model that was answered."""

    class Meta:
        model = Usage

    widget = factory.SubFactory(WidgetFactory)
    purpose = "reply"
    model = "m-1"
    latency_ms = 40
    outcome = "ok"


class ExchangeFactory(factory.django.DjangoModelFactory[Exchange]):
    """A question that was answered."""

    class Meta:
        model = Exchange

    chat = factory.SubFactory(ChatFactory)
    widget = factory.SelfAttribute("chat.widget")
    first_message_id = 1
    last_message_id = 1
    question = "Do you deliver?"
    answer = "Yes."
    language = "en"
    way = "model"
    transformation = "none"
    classifier = "none"
    rag_status = "empty"
    outcome = "shown"
