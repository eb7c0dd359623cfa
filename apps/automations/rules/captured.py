"""The events of a chat by their names, read off the columns that changed. Pure."""

from collections.abc import Iterator, Mapping
from typing import Any

from apps.chats.rules import OPEN, Status

# Names beside those of events: a chat whose waits are to be looked at, and a wait that is due.
LOOK, WAIT = "look", "wait"
SNOOZE_ENDED, TAG_ADDED = "snooze.ended", "tag.added"
# The columns whose former value conditions may ask for (`previous.…`).
PREVIOUS = ("status", "agent_id", "department_id", "priority")
_OF_WAITS = frozenset(("agent_id", "department_id", "handed_over_at", "snoozed_at", "woken_at"))

Changes = Mapping[str, tuple[Any, Any]]


def events_of(changed: Changes) -> Iterator[str]:
    """The events that a change of a chat's columns is, in the order in which they are judged."""
    if "handed_over_at" in changed and changed["handed_over_at"][0] is None:
        yield "chat.handed_over"
    before, after = changed.get("status", (None, None))
    if after == Status.EXPIRED:
        yield "chat.closed"
    elif before == Status.EXPIRED and after in OPEN:
        yield "chat.reopened"
    if "woken_at" in changed and changed["woken_at"][1] is not None:
        yield SNOOZE_ENDED
    if "department_id" in changed:
        yield "department.changed"
    if "priority" in changed:
        yield "priority.changed"
    if "agent_id" in changed:
        yield "chat.unassigned" if changed["agent_id"][1] is None else "chat.assigned"


def may_begin_wait(changed: Changes) -> bool:
    """Whether a wait may begin with a change, or be due sooner; words begin theirs by themselves."""
    return not _OF_WAITS.isdisjoint(changed) or "chat.reopened" in events_of(changed)


def previous_of(changed: Changes) -> dict[str, Any]:
    """The former values that conditions may ask for."""
    return {name: changed[name][0] for name in PREVIOUS if name in changed}
