"""Since when an operator is away: the console is closed, or a break is taken. Pure."""

from datetime import datetime


def away_since(*, is_online: bool, status: str, before: datetime | None, now: datetime) -> datetime | None:
    """Since when an operator is away who is online or not, in that status; None for one who is there.

    `before` is since when they were away until now: coming back on a break ends no absence.
    """
    return None if is_online and status == "active" else before or now
