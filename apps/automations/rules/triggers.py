"""The events and waits that automations act upon. Pure."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from apps.automations.rules.refusals import Refusal, is_whole, member_refusals, one_of

MAX_WAIT_MINUTES = 43_200  # 30 days


class AutomationTrigger(StrEnum):
    """An event of a chat."""

    CHAT_STARTED = "chat.started"  # by its visitor
    VISITOR_WROTE = "visitor.wrote"
    PERSON_WROTE = "person.wrote"
    AI_ANSWERED = "ai.answered"
    CHAT_HANDED_OVER = "chat.handed_over"
    CHAT_ASSIGNED = "chat.assigned"
    CHAT_UNASSIGNED = "chat.unassigned"
    DEPARTMENT_CHANGED = "department.changed"
    PRIORITY_CHANGED = "priority.changed"
    TAG_ADDED = "tag.added"  # in each open chat of the contact
    CHAT_CLOSED = "chat.closed"
    CHAT_REOPENED = "chat.reopened"
    CHAT_RATED = "chat.rated"
    SNOOZE_ENDED = "snooze.ended"
    SLA_WARNING = "sla.warning"
    SLA_BREACHED = "sla.breached"


class Wait(StrEnum):
    """A state of a chat that has lasted for so many minutes; it counts from its beginning, once."""

    VISITOR_WAITS = "visitor_waits"
    VISITOR_SILENT = "visitor_silent"  # the shop spoke last
    UNASSIGNED = "unassigned"  # the visitor waits, and the chat has no owner
    NOTHING_HAPPENED = "nothing_happened"  # no word, no act of people


class WaitClock(StrEnum):
    """The minutes that count: those in which the chat's department is open, or all."""

    OPEN = "open"
    ALWAYS = "always"


EVENTS, WAITS = tuple(map(str, AutomationTrigger)), tuple(map(str, Wait))


def when_refusals(when: Any, path: str = "when") -> list[Refusal]:
    """Why this is no event and no wait, by path; empty when it is one. A wait without a clock counts open minutes."""
    if not isinstance(when, Mapping) or ("event" in when) is ("wait" in when):
        return [(path, "An object with an event, or with a wait and its minutes, is expected.")]
    if "event" in when:
        return member_refusals(when, ("event",), path) or one_of(when["event"], EVENTS, f"{path}.event")
    found = member_refusals(when, ("wait", "minutes", "clock"), path) or one_of(when["wait"], WAITS, f"{path}.wait")
    if not is_whole(when.get("minutes"), 1, MAX_WAIT_MINUTES):
        found.append((f"{path}.minutes", f"Must be from 1 to {MAX_WAIT_MINUTES} minutes."))
    return found + one_of(when.get("clock", WaitClock.OPEN), tuple(WaitClock), f"{path}.clock")


def read_when(when: Mapping[str, Any]) -> dict[str, Any]:
    """An event or a wait without refusals, with all its members."""
    return {**when, "clock": str(when.get("clock", WaitClock.OPEN))} if "wait" in when else dict(when)
