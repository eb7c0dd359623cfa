"""Since when an operator is away: the console is closed, or a break is taken; and the breaks. Pure."""

from datetime import datetime
from enum import StrEnum
from typing import Any

MAX_BREAK_NOTE = 60


class BreakReason(StrEnum):
    """Why an operator is on a break."""

    OWN = "own"  # they took it
    MISSED = "missed"  # they let too many offers in a row pass


# The fields of an operator who is on no break.
NO_BREAK: dict[str, Any] = {"break_since": None, "break_reason": "", "break_note": "", "break_passes_on": False}


def away_since(*, is_online: bool, status: str, before: datetime | None, now: datetime) -> datetime | None:
    """Since when an operator is away who is online or not, in that status; None for one who is there.

    `before` is since when they were away until now: coming back on a break ends no absence.
    """
    return None if is_online and status == "active" else before or now


def shown_break(agent: Any) -> dict[str, Any] | None:
    """The break of an operator as colleagues are shown it; None for an operator who is on none.

    A break of before breaks had a beginning is shown since they are away.
    """
    if agent.status != "relaxation":
        return None
    return {
        "reason": agent.break_reason or BreakReason.OWN.value,
        "since": agent.break_since or agent.away_since,
        "note": agent.break_note,
        "pass_on": agent.break_passes_on,
    }
