"""The automations of a widget that act, ready to be judged."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F

from apps.automations.models import AutomationVersion
from apps.automations.rules.conditions import JudgedCondition

# As many versions are kept ready by a process.
MOST_KEPT = 2_000


class ReadyAutomation(NamedTuple):
    """An automation that is switched on, as it is judged and done; `tree` is its condition as it is stored."""

    id: int
    version: int
    name: str
    enabled_at: datetime | None
    when: Mapping[str, Any]
    condition: JudgedCondition
    tree: Mapping[str, Any] | None
    then: Sequence[Mapping[str, Any]]
    stop: bool


class _Ready(NamedTuple):
    when: Mapping[str, Any]
    condition: JudgedCondition
    tree: Mapping[str, Any] | None
    then: Sequence[Mapping[str, Any]]
    stop: bool


# By the number of a version's row and its moment: it never changes. Numbers come again where a database was restored.
_Key = tuple[int, datetime]
_kept: dict[_Key, _Ready] = {}


def ready_automations(widget_id: int) -> list[ReadyAutomation]:
    """The automations that are switched on, in the order in which they are asked. Conditions are compiled once a
    process. Index: automations_on.
    """
    versions = AutomationVersion.objects.for_widget(widget_id).filter(
        automation__is_enabled=True, version=F("automation__version")
    )
    of_automation = ("automation_id", "version", "automation__name", "automation__enabled_at")
    ordered = versions.order_by("automation__position", "automation_id")
    rows = list(ordered.values_list("pk", "created_at", *of_automation))
    found = _definitions(widget_id, [(row[0], row[1]) for row in rows])
    return [
        ReadyAutomation(automation_id, version, name, enabled_at, *found[(pk, created_at)])
        for pk, created_at, automation_id, version, name, enabled_at in rows
        if (pk, created_at) in found
    ]


def _definitions(widget_id: int, keys: Sequence[_Key]) -> Mapping[_Key, _Ready]:
    found = {key: _kept[key] for key in keys if key in _kept}
    missing = [pk for pk, created_at in keys if (pk, created_at) not in found]
    if missing:
        if len(_kept) + len(missing) > MOST_KEPT:
            _kept.clear()
        read = dict(_read(widget_id, missing))
        _kept.update(read)
        found |= read
    return found


def _read(widget_id: int, numbers: Sequence[int]) -> Iterable[tuple[_Key, _Ready]]:
    for row in AutomationVersion.objects.for_widget(widget_id).filter(pk__in=numbers):
        ready = _Ready(row.when, JudgedCondition(row.condition), row.condition, row.then, row.stop)
        yield (row.pk, row.created_at), ready
