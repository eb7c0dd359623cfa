"""Changes of operators: shown or not, suspended, removed, restored (specification, "Agent status").

Each of them locks the operator's row. A change without effect is neither logged nor published.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.agents import rules
from apps.agents.actions.event_log import record_event
from apps.agents.actions.seats import lock_seats
from apps.agents.errors import AI_OPERATOR_PROTECTED, OWNER_PROTECTED, SEAT_LIMIT_REACHED
from apps.agents.events import AgentChanged
from apps.agents.models import Agent
from apps.agents.rules.absence import NO_BREAK
from apps.core import bus


@transaction.atomic
def update_profile(*, widget_id: int, agent_id: int, changes: Mapping[str, Any]) -> None:
    """Changes `name`, `surname` or `show_in_header` of an operator; what is not named stays.

    Raises NOT_FOUND (404).
    """
    agent = locked_agent(widget_id, agent_id)
    changed = {name: value for name, value in changes.items() if getattr(agent, name) != value}
    if changed:
        record_change(agent, "profile_updated", log={"fields": sorted(changed)}, **changed)


@transaction.atomic
def suspend_agent(*, widget_id: int, agent_id: int) -> None:
    """Bans an operator; an AI operator is retired by it. Raises NOT_FOUND (404), OWNER_PROTECTED (409)."""
    agent = locked_agent(widget_id, agent_id)
    if agent.role == Agent.Role.OWNER:
        raise OWNER_PROTECTED()
    _ban(agent, "suspended")


@transaction.atomic
def remove_agent(*, widget_id: int, agent_id: int) -> None:
    """Deletes an operator softly: bans them, which frees their seat; chats, ratings and the log stay.

    Raises NOT_FOUND (404), OWNER_PROTECTED (409), AI_OPERATOR_PROTECTED (409).
    """
    agent = locked_agent(widget_id, agent_id)
    if agent.role == Agent.Role.OWNER:
        raise OWNER_PROTECTED()
    if agent.type == Agent.Type.AI:
        raise AI_OPERATOR_PROTECTED()
    _ban(agent, "removed")


@transaction.atomic
def dismiss(*, widget_id: int, user_id: int) -> None:
    """Ends a person's rights at a widget, after their account has suspended them.

    The widget keeps its owner's agent, which no person signs in as any more.
    """
    people = Agent.objects.for_widget(widget_id).filter(user_id=user_id).values_list("pk", flat=True)
    for agent_id in people:
        agent = locked_agent(widget_id, agent_id)
        if agent.role == Agent.Role.OWNER:
            record_change(agent, "suspended", user=None)
        else:
            _ban(agent, "suspended")


@transaction.atomic
def restore_agent(*, widget_id: int, agent_id: int) -> None:
    """Makes a banned operator active; a person needs a free seat. Raises NOT_FOUND, SEAT_LIMIT_REACHED (409)."""
    seats = lock_seats(widget_id)
    agent = locked_agent(widget_id, agent_id)
    if agent.status != Agent.Status.BANNED:
        return
    if rules.takes_seat(agent.type) and not rules.has_free_seat(seats=seats.seats, taken=seats.taken):
        raise SEAT_LIMIT_REACHED()
    record_change(agent, "restored", status=Agent.Status.ACTIVE, **NO_BREAK)


def locked_agent(widget_id: int, agent_id: int) -> Agent:
    """An operator of the widget with that widget, locked until the transaction ends. Raises NOT_FOUND (404)."""
    return Agent.objects.for_widget(widget_id).select_related("widget").get_for_update(pk=agent_id)


def record_change(agent: Agent, type_: str, /, *, log: dict[str, Any] | None = None, **fields: Any) -> None:
    """Saves those fields of a locked operator, adds to their log, and publishes what changed."""
    for name, value in fields.items():
        setattr(agent, name, value)
    agent.save(update_fields=fields)
    record_event(agent, type_, **(log or {}))
    bus.publish(
        AgentChanged(
            widget_id=agent.widget_id,
            widget_guid=agent.widget.guid,
            agent_id=agent.pk,
            is_banned=agent.status == Agent.Status.BANNED,
            changed_fields=tuple(fields),
        )
    )


def _ban(agent: Agent, type_: str) -> None:
    if agent.status != Agent.Status.BANNED:
        record_change(agent, type_, status=Agent.Status.BANNED)
