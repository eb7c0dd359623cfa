"""The operators' event log."""

from typing import Any

from apps.agents import rules
from apps.agents.models import Agent, AgentEvent


def record_event(agent: Agent, type_: str, **details: Any) -> None:
    """Adds a line to an operator's event log, in the transaction of what it tells of. Raises KeyError for no type."""
    AgentEvent.objects.create(
        widget_id=agent.widget_id, agent=agent, type_code=rules.EVENT_CODES[type_], details=details
    )
