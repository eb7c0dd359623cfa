"""Named reads of operators, departments and hours; each starts from the widget."""

from apps.agents.querysets.operators import (
    AVAILABLE_SQL,
    AgentEventQuerySet,
    AgentPresenceQuerySet,
    AgentQuerySet,
    DepartmentQuerySet,
    InvitationQuerySet,
)

__all__ = [
    "AVAILABLE_SQL",
    "AgentEventQuerySet",
    "AgentPresenceQuerySet",
    "AgentQuerySet",
    "DepartmentQuerySet",
    "InvitationQuerySet",
]
