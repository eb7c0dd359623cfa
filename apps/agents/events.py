"""The events of operators. The widget's guid travels along, so that a handler needs no look-up."""

from dataclasses import dataclass

from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentChanged(DomainEvent):
    """An operator was added, or their status, name, avatar or place in the header changed: `changed_fields`."""

    widget_id: int
    widget_guid: str
    agent_id: int
    is_banned: bool
    changed_fields: tuple[str, ...]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartmentChanged(DomainEvent):
    """A department was made, or its name, channels or agents changed."""

    widget_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartmentDeleted(DomainEvent):
    """A department goes. Published while its row is there, locked, for its chats to let go of it."""

    widget_id: int
    department_id: int
