"""AI and external (webhook) operators: their apps make them, set their status and bind them to an assistant.

They take no seat, have no sign-in and are never online. `update_profile` renames one; suspending or restoring one over
the API does what is done to people, and its app handles `AgentChanged`.
"""

from django.db import transaction

from apps.accounts.models import Widget
from apps.agents.actions.agents import locked_agent, record_change
from apps.agents.events import AgentChanged
from apps.agents.models import Agent
from apps.core import bus
from apps.core.errors import NOT_FOUND


@transaction.atomic
def create_machine(
    *,
    widget: Widget,
    type_: Agent.Type,
    name: str,
    status: Agent.Status = Agent.Status.ACTIVE,
    show_in_header: bool = True,
    assistant_id: int | None = None,
) -> Agent:
    """Makes an AI or external operator of the widget; `assistant_id` is the assistant that an AI operator runs.

    Raises ValueError for a person, who comes by an invitation.
    """
    if type_ is Agent.Type.HUMAN:
        raise ValueError("a person becomes an operator by an invitation")
    agent = Agent.objects.create(
        widget=widget,
        type=type_,
        name=name,
        status=status,
        show_in_header=show_in_header,
        ai_assistant_id=assistant_id,
    )
    bus.publish(
        AgentChanged(
            widget_id=widget.pk,
            widget_guid=widget.guid,
            agent_id=agent.pk,
            is_banned=status == Agent.Status.BANNED,
            changed_fields=(),
        )
    )
    return agent


@transaction.atomic
def set_machine_status(*, widget_id: int, agent_id: int, status: Agent.Status) -> None:
    """Gives an AI or external operator a status; banned means retired. Without effect for one that has it.

    Raises NOT_FOUND (404), also for a person.
    """
    agent = _locked_machine(widget_id, agent_id)
    if agent.status == status:
        return
    if status == Agent.Status.BANNED:
        record_change(agent, "suspended", status=status)
    elif agent.status == Agent.Status.BANNED:
        record_change(agent, "restored", log={"status": status.value}, status=status)
    else:
        record_change(agent, "status_changed", log={"status": status.value}, status=status)


@transaction.atomic
def bind_assistant(*, widget_id: int, agent_id: int, assistant_id: int | None) -> None:
    """Has an AI operator run an assistant, or none. Raises NOT_FOUND (404), also for a person."""
    agent = _locked_machine(widget_id, agent_id)
    if agent.ai_assistant_id != assistant_id:
        log = {"fields": ["ai_assistant_id"]}
        record_change(agent, "profile_updated", log=log, ai_assistant_id=assistant_id)


def _locked_machine(widget_id: int, agent_id: int) -> Agent:
    agent = locked_agent(widget_id, agent_id)
    if agent.type == Agent.Type.HUMAN:
        raise NOT_FOUND()
    return agent
