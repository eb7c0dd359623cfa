"""What happens to operators. The widget's guid travels along, so that a reaction needs no look-up."""

from dataclasses import dataclass

from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentChanged(DomainEvent):
    """An operator's status, name, avatar or place in the header changed. What is served of the widget is stale."""

    widget_id: int
    widget_guid: str
    agent_id: int
    is_banned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentWentOnline(DomainEvent):
    """An operator's first socket connected."""

    widget_id: int
    widget_guid: str
    agent_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentWentOffline(DomainEvent):
    """An operator's last socket disconnected, or its process was found dead."""

    widget_id: int
    widget_guid: str
    agent_id: int
