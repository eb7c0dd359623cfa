"""The operators in whose name the AI side speaks, and whether people are there."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.utils import timezone

from apps.agents.models import Agent
from apps.agents.presence import Presence, presence_of
from apps.agents.querysets.hours import hours_of_department, hours_of_widget
from apps.agents.rules.departments import department_channel
from apps.agents.rules.hours import OpenHours
from apps.ai.models import Assistant
from apps.ai.rules import decisions, prompts


class Speaker(NamedTuple):
    """An operator who answers, and the assistant that it runs; an external operator's is a blank, never saved.

    `is_person`: an external operator whose settings say that a person answers.
    """

    operator: Agent
    assistant: Assistant
    is_person: bool = False

    @property
    def is_external(self) -> bool:
        return self.operator.type == Agent.Type.WEBHOOK


def speaker_of(widget_id: int, *, spoke_last: int | None) -> Speaker | None:
    """The AI operator who answers; None where no operator is able."""
    agents = Agent.objects.for_widget(widget_id).filter(type=Agent.Type.AI, ai_assistant_id__isnull=False).not_banned()
    return speaker_among(agents, Assistant.objects.for_widget(widget_id), spoke_last=spoke_last)


def speaker_among(
    operators: Iterable[Agent], of_widget: Iterable[Assistant], *, spoke_last: int | None
) -> Speaker | None:
    """`speaker_of` the AI operators of a widget, none of them banned, and its assistants, that were read already."""
    assistants = {one.pk: one for one in of_widget}
    running = {agent.pk: agent for agent in operators if agent.ai_assistant_id in assistants}
    chosen = decisions.operator_of(
        [
            decisions.AnsweringOperator(
                id=agent.pk,
                is_active=agent.status == Agent.Status.ACTIVE,
                assistant_enabled=assistants[agent.ai_assistant_id].enabled,
                is_default=assistants[agent.ai_assistant_id].is_default,
            )
            for agent in running.values()
            if agent.ai_assistant_id is not None
        ],
        spoke_last=spoke_last,
    )
    if chosen is None:
        return None
    agent = running[chosen]
    return Speaker(agent, assistants[agent.ai_assistant_id or 0])


def operators_now(widget_id: int, department_id: int | None = None, *, channel: str = "widget") -> prompts.Presence:
    """Whether an active person has a console open: `online`, `offline`, or `unknown` while it can't be read.

    Restricts to the department's people, if it has any. While that department is closed, or all that take the channel's
    chats are, people are `offline`: visitors are told the same by the widget.
    """
    people = Agent.objects.for_widget(widget_id).filter(type=Agent.Type.HUMAN, status=Agent.Status.ACTIVE)
    ids: Sequence[int] = ()
    if department_id:
        ids = list(people.filter(departments=department_id).values_list("pk", flat=True))
    ids = ids or list(people.values_list("pk", flat=True))
    return presence_among(ids, widget_id, department_id, channel=channel)


def presence_among(
    people: Sequence[int], widget_id: int, department_id: int | None, *, channel: str
) -> prompts.Presence:
    """`operators_now` of these active people."""
    found = set(presence_of(widget_id, people).values())
    if Presence.ONLINE in found:
        return "offline" if _is_closed(widget_id, department_id, channel) else "online"
    return "unknown" if Presence.UNKNOWN in found else "offline"


def _is_closed(widget_id: int, department_id: int | None, channel: str) -> bool:
    if department_id is None:
        hours: OpenHours | None = hours_of_widget(widget_id, channel=department_channel(channel)).hours
    else:
        hours = hours_of_department(widget_id, department_id)
    return hours is not None and not hours.is_open(timezone.now())
