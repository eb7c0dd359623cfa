"""The events of visitors' sessions."""

from dataclasses import dataclass

from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRevoked(DomainEvent):
    """A visitor's session was ended: its token is no longer valid."""

    session_id: int
