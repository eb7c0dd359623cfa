"""How urgent a chat is. Pure."""

from datetime import timedelta
from enum import StrEnum

# In a queue, each such wait counts as one rank more.
AGING = timedelta(minutes=15)


class Priority(StrEnum):
    """In rising order; `rank` is the place in it."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"
    URGENT = "urgent"

    @property
    def rank(self) -> int:
        return list(Priority).index(self)
