"""The events of the operator's side."""

from dataclasses import dataclass

from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorSignedOut(DomainEvent):
    """A person ended one of their sessions."""

    user_id: int
