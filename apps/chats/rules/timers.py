"""The kinds of moments that a chat waits for, and the names of causes of one. Pure."""

from datetime import UTC, datetime
from enum import StrEnum

MAX_KEY, MAX_ANCHOR = 64, 64


class TimerKind(StrEnum):
    SNOOZE = "snooze"  # the end of a snooze
    OWNER_AWAY = "owner_away"  # its owner has been away for too long
    OWNER_SILENT = "owner_silent"  # its owner is here, and has let the visitor wait for too long
    OFFER = "offer"  # the end of an offer
    OVERFLOW = "overflow"  # nobody of its department has been there for too long
    SLA_WARNING = "sla_warning"
    SLA_BREACH = "sla_breach"
    AUTOMATION = "automation"


def moment_anchor(moment: datetime) -> str:
    """The name of a moment that set a timer."""
    return moment.astimezone(UTC).isoformat()
