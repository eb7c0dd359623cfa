"""Reads of the operators that a widget shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from apps.agents.models import Agent
from apps.agents.querysets.hours import hours_of_widgets
from apps.agents.rules.departments import department_channel
from apps.agents.serializers.responses import avatar_address
from apps.widget.querysets.chats import CHANNEL, HIDDEN


def operators_in_header(widget_id: int) -> list[dict[str, Any]]:
    """The operators whom the widget shows, whether online or not."""
    agents = Agent.objects.for_widget(widget_id).in_header().order_by("id")
    return [{"name": agent.full_name, "avatar_url": avatar_address(agent.pk, agent.avatar)} for agent in agents]


@dataclass(frozen=True, slots=True)
class WidgetPresence:
    """The operators who can answer a widget's visitors: whether there is any, and the ones that the widget shows."""

    online: bool = False
    agents: tuple[tuple[int, str, str | None], ...] = ()

    def shown(self, owner_id: int | None, mode: str) -> list[dict[str, Any]]:
        """Their names and avatars as the widget shows them (`operators_display_mode`), that of the chat first."""
        if mode == HIDDEN:
            return []
        first = sorted(self.agents, key=lambda agent: agent[0] != owner_id)
        return [{"name": name, "avatar_url": None if mode == "names" else avatar} for _, name, avatar in first]


NOBODY = WidgetPresence()


def is_online(widget_id: int) -> bool:
    """Whether an operator can answer; see `presence_among`."""
    return presence_of(widget_id).online


def presence_of(widget_id: int) -> WidgetPresence:
    """The operators who can answer; see `presence_among`."""
    return presence_among([widget_id]).get(widget_id, NOBODY)


def presence_among(widget_ids: Collection[int]) -> dict[int, WidgetPresence]:
    """The operators who can answer, by widget; widgets without any are left out.

    They are at work, with the console open, while the widget is open.
    """
    found: dict[int, list[Agent]] = defaultdict(list)
    for agent in (
        Agent.objects.unscoped("of this process's sockets").available().filter(widget_id__in=widget_ids).order_by("id")
    ):
        found[agent.widget_id].append(agent)
    if not found:
        return {}
    hours, now = hours_of_widgets(found.keys(), channel=department_channel(CHANNEL)), timezone.now()
    return {
        widget_id: WidgetPresence(True, tuple(_face(agent) for agent in agents if agent.show_in_header))
        for widget_id, agents in found.items()
        if widget_id in hours and hours[widget_id].hours.is_open(now)
    }


def _face(agent: Agent) -> tuple[int, str, str | None]:
    return agent.pk, agent.full_name, avatar_address(agent.pk, agent.avatar)
