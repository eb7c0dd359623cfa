"""Factories of AI rows."""

import factory
import openai  # noqa: F401 - a process imports it within the time of its first call: on a busy machine, all of it

from apps.ai.actions.personas import begin_persona
from apps.ai.models import Alert, Assistant, Credential
from apps.ai.rules.actors import SYSTEM
from tests.factories.accounts import WidgetFactory


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
