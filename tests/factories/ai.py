"""Factories of AI rows."""

from datetime import timedelta
from uuid import uuid4

import factory
import openai  # noqa: F401 - a process imports it within the time of its first call: on a busy machine, all of it
from django.utils import timezone

from apps.ai.actions.personas import begin_persona
from apps.ai.models import (
    Alert,
    Assistant,
    Credential,
    Exchange,
    ExternalOperator,
    OperatorHealth,
    ProbeTest,
    Turn,
    Usage,
)
from apps.ai.rules.actors import SYSTEM
from tests.factories.accounts import WidgetFactory
from tests.factories.agents import AgentFactory
from tests.factories.chats import ChatFactory, MessageFactory


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


class ExternalOperatorFactory(factory.django.DjangoModelFactory[ExternalOperator]):
    """A draft whose address has proved nothing; `standing` and its agent's status are to be given together."""

    class Meta:
        model = ExternalOperator
        skip_postgeneration_save = True

    widget = factory.SubFactory(WidgetFactory)
    agent = factory.SubFactory(
        AgentFactory,
        widget=factory.SelfAttribute("..widget"),
        type="webhook",
        status="relaxation",
        user=None,
        email="",
        name="Robin",
        show_in_header=False,
    )
    url = target = "https://bot.example.com/turns"
    secret = "eosec_" + 43 * "s"

    @factory.post_generation
    def health(self, create: bool, extracted: object, **kwargs: object) -> None:
        OperatorHealth.objects.create(operator=self)


class ProbeTestFactory(factory.django.DjangoModelFactory[ProbeTest]):
    """A test that nobody has taken."""

    class Meta:
        model = ProbeTest

    operator = factory.SubFactory(ExternalOperatorFactory)
    url = target = factory.SelfAttribute("operator.url")
    challenge = 43 * "c"
    status = "failed"
    error = "unreachable"


class TurnFactory(factory.django.DjangoModelFactory[Turn]):
    """An open turn that the endpoint has not taken yet, about the `message`."""

    class Meta:
        model = Turn

    class Params:
        message = factory.SubFactory(MessageFactory)

    operator = factory.SubFactory(ExternalOperatorFactory)
    widget = factory.SelfAttribute("operator.widget")
    chat = factory.SelfAttribute("message.chat")
    causation_id = factory.LazyFunction(lambda: str(uuid4()))
    first_message_id = last_message_id = factory.SelfAttribute("message.id")
    way = "answer"
    state = "queued"
    deadline_at = factory.LazyFunction(lambda: timezone.now() + timedelta(minutes=2))
