"""The names of the keys of groups."""

from collections.abc import Callable, Sequence

from apps.agents.models import Agent, Department
from apps.chats.questions import assistant_names, channel_names
from apps.reports.rules.filters import unescaped


def labels_of(widget_id: int, group: str, keys: Sequence[str | None]) -> dict[str, str]:
    """Names by key, of those that have one: departments, operators, assistants, channels that are rows, and texts."""
    named = [key for key in keys if key is not None]
    if group in _NAMES:
        return _NAMES[group](widget_id, [int(key) for key in named]) if named else {}
    if group == "channel":
        names = channel_names([widget_id])
        return {key: names[key] for key in named if key in names}
    return {key: unescaped(key) for key in named}


def _agents(widget_id: int, ids: Sequence[int]) -> dict[str, str]:
    rows = Agent.objects.for_widget(widget_id).filter(pk__in=ids)
    return {str(agent.pk): agent.full_name for agent in rows}


def _departments(widget_id: int, ids: Sequence[int]) -> dict[str, str]:
    rows = Department.objects.for_widget(widget_id).filter(pk__in=ids)
    return {str(pk): name for pk, name in rows.values_list("pk", "name")}


def _assistants(widget_id: int, ids: Sequence[int]) -> dict[str, str]:
    return {str(pk): name for pk, name in assistant_names(widget_id).items() if pk in ids}


_NAMES: dict[str, Callable[[int, Sequence[int]], dict[str, str]]] = {
    "agent": _agents,
    "department": _departments,
    "assistant": _assistants,
}
