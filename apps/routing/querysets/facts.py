"""Members of operators' rows that routing knows: offers' reasons, places in the queue, and when an answer is due."""

from collections.abc import Collection
from typing import Any

from django.db.models import F, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from apps.chats.models import Chat
from apps.chats.querysets.priorities import queue_rank
from apps.routing.models import Assignment
from apps.routing.querysets.clocks import due_of_chats
from apps.routing.rules.reasons import shown_why


def waiting_facts(widget_id: int, due_ids: Collection[int], queued_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """By chat its answer time that is due first (`sla`), the reasons of its offer (`why`), and its `place` in the queue
    of its department; none for the others.

    `due_ids` are waiting chats with a running clock, `queued_ids` those in a queue: without any nothing is read.
    """
    due = due_of_chats(widget_id, due_ids) if due_ids else {}
    found: dict[int, dict[str, Any]] = {chat_id: {"sla": of_chat} for chat_id, of_chat in due.items()}
    if not queued_ids:
        return found
    places = places_of(widget_id)
    for chat_id in queued_ids:
        found.setdefault(chat_id, {})["place"] = places.get(chat_id)
    offers = Assignment.objects.for_widget(widget_id).standing().filter(chat__in=queued_ids)
    for chat_id, why in offers.values_list("chat", "why"):
        found[chat_id]["why"] = shown_why(why)
    return found


def places_of(widget_id: int) -> dict[int, int]:
    """The place of each queued chat in the queue of its department, from 1."""
    chats = Chat.objects.for_widget(widget_id).filter(queued_at__isnull=False)
    order = [queue_rank(timezone.now()).desc(), F("queued_at").asc(), F("pk").asc()]
    place = Window(RowNumber(), partition_by=[F("department_id")], order_by=order)
    return dict(chats.annotate(place=place).values_list("pk", "place"))
