"""The standing of one chat, as the API shows it."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, TypedDict, cast

from apps.chats.models import Chat
from apps.chats.querysets.ringing import rings_for
from apps.chats.querysets.waiting import waits_since
from apps.routing.models import Assignment
from apps.routing.querysets.clocks import answer_times_of_chat
from apps.routing.querysets.queue import in_order, queued
from apps.routing.rules.reasons import shown_why

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

MOST = 20


class _Standing(TypedDict):
    waits_since: datetime | None
    rings: str


def chat_routing(widget_id: int, chat_id: int, as_of: datetime) -> dict[str, Any]:
    """A chat's place, offer, and the last offers. Raises NOT_FOUND (404)."""
    chats = Chat.objects.for_widget(widget_id).annotate(waits_since=waits_since(as_of))
    found = chats.annotate(rings=rings_for()).get_or_404(pk=chat_id)
    chat = cast("WithAnnotations[Chat, _Standing]", found)
    rows = Assignment.objects.for_widget(widget_id).filter(chat=chat_id).order_by("-pk")[:MOST]
    assignments = [
        {
            "agent_id": row.agent_id,
            "given_at": row.given_at,
            "until": row.until,
            "outcome": row.outcome,
            "ended_at": row.ended_at,
            "why": shown_why(row.why),
        }
        for row in rows
    ]
    standing = next((row for row in assignments if row["outcome"] is None), None)
    return {
        "priority": chat.priority,
        "department_id": chat.department_id,
        "agent_id": chat.agent_id,
        "rings_for": chat.rings,
        "waits_since": chat.waits_since,
        "queue": place_of(chat, as_of) if chat.queued_at is not None else None,
        "offer": standing and {**standing, "since": standing["given_at"]},
        "assignments": assignments,
        "sla": answer_times_of_chat(chat, as_of),
    }


def place_of(chat: Chat, as_of: datetime) -> dict[str, int]:
    """The place of a queued chat in the queue of its department, from 1, and how many stand there."""
    chats = queued(chat.widget_id).filter(department=chat.department_id)
    ids = list(in_order(chats, as_of).values_list("pk", flat=True))
    return {"place": ids.index(chat.pk) + 1 if chat.pk in ids else len(ids), "of": len(ids)}
