"""Operators and departments."""

from typing import Any

import factory
from factory.django import DjangoModelFactory

from apps.agents.models import Agent, AgentEvent, Department
from tests.factories.accounts import UserFactory, WidgetFactory


class AgentFactory(DjangoModelFactory[Agent]):
    """A human operator who may sign in to the console."""

    class Meta:
        model = Agent

    widget = factory.SubFactory(WidgetFactory)
    name = factory.Sequence(lambda n: f"Agent {n}")
    email = factory.Sequence(lambda n: f"agent-{n}@example.test")
    user = factory.SubFactory(
        UserFactory,
        account=factory.SelfAttribute("..widget.account"),
        email=factory.SelfAttribute("..email"),
        name=factory.SelfAttribute("..name"),
    )


class OwnerFactory(AgentFactory):
    """The widget's owner: its default human operator, and staff of the cabinet."""

    role = Agent.Role.OWNER
    user = factory.SubFactory(
        UserFactory,
        account=factory.SelfAttribute("..widget.account"),
        email=factory.SelfAttribute("..email"),
        name=factory.SelfAttribute("..name"),
        is_staff=True,
    )


class AiAgentFactory(DjangoModelFactory[Agent]):
    """An AI operator: nobody signs in as it."""

    class Meta:
        model = Agent

    widget = factory.SubFactory(WidgetFactory)
    name = factory.Sequence(lambda n: f"AI {n}")
    type = Agent.Type.AI


class DepartmentFactory(DjangoModelFactory[Department]):
    """A department; `agents=[…]` are its members."""

    class Meta:
        model = Department
        skip_postgeneration_save = True

    widget = factory.SubFactory(WidgetFactory)
    name = factory.Sequence(lambda n: f"Department {n}")
    channels = factory.LazyFunction(lambda: ["smb"])

    @factory.post_generation
    def agents(self: Any, create: bool, extracted: list[Agent] | None, **_: Any) -> None:
        if create and extracted:
            self.agents.set(extracted)


class AgentEventFactory(DjangoModelFactory[AgentEvent]):
    """A line of an operator's event log: a chat was accepted."""

    class Meta:
        model = AgentEvent

    agent = factory.SubFactory(AgentFactory)
    widget = factory.SelfAttribute("agent.widget")
    type_code = 5
