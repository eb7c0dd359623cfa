"""The work of routing's queues and timers, done at once and as of a moment."""

from datetime import datetime

from django.utils import timezone

from apps.agents.models import Agent
from apps.chats.actions.timers import run_due
from apps.chats.models import Chat
from apps.routing.actions.looks import look_at
from apps.routing.actions.router import decide
from apps.routing.models import QueueRow, RouterRow


def serve(as_of: datetime | None = None) -> None:
    """Looks at each chat that is due, and decides, until nothing is left to do at that moment."""
    as_of = as_of or timezone.now()
    for _ in range(20):
        looks = list(QueueRow.objects.filter(due_at__isnull=False).order_by("pk"))
        QueueRow.objects.filter(pk__in=[row.pk for row in looks]).update(due_at=None)
        for row in looks:
            look_at(widget_id=row.widget_id, chat_id=row.chat_id, as_of=as_of)
        widgets = list(RouterRow.objects.filter(due_at__isnull=False).values_list("widget_id", flat=True))
        RouterRow.objects.update(due_at=None)
        for widget_id in widgets:
            decide(widget_id=widget_id, as_of=as_of)
        if not looks and not widgets:
            return
    raise AssertionError("routing does not come to rest")


def pass_time(until: datetime) -> None:
    """Tells of what is due by then, and serves."""
    run_due(as_of=until)
    serve(until)


def come(*agents: Agent) -> None:
    """They have the console open, as if for an hour."""
    Agent.objects.filter(pk__in=[each.pk for each in agents]).update(
        online_since=timezone.now() - timezone.timedelta(hours=1), status="active", away_since=None
    )


def offered(chat: Chat) -> int | None:
    found: int | None = Chat.objects.values_list("offered_to", flat=True).get(pk=chat.pk)
    return found
