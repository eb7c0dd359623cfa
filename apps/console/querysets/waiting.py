"""Reads of the visitors who wait for an operator."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Max, Q
from django.utils import timezone

from apps.agents.models import Agent
from apps.chats.models import Chat


@dataclass(frozen=True, slots=True)
class Waiting:
    """The visitors who wait for an operator: how many, and the newest message among theirs; 0 without any."""

    count: int
    newest: int


def waiting_for(agent: Agent) -> Waiting:
    """The chats that wait for this operator, or for any, at their widget."""
    chats = Chat.objects.for_widget(agent.widget_id).unanswered(timezone.now()).filter(Q(agent=None) | Q(agent=agent))
    found = chats.aggregate(count=Count("pk"), newest=Max("last_message_id"))
    return Waiting(found["count"], found["newest"] or 0)
