"""The names that automations mention: a widget's departments, operators and channels."""

from __future__ import annotations

from typing import Any

from django.utils.translation import pgettext

from apps.agents.models import Agent, Department
from apps.agents.questions import messengers
from apps.automations.cabinet.sentences import Names
from apps.chats.questions import channel_names


def names_of(widget_id: int) -> Names:
    """The names of a widget's rows as they are now."""
    departments = Department.objects.for_widget(widget_id).order_by("name", "pk")
    agents = Agent.objects.for_widget(widget_id).people().order_by("name", "pk")
    return Names(
        dict(departments.values_list("pk", "name")),
        {agent.pk: agent.full_name for agent in agents},
        _channels(widget_id),
    )


def _channels(widget_id: int) -> dict[Any, str]:
    known = {each.code: each.called for each in messengers()}
    return {"widget": pgettext("a channel", "the website"), **known, **channel_names([widget_id])}
