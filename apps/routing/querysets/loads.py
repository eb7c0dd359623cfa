"""The chats that operators have: their own, open or waiting, not put aside, and those that they are offered."""

from collections.abc import Mapping

from django.db.models import Count, Q

from apps.chats.models import Chat
from apps.chats.querysets.snoozes import is_snoozed
from apps.chats.rules import OPEN

# By operator, then by the department of the chats; None: without one.
Loads = Mapping[int, Mapping[int | None, int]]


def loads_of(widget_id: int) -> Loads:
    """The numbers of chats of all operators of a widget who have some."""
    owned = Chat.objects.for_widget(widget_id).filter(
        Q(status__in=OPEN) | Q(left_unanswered_at__isnull=False), agent__isnull=False
    )
    offered = Chat.objects.for_widget(widget_id).filter(offered_to__isnull=False)
    counted = (
        *owned.exclude(is_snoozed()).order_by().values_list("agent", "department").annotate(Count("pk")),
        *offered.order_by().values_list("offered_to", "department").annotate(Count("pk")),
    )
    found: dict[int, dict[int | None, int]] = {}
    for agent_id, department_id, count in counted:
        of_agent = found.setdefault(agent_id, {})
        of_agent[department_id] = of_agent.get(department_id, 0) + count
    return found
