"""Operators and departments."""

from datetime import timedelta
from typing import Any

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from apps.accounts.models import User
from apps.agents import rules
from apps.agents.models import Agent, AgentEvent, Department, Invitation
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
        role=User.Role.OWNER,
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


class InvitationFactory(DjangoModelFactory[Invitation]):
    """A pending invitation, sent just now; whoever has `secret` may accept it.

    An attribute set aside the model: `age`, how long ago it was sent.
    """

    class Meta:
        model = Invitation

    widget = factory.SubFactory(WidgetFactory)
    email = factory.Sequence(lambda n: f"invited-{n}@mail.test")

    @classmethod
    def _create(cls, model_class: type[Invitation], *args: Any, **fields: Any) -> Invitation:
        secret = rules.new_secret()
        sent = timezone.now() - fields.pop("age", timedelta())
        times = {"created_at": sent, "expires_at": sent + rules.INVITATION_LIVES}
        invitation = model_class.objects.create(digest=rules.secret_digest(secret), **{**times, **fields})
        invitation.secret = secret  # type: ignore[attr-defined]
        return invitation


def secret_of(invitation: Invitation) -> str:
    """What the link of an invitation that InvitationFactory made ends with."""
    secret: str = invitation.secret  # type: ignore[attr-defined]
    return secret
