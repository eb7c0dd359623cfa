"""AI operators: rows of `agents` that run an assistant. No seat, no user, never a chat's owner."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.models import Widget
from apps.agents.actions import bind_assistant, create_machine, set_machine_status, update_profile
from apps.agents.models import Agent
from apps.ai.actions.assistants import lock_assistants
from apps.ai.events import AiConfigurationChanged
from apps.ai.models import AiOperator, Assistant
from apps.core import bus
from apps.core.errors import INVALID_INPUT

UNKNOWN_ASSISTANT = "The widget has no such assistant."


@transaction.atomic
def create_operator(
    *,
    widget_id: int,
    assistant_id: int,
    name: str | None = None,
    show_in_header: bool = True,
    status: str = "active",
) -> Agent:
    """Makes an AI operator, by default with the assistant's name. Raises INVALID_INPUT (422) on `assistant_id`."""
    lock_assistants(widget_id)
    assistant = _assistant(widget_id, assistant_id)
    agent = create_machine(
        widget=Widget.objects.get(pk=widget_id),
        type_=Agent.Type.AI,
        name=name or assistant.name,
        status=Agent.Status(status),
        show_in_header=show_in_header,
        assistant_id=assistant_id,
    )
    bus.publish(AiConfigurationChanged(widget_id=widget_id))
    return agent


@transaction.atomic
def change_operator(*, widget_id: int, operator_id: int, changes: Mapping[str, Any]) -> None:
    """Changes the assistant, name, place in the header or status of an AI operator; `active` brings a retired one back.

    Raises NOT_FOUND (404); INVALID_INPUT (422) on `assistant_id` for an unknown assistant, or where a retired operator
    would come back without one.
    """
    lock_assistants(widget_id)
    operator = AiOperator.objects.for_widget(widget_id).get_for_update(pk=operator_id)
    assistant_id = changes.get("assistant_id", operator.ai_assistant_id)
    if "assistant_id" in changes:
        _assistant(widget_id, assistant_id)
        bind_assistant(widget_id=widget_id, agent_id=operator_id, assistant_id=assistant_id)
    if profile := {name: changes[name] for name in ("name", "show_in_header") if name in changes}:
        update_profile(widget_id=widget_id, agent_id=operator_id, changes=profile)
    if "status" in changes:
        if operator.status == Agent.Status.BANNED and assistant_id is None:
            raise INVALID_INPUT(errors={"assistant_id": ["It has no assistant any more: name one."]})
        set_machine_status(widget_id=widget_id, agent_id=operator_id, status=Agent.Status(changes["status"]))
    bus.publish(AiConfigurationChanged(widget_id=widget_id))


@transaction.atomic
def retire_operator(*, widget_id: int, operator_id: int) -> None:
    """Retires an AI operator; on a retired one without effect. Raises NOT_FOUND (404)."""
    AiOperator.objects.for_widget(widget_id).get_for_update(pk=operator_id)
    set_machine_status(widget_id=widget_id, agent_id=operator_id, status=Agent.Status.BANNED)
    bus.publish(AiConfigurationChanged(widget_id=widget_id))


def _assistant(widget_id: int, assistant_id: int | None) -> Assistant:
    assistant = Assistant.objects.for_widget(widget_id).filter(pk=assistant_id or 0).first()
    if assistant is None:
        raise INVALID_INPUT(errors={"assistant_id": [UNKNOWN_ASSISTANT]})
    return assistant
