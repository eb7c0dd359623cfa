"""Reads of the visitors who wait for an operator."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Max
from django.utils import timezone

from apps.agents.models import Agent
from apps.chats.models import Chat
from apps.chats.querysets.ringing import rings_for, rings_for_operator


@dataclass(frozen=True, slots=True)
class Waiting:
    """The visitors who wait for an operator: how many, and the newest message among theirs; 0 without any."""

    count: int
    newest: int


def waiting_for(agent: Agent) -> Waiting:
    """The chats that ring for this operator, alone or with all others, at their widget."""
    now = timezone.now()
    chats = Chat.objects.for_widget(agent.widget_id).unanswered(now).annotate(rings=rings_for())
    chats = chats.filter(rings_for_operator(agent.pk))
    found = chats.aggregate(count=Count("pk"), newest=Max("last_message_id"))
    return Waiting(found["count"], found["newest"] or 0)
