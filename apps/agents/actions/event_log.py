"""The operators' event log."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from apps.agents import rules
from apps.agents.models import Agent, AgentEvent
from apps.core.bus import Cte


class LoggedEvent(NamedTuple):
    """A line to be added to an operator's event log; `details` are ids and values."""

    widget_id: int
    agent_id: int
    type: str
    details: Mapping[str, Any]


def record_event(agent: Agent, type_: str, **details: Any) -> None:
    """Adds a line to an operator's event log, in the transaction of what it tells of. Raises KeyError for no type."""
    AgentEvent.objects.create(
        widget_id=agent.widget_id, agent=agent, type_code=rules.EVENT_CODES[type_], details=details
    )


# The lines as JSON: the driver takes far longer to write arrays.
_LOG = """
agents_logged AS (
    INSERT INTO agents_agentevent (widget_id, agent_id, type_code, details)
    SELECT given.* FROM written, json_to_recordset(%(agents_logged)s::json)
        AS given (widget_id bigint, agent_id bigint, type_code smallint, details jsonb)
    RETURNING 1
)"""


def events_cte(lines: Sequence[LoggedEvent]) -> Cte | None:
    """Adds lines to event logs, as part of the action's statement; None for no line. Raises KeyError for no type."""
    if not lines:
        return None
    given = [
        {
            "widget_id": line.widget_id,
            "agent_id": line.agent_id,
            "type_code": rules.EVENT_CODES[line.type],
            "details": line.details,
        }
        for line in lines
    ]
    parameters = {"agents_logged": orjson.dumps(given).decode()}
    value = "(SELECT count(*) FROM agents_logged)"
    return Cte(_LOG, parameters, value, then=lambda logged: None, is_for_each=True)
