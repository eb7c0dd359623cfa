"""For how long a chat is put aside. Pure."""

from datetime import datetime, timedelta

LONGEST = timedelta(days=90)


def moment_refusal(until: datetime, now: datetime) -> str | None:
    """Why a chat is not put aside until then; None if it can be."""
    if until <= now:
        return "The moment is past."
    return f"At most {LONGEST.days} days." if until - now > LONGEST else None
