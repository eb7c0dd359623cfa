"""The log of a widget, read back: for each moment who had a place, what was offered, and whose each chat was.

Nothing but the log is read: assignments, steps, messages, and the operators' own events.
"""

from bisect import bisect_right
from collections import defaultdict
from datetime import datetime, timedelta

from apps.accounts.models import Widget
from apps.agents.models import AgentEvent
from apps.agents.rules import event_type
from apps.chats.models import Chat, ChatActivity, Message
from apps.chats.rules.console_settings import DEFAULT_AWAY_MINUTES
from apps.routing.models import Assignment
from apps.routing.rules.matching import ASKED_AGAIN_AFTER

# The router looks again within so long by itself.
AGAIN = timedelta(seconds=70)
PATIENCE = timedelta(minutes=DEFAULT_AWAY_MINUTES)  # with an owner who is away


class Records:
    """The log of one widget whose departments have these members, each with so many places."""

    def __init__(self, widget: Widget, members: dict[int, set[int]], capacity: int) -> None:
        self._members, self._capacity = members, capacity
        self._offers: dict[int, list[Assignment]] = defaultdict(list)
        for row in Assignment.objects.filter(widget=widget).order_by("pk"):
            self._offers[row.chat_id].append(row)
        self._closed: dict[int, list[datetime]] = defaultdict(list)
        for chat_id, at in ChatActivity.objects.filter(widget=widget, kind="closed").values_list("chat", "at"):
            self._closed[chat_id].append(at)
        self.chats = {chat.pk: chat for chat in Chat.objects.filter(widget=widget)}
        self._presence = _presence(widget)
        self.waits = self._waits(widget)

    def _waits(self, widget: Widget) -> list[tuple[int, datetime, datetime | None]]:
        """Each chat's waits: from the visitor's first word that nobody had answered to the answer, or the close."""
        waiting: dict[int, datetime] = {}
        found: list[tuple[int, datetime, datetime | None]] = []
        words = Message.objects.filter(widget=widget).values_list("created_at", "chat", "sender_kind")
        closes = [(at, chat_id, "closed") for chat_id, moments in self._closed.items() for at in moments]
        for at, chat_id, kind in sorted([*words, *closes]):
            if kind == "client":
                waiting.setdefault(chat_id, at)
            elif kind in ("agent", "closed") and chat_id in waiting:
                found.append((chat_id, waiting.pop(chat_id), at))
        return found + [(chat_id, since, None) for chat_id, since in waiting.items()]

    def owner_at(self, chat_id: int, moment: datetime) -> int | None:
        """Who has accepted it last."""
        taken = [
            row
            for row in self._offers[chat_id]
            if row.outcome in ("accepted", "assigned") and row.ended_at is not None and row.ended_at <= moment
        ]
        return taken[-1].agent_id if taken else None

    def offered_at(self, chat_id: int, moment: datetime) -> Assignment | None:
        """The offer that stands."""
        for row in self._offers[chat_id]:
            if row.given_at <= moment and (row.ended_at is None or moment < row.ended_at):
                return row
        return None

    def load_at(self, agent_id: int, moment: datetime) -> int:
        """Open chats of theirs, and offers."""
        return sum(
            not any(at <= moment for at in self._closed[chat_id])
            and (self.owner_at(chat_id, moment) == agent_id or self._is_offered(chat_id, agent_id, moment))
            for chat_id in self._offers
        )

    def _is_offered(self, chat_id: int, agent_id: int, moment: datetime) -> bool:
        offer = self.offered_at(chat_id, moment)
        return offer is not None and offer.agent_id == agent_id

    def is_there(self, agent_id: int, moment: datetime) -> bool:
        """Online and at work."""
        changes = self._presence[agent_id]
        place = bisect_right(changes, moment, key=lambda change: change[0])
        return place > 0 and changes[place - 1][1]

    def away_since(self, agent_id: int, moment: datetime) -> datetime:
        """When they left, of one who is not there."""
        changes = self._presence[agent_id]
        return changes[bisect_right(changes, moment, key=lambda change: change[0]) - 1][0]

    def why_waits(self, chat_id: int, since: datetime, moment: datetime) -> str | None:
        """What a chat waits for at a moment of its wait; None where the log does not say."""
        if (offer := self.offered_at(chat_id, moment)) is not None:
            return f"offered to {offer.agent_id}"
        owner_id = self.owner_at(chat_id, moment)
        if owner_id is not None:
            if self.is_there(owner_id, moment):
                return f"its owner {owner_id} has it"
            if moment <= max(since, self.away_since(owner_id, moment)) + PATIENCE:
                return f"its owner {owner_id} may come back"
        return self._why_not_given(chat_id, since, moment, owner_id)

    def _why_not_given(self, chat_id: int, since: datetime, moment: datetime, owner_id: int | None) -> str | None:
        members = self._members[self.chats[chat_id].department_id or 0]
        there = {agent_id for agent_id in members if self.is_there(agent_id, moment)}
        if not there:
            return "nobody of its department is there"
        free = {agent_id for agent_id in there if self.load_at(agent_id, moment) < self._capacity}
        if not free:
            return "all of its department are full"
        passed = {
            row.agent_id
            for row in self._offers[chat_id]
            if row.outcome in ("missed", "declined", "withdrawn")
            and row.waits_since == since
            and row.ended_at is not None
            and row.ended_at <= moment < row.ended_at + ASKED_AGAIN_AFTER + AGAIN
        }
        return "all who have a place let it pass" if free <= passed | {owner_id} else None


def _presence(widget: Widget) -> dict[int, list[tuple[datetime, bool]]]:
    """By operator when they came and left: online, and not on a break."""
    online: dict[int, bool] = defaultdict(bool)
    active: dict[int, bool] = defaultdict(lambda: True)
    found: dict[int, list[tuple[datetime, bool]]] = defaultdict(list)
    for agent_id, code, details, at in (
        AgentEvent.objects.filter(widget=widget)
        .order_by("pk")
        .values_list("agent", "type_code", "details", "created_at")
    ):
        kind = event_type(code)
        if kind in ("online", "offline"):
            online[agent_id] = kind == "online"
        elif kind == "status_changed":
            active[agent_id] = details["status"] == "active"
        else:
            continue
        found[agent_id].append((at, online[agent_id] and active[agent_id]))
    return found
