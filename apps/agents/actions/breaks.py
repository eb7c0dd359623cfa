"""Operators who take a break."""

from django.db import transaction
from django.utils import timezone

from apps.agents.actions.event_log import record_event
from apps.agents.events import AgentChanged
from apps.agents.models import Agent
from apps.agents.rules.absence import away_since
from apps.core import bus


@transaction.atomic
def set_on_break(*, widget_id: int, agent_id: int, on_break: bool) -> None:
    """A person takes a break (`relaxation`), or is at work again (`active`); without effect for one who is already.

    Raises NOT_FOUND (404) for anybody else, or who is banned.
    """
    people = Agent.objects.for_widget(widget_id).people().select_related("widget")
    agent = people.select_for_update(no_key=True, of=("self",)).get_or_404(pk=agent_id)
    status = Agent.Status.RELAXATION if on_break else Agent.Status.ACTIVE
    if agent.status == status:
        return
    # As coming and going, which stand in the operator's own log: unseen by the audit trail.
    since = away_since(
        is_online=agent.online_since is not None, status=status, before=agent.away_since, now=timezone.now()
    )
    Agent.objects.for_widget(widget_id).filter(pk=agent_id).update(status=status, away_since=since)
    record_event(agent, "status_changed", status=status.value)
    bus.publish(
        AgentChanged(
            widget_id=agent.widget_id,
            widget_guid=agent.widget.guid,
            agent_id=agent.pk,
            is_banned=False,
            changed_fields=("status",),
        )
    )
