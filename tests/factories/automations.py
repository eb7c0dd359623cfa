"""Automations, macros and runs, as rows: nothing is armed or judged by them."""

from __future__ import annotations

import factory
from factory.django import DjangoModelFactory

from apps.automations.models import Automation, AutomationEvent, AutomationRun, AutomationVersion, Macro
from tests.factories.accounts import WidgetFactory
from tests.factories.chats import ChatFactory


class AutomationFactory(DjangoModelFactory[Automation]):
    """A tried automation of version 1, switched on: a chat that a visitor begins becomes urgent."""

    class Meta:
        model = Automation
        skip_postgeneration_save = True

    widget = factory.SubFactory(WidgetFactory)
    name = factory.Sequence(lambda n: f"Automation {n}")
    is_enabled = True
    position = factory.Sequence(lambda n: n)
    version = 1
    when = factory.LazyFunction(lambda: {"event": "chat.started"})
    condition = None
    then = factory.LazyFunction(lambda: [{"do": "priority", "value": "urgent"}])
    tried_version = factory.SelfAttribute("version")

    @factory.post_generation
    def _versioned(self: Automation, create: bool, extracted: object, **_: object) -> None:
        AutomationVersion.objects.create(
            automation=self,
            version=self.version,
            when=self.when,
            condition=self.condition,
            then=self.then,
            stop=self.stop,
        )


class MacroFactory(DjangoModelFactory[Macro]):
    """A macro of all operators that makes a chat urgent."""

    class Meta:
        model = Macro

    widget = factory.SubFactory(WidgetFactory)
    name = factory.Sequence(lambda n: f"Macro {n}")
    then = factory.LazyFunction(lambda: [{"do": "priority", "value": "urgent"}])


class AutomationRunFactory(DjangoModelFactory[AutomationRun]):
    """A run of an automation in a chat of its widget, at the chat's first word."""

    class Meta:
        model = AutomationRun

    chat = factory.SubFactory(ChatFactory)
    widget = factory.SelfAttribute("chat.widget")
    automation = factory.SubFactory(AutomationFactory, widget=factory.SelfAttribute("..widget"))
    name = factory.LazyAttribute(lambda run: run.automation.name if run.automation else "Macro")
    version = 1
    trigger = factory.LazyFunction(lambda: {"event": "chat.started"})
    event_key = factory.Sequence(lambda n: f"event:{n}")
    did = factory.LazyFunction(lambda: [{"do": "priority", "result": "done", "why": None}])
    state = "done"


class AutomationEventFactory(DjangoModelFactory[AutomationEvent]):
    """An event of a chat that waits to be judged."""

    class Meta:
        model = AutomationEvent

    chat = factory.SubFactory(ChatFactory)
    widget = factory.SelfAttribute("chat.widget")
    event = "chat.started"
