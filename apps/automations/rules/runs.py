"""How a run ended. Pure."""

from enum import StrEnum


class RunState(StrEnum):
    DONE = "done"
    PARTLY = "partly"  # an act was skipped or failed
    LIMIT = "limit"  # nothing was done: automations have acted too often in this chat


# Triggers that no visitor's word made: a reply then goes out once, also behind an answer.
SPEAKS_LATE = frozenset({"visitor_silent", "nothing_happened", "chat.closed"})


class ActResult(StrEnum):
    DONE = "done"
    SKIPPED = "skipped"
    FAILED = "failed"
