"""The places of waiting chats in their queues, as visitors are told of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.db import DatabaseError
from django.utils import timezone

from apps.chats.models import Chat
from apps.chats.rules.priorities import Priority
from apps.core import database
from apps.routing.actions.estimates import Telling, remember
from apps.routing.actions.settings import routings_of
from apps.routing.querysets.estimates import ended_waits
from apps.routing.rules.estimates import EndedWait, Estimate, estimate
from apps.routing.rules.matching import QueuedChat


class QueuePlace(NamedTuple):
    """A chat's place among those that wait in its department, and the time until a person answers, where known."""

    place: int
    of: int
    expects: Estimate | None

    def shown(self) -> dict[str, Any]:
        """As visitors get it."""
        return {
            "place": self.place,
            "of": self.of,
            "expects": None if self.expects is None else self.expects._asdict(),
        }


def places_among(widget_ids: Collection[int], chat_ids: Collection[int]) -> dict[int, QueuePlace]:
    """The places of those of these chats that are in a queue of these widgets, and are told of it.

    The time that is told first in a wait is remembered: managers are shown whether such times hold.
    """
    now, wanted = timezone.now(), set(chat_ids)
    return {chat_id: place for widget_id in widget_ids for chat_id, place in _told_of(widget_id, wanted, now)}


def place_of(widget_id: int, chat_id: int) -> dict[str, Any] | None:
    """A chat's place as its visitor gets it; None for one that is in no queue, or is not told of it."""
    found = places_among([widget_id], [chat_id]).get(chat_id)
    return None if found is None else found.shown()


def _told_of(widget_id: int, wanted: set[int], now: datetime) -> list[tuple[int, QueuePlace]]:
    """The places of a widget's chats; a time that is told is remembered, if the database takes writes."""
    found = list(_places_of(widget_id, wanted, now))
    tellings = [Telling(chat.id, chat.waits_since, place.expects) for chat, place in found if place.expects]
    if tellings:
        try:
            remember(widget_id, tellings, now)
        except DatabaseError as error:
            if not database.is_unavailable(error):
                raise
    return [(chat.id, place) for chat, place in found]


def _places_of(widget_id: int, wanted: set[int], now: datetime) -> Iterator[tuple[QueuedChat, QueuePlace]]:
    routings = routings_of(widget_id)
    of_widget = routings[None]
    if not of_widget.show_place:
        return
    waits: dict[int | None, list[EndedWait]] = {}
    seen: Counter[int | None] = Counter()
    chats = sorted(_queued(widget_id), key=lambda chat: chat.order(now))
    lengths = Counter(chat.department_id for chat in chats)
    for chat in chats:
        department_id = chat.department_id
        seen[department_id] += 1
        if chat.id not in wanted:
            continue
        expects = None
        if of_widget.show_expected:
            if department_id not in waits:
                waits[department_id] = ended_waits(widget_id, department_id, now)
            expects = estimate(waits[department_id], (now - chat.waits_since).total_seconds())
        yield chat, QueuePlace(seen[department_id], lengths[department_id], expects)


def _queued(widget_id: int) -> Iterator[QueuedChat]:
    """The chats in the queues of a widget, offered ones too."""
    chats = Chat.objects.for_widget(widget_id).filter(queued_at__isnull=False)
    for pk, department_id, priority, since in chats.values_list("pk", "department", "priority", "queued_at"):
        if since is None:
            continue
        yield QueuedChat(id=pk, department_id=department_id, priority=Priority(priority), waits_since=since)
