"""How open chats are counted. Pure."""

from collections import Counter
from collections.abc import Collection
from typing import Any, NamedTuple

from apps.chats.rules import OPEN, Status

# The values of `rings_for` of a chat that is in a queue.
IN_QUEUE = ("queue", "offered")


class CountedChat(NamedTuple):
    """A chat as it is counted: how far it has come, whose it is, and whether its visitor waits for an answer.

    It is open, or was closed while its visitor waited: then only the wait counts. A chat that is put aside is only
    that. One in which nothing was said is in no count.
    """

    version: int
    status: Status
    channel: str
    agent_id: int | None
    department_id: int | None
    is_unanswered: bool
    is_snoozed: bool = False
    is_empty: bool = False
    is_queued: bool = False
    is_due: bool = False


class Counts:
    """How many chats there are of each kind, kept up as they come and go."""

    def __init__(self) -> None:
        self._numbers: Counter[tuple[str, Any]] = Counter()

    def add(self, chat: CountedChat) -> None:
        self._numbers.update(_kinds(chat))

    def remove(self, chat: CountedChat) -> None:
        self._numbers.subtract(_kinds(chat))

    def of(self, agent_id: int, department_ids: Collection[int]) -> dict[str, Any]:
        """As an operator is shown them: `mine` are those that they own, `department` those of their departments."""
        numbers = self._numbers
        channels = {code: count for (kind, code), count in numbers.items() if kind == "channel" and count}
        return {
            "unanswered": numbers["unanswered", True],
            "mine": numbers["agent", agent_id],
            "department": sum(numbers["department", id_] for id_ in department_ids),
            "open": sum(numbers["status", status] for status in OPEN),
            "queue": numbers["queue", True],
            "due": numbers["due", True],
            "snoozed": numbers["snoozed", True],
            "statuses": {str(status): numbers["status", status] for status in OPEN},
            "channels": dict(sorted(channels.items())),
        }


def _kinds(chat: CountedChat) -> list[tuple[str, Any]]:
    if chat.is_snoozed:
        return [("snoozed", True)]
    if chat.is_empty:
        return []
    if chat.status not in OPEN:
        return _waits(chat)
    return [
        *_waits(chat),
        ("status", chat.status),
        ("channel", chat.channel),
        ("agent", chat.agent_id),
        ("department", chat.department_id),
    ]


def _waits(chat: CountedChat) -> list[tuple[str, Any]]:
    return [("unanswered", chat.is_unanswered), ("queue", chat.is_queued), ("due", chat.is_due)]
