"""The question that parameters of a request ask of a widget. The rows that they name must be its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats.models import Chat
from apps.chats.questions import assistant_names
from apps.core.errors import INVALID_INPUT
from apps.reports.models import EpisodeRow
from apps.reports.rules.filters import FILTERS, Value
from apps.reports.rules.reports import GROUPS, QueryRefused, ReportQuery, parsed

_MODELS: Mapping[str, Any] = {
    "department_id": Department,
    "agent_id": Agent,
    "chat_id": Chat,
}
# Episodes keep the ids of rows that are gone: their groups lead to lists, too.
_KEPT: Mapping[str, Callable[[int], Any]] = {
    "department_id": lambda pk: {"department_id": pk},
    "agent_id": lambda pk: {"agents__contains": [pk]},
    "assistant_id": lambda pk: {"assistants__contains": [pk]},
    "chat_id": lambda pk: {"chat_id": pk},
}


def question_asked(
    widget_id: int,
    parameters: Mapping[str, str],
    *,
    now: datetime,
    takes: Collection[str],
    groups: tuple[str, ...] = GROUPS,
) -> ReportQuery:
    """The question; `groups` are those that there are.

    Raises INVALID_INPUT (422) on each wrong parameter, or one that names no row of the widget.
    """
    zone = Widget.objects.values_list("time_zone", flat=True).get(pk=widget_id)
    try:
        query = parsed(parameters, now=now, zone=ZoneInfo(zone), takes=takes, groups=groups)
    except QueryRefused as refused:
        raise INVALID_INPUT(errors=refused.errors) from None
    if refusals := unknown_ids(widget_id, query.filters):
        raise INVALID_INPUT(errors=refusals)
    return query


def unknown_ids(widget_id: int, filters: Mapping[str, Sequence[Value]]) -> dict[str, list[str]]:
    """The refusals of filters that name rows which are not the widget's."""
    return {
        name: [f"There is no such {FILTERS[name].named}."]
        for name in _KEPT
        if name in filters and not _are_known(widget_id, name, [each for each in filters[name] if each is not None])
    }


def _are_known(widget_id: int, name: str, ids: Sequence[Any]) -> bool:
    if name in _MODELS:
        there = set(_MODELS[name].objects.for_widget(widget_id).filter(pk__in=ids).values_list("pk", flat=True))
    else:
        there = set(assistant_names(widget_id))
    gone = [each for each in ids if each not in there]
    return all(EpisodeRow.objects.for_widget(widget_id).filter(**_KEPT[name](each)).exists() for each in gone)
