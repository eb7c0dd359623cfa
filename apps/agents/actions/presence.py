"""Presence. PostgreSQL decides who is online: the first socket over all processes and the last one are told once each.

A process has a row for each operator whose sockets it holds, and renews it. An operator comes online with the first row
and goes with the last; rows of a process that died run out. Every change is made under the operator's lock, so of
processes that open, close and expire at once each sees what the others have done. See docs/guides/operator-side.md.
"""

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from apps.agents.actions.event_log import record_event
from apps.agents.events import AgentWentOffline, AgentWentOnline
from apps.agents.models import Agent, AgentPresence
from apps.agents.rules import PRESENCE_LASTS_S
from apps.agents.rules.absence import away_since
from apps.core import bus

_LASTS = timedelta(seconds=PRESENCE_LASTS_S)


@transaction.atomic
def begin_presence(*, agent_id: int, process: UUID) -> None:
    """A process holds sockets of an operator's: who was not online anywhere is now. Repeatable."""
    agent = _locked(agent_id)
    if agent is None:
        return
    AgentPresence.objects.unscoped("of a locked operator").update_or_create(
        agent=agent, process=process, defaults={"until": Now() + _LASTS}
    )
    if agent.online_since is None:
        _set_online(agent, is_online=True)


@transaction.atomic
def end_presence(*, agent_id: int, process: UUID) -> None:
    """A process holds no more sockets of an operator's: who is online nowhere else is not any more. Repeatable."""
    _end(agent_id, Q(process=process))


def renew_presences(*, agent_ids: Collection[int], process: UUID) -> set[int]:
    """Keeps a process's operators online for another PRESENCE_LASTS_S, in one statement.

    Returns the operators whose presence was taken for over, because it was not renewed in time: the process starts it
    again.
    """
    kept = AgentPresence.objects.unscoped("of one process").of_process(process).filter(agent_id__in=agent_ids)
    if kept.update(until=Now() + _LASTS) == len(agent_ids):
        return set()
    return set(agent_ids) - set(kept.values_list("agent_id", flat=True))


def expire_presences() -> None:
    """Ends the presences of processes that died. Harmless when run twice at once."""
    for agent_id in (
        AgentPresence.objects.unscoped("every widget's rows")
        .run_out()
        .values_list("agent_id", flat=True)
        .distinct()
        .order_by("agent_id")
    ):
        with transaction.atomic():
            _end(agent_id, Q(pk__in=[]))


def _end(agent_id: int, ended: Q) -> None:
    """Ends those of an operator's presences, and those that ran out."""
    agent = _locked(agent_id)
    if agent is None:
        return
    presences = AgentPresence.objects.unscoped("of a locked operator").filter(agent=agent)
    presences.filter(ended | Q(until__lte=Now())).delete()
    if agent.online_since is not None and not presences.exists():
        _set_online(agent, is_online=False)


def _locked(agent_id: int) -> Agent | None:
    agents = (
        Agent.objects.unscoped("read with its widget before")
        .select_for_update(no_key=True, of=("self",))
        .select_related("widget")
    )
    return agents.filter(pk=agent_id).first()


def _set_online(agent: Agent, *, is_online: bool) -> None:
    now = timezone.now()
    agent.online_since = now if is_online else None
    agent.away_since = away_since(is_online=is_online, status=agent.status, before=agent.away_since, now=now)
    agent.save(update_fields=["online_since", "away_since"])
    record_event(agent, "online" if is_online else "offline")
    happened = AgentWentOnline if is_online else AgentWentOffline
    bus.publish(happened(widget_id=agent.widget_id, widget_guid=agent.widget.guid, agent_id=agent.pk))
