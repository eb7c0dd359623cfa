"""Operators who take a break."""

from django.db import transaction
from django.utils import timezone

from apps.agents.actions.event_log import record_event
from apps.agents.events import AgentChanged
from apps.agents.models import Agent
from apps.agents.rules.absence import NO_BREAK, BreakReason, away_since
from apps.core import bus


@transaction.atomic
def set_on_break(
    *,
    widget_id: int,
    agent_id: int,
    on_break: bool,
    note: str = "",
    pass_on: bool = False,
    reason: BreakReason = BreakReason.OWN,
) -> None:
    """A person takes a break (`relaxation`), or is at work again (`active`); without effect for one who is already.

    A second call during a break changes its `note` and `pass_on`, and keeps its beginning. `pass_on` sends their
    waiting visitors on to others at once. Raises NOT_FOUND (404) for anybody else, or who is banned.
    """
    people = Agent.objects.for_widget(widget_id).people().select_related("widget")
    agent = people.select_for_update(no_key=True, of=("self",)).get_or_404(pk=agent_id)
    now = timezone.now()
    status = Agent.Status.RELAXATION if on_break else Agent.Status.ACTIVE
    fields = dict(NO_BREAK)
    if on_break:
        since = agent.break_since if agent.status == status else now
        fields = {"break_since": since, "break_reason": reason, "break_note": note, "break_passes_on": pass_on}
    changed = tuple(name for name, value in {"status": status, **fields}.items() if getattr(agent, name) != value)
    if not changed:
        return
    # As coming and going, which stand in the operator's own log: unseen by the audit trail.
    away = away_since(is_online=agent.online_since is not None, status=status, before=agent.away_since, now=now)
    Agent.objects.for_widget(widget_id).filter(pk=agent_id).update(status=status, away_since=away, **fields)
    if "status" in changed:
        record_event(agent, "status_changed", status=status.value)
    bus.publish(
        AgentChanged(
            widget_id=agent.widget_id,
            widget_guid=agent.widget.guid,
            agent_id=agent.pk,
            is_banned=False,
            changed_fields=changed,
        )
    )
