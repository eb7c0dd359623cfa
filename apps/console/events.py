"""What happens at the operator's side."""

from dataclasses import dataclass

from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorSignedOut(DomainEvent):
    """Somebody ended a session of theirs."""

    user_id: int
