"""Making, changing, ordering and deleting automations."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from apps.accounts.models import Widget
from apps.automations.errors import AUTOMATION_LIMIT, AUTOMATION_NOT_TRIED
from apps.automations.events import AutomationsChanged
from apps.automations.models import Automation, AutomationVersion
from apps.automations.querysets.known import known_ids
from apps.automations.rules.automations import DEFINITION, definition_refusals, gone_path, same_json
from apps.automations.rules.limits import MAX_AUTOMATIONS, MAX_NAME
from apps.automations.rules.refusals import Refusal, text_refusal
from apps.automations.rules.triggers import read_when
from apps.core import bus
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT
from apps.core.parsing.names import name_refusal

COLUMNS = {"name": "name", "when": "when", "if": "condition", "then": "then", "stop": "stop"}
GONE = "gone"


@transaction.atomic
def create_automation(*, widget_id: int, values: Mapping[str, Any]) -> Automation:
    """Adds an automation behind the others, switched off. `values` are members of the API: `name`, `when`, `if`,
    `then`, `stop`.

    Raises INVALID_INPUT (422) by path, AUTOMATION_LIMIT (409), and AUTOMATION_NOT_TRIED (409) if it is to be on.
    """
    given = {"if": None, "stop": False, **values}
    _refuse(widget_id, {"name": None, "when": None, "then": None, **given})
    if given.get("is_enabled"):
        raise AUTOMATION_NOT_TRIED()
    _lock(widget_id)
    automations = Automation.objects.for_widget(widget_id)
    if automations.count() >= MAX_AUTOMATIONS:
        raise AUTOMATION_LIMIT()
    last = automations.aggregate(last=Max("position"))["last"]
    automation = Automation(widget_id=widget_id, position=0 if last is None else last + 1, **_columns(given))
    automation.save(force_insert=True)
    _keep_version(automation)
    bus.publish(AutomationsChanged(widget_id=widget_id))
    return automation


@transaction.atomic
def change_automation(*, widget_id: int, automation_id: int, changes: Mapping[str, Any]) -> Automation:
    """Changes the given members of an automation: those of `create_automation`, and `is_enabled`.

    Another `when`, `if`, `then` or `stop` is a new version, switched off until it was tried.

    Raises NOT_FOUND (404), INVALID_INPUT (422) by path, AUTOMATION_NOT_TRIED (409).
    """
    automation = Automation.objects.for_widget(widget_id).get_for_update(pk=automation_id)
    _refuse(widget_id, changes)
    columns = _columns(changes)
    changed = [name for name, value in columns.items() if not same_json(getattr(automation, name), value)]
    for name in changed:
        setattr(automation, name, columns[name])
    if any(COLUMNS[name] in changed for name in DEFINITION):
        automation.version += 1
        changed += ["version", *set_changes(automation, {"is_enabled": False, "enabled_at": None})]
        changed += set_changes(automation, {"problem": _problem_of(automation, widget_id)})
        _keep_version(automation)
    if "is_enabled" in changes and changes["is_enabled"] is not automation.is_enabled:
        changed += _switch(automation, is_enabled=changes["is_enabled"])
    save_changed(automation, changed)
    if changed:
        bus.publish(AutomationsChanged(widget_id=widget_id))
    return automation


@transaction.atomic
def order_automations(*, widget_id: int, ids: Sequence[int]) -> None:
    """Puts the automations in the order in which they are asked.

    Raises INVALID_INPUT (422) unless all of the widget's are named once.
    """
    _lock(widget_id)
    automations = {each.pk: each for each in Automation.objects.for_widget(widget_id)}
    if len(ids) != len(automations) or set(ids) != automations.keys():
        raise INVALID_INPUT(errors={"ids": ["All automations of the widget are expected, each once."]})
    for position, automation_id in enumerate(ids):
        automation = automations[automation_id]
        save_changed(automation, set_changes(automation, {"position": position}))
    bus.publish(AutomationsChanged(widget_id=widget_id))


@transaction.atomic
def delete_automation(*, widget_id: int, automation_id: int) -> None:
    """Deletes an automation; its runs stay, and nothing that waits for it is done. Raises NOT_FOUND (404)."""
    automation = Automation.objects.for_widget(widget_id).select_for_update().get_or_404(pk=automation_id)
    automation.delete()
    bus.publish(AutomationsChanged(widget_id=widget_id))


@transaction.atomic
def copy_automation(*, widget_id: int, automation_id: int, name: str) -> Automation:
    """Adds an automation that is as another one, behind all, switched off. Raises as `create_automation`, NOT_FOUND."""
    automation = Automation.objects.for_widget(widget_id).get_or_404(pk=automation_id)
    values = {member: getattr(automation, column) for member, column in COLUMNS.items()}
    return create_automation(widget_id=widget_id, values={**values, "name": name})


@transaction.atomic
def follow_rows(*, widget_id: int, without_department: int | None = None) -> None:
    """Tells, at each automation, of an operator or a department that it names and that is gone, or is back.

    `without_department` goes in this transaction.
    """
    known = known_ids(widget_id, without_department=without_department)
    for automation in Automation.objects.for_widget(widget_id).select_for_update(of=("self",), no_key=True):
        path = gone_path(automation.condition, automation.then, known)
        problem = {"path": path, "code": GONE} if path else None
        save_changed(automation, set_changes(automation, {"problem": problem}))


def _refuse(widget_id: int, values: Mapping[str, Any]) -> None:
    found: list[Refusal] = []
    if "name" in values:
        refusal = text_refusal(values["name"], MAX_NAME) or name_refusal(values["name"])
        found += [("name", refusal)] if refusal else []
    found += definition_refusals(values, known_ids(widget_id))
    found += [
        (name, "True or false is expected.")
        for name in ("stop", "is_enabled")
        if name in values and not isinstance(values[name], bool)
    ]
    if found:
        raise INVALID_INPUT(errors={path: [text] for path, text in found})


def _columns(values: Mapping[str, Any]) -> dict[str, Any]:
    columns = {column: values[name] for name, column in COLUMNS.items() if name in values}
    return columns | ({"when": read_when(columns["when"])} if "when" in columns else {})


def _lock(widget_id: int) -> None:
    """Automations are counted and ordered under the widget's lock."""
    Widget.objects.select_for_update(no_key=True).get(pk=widget_id)


def _keep_version(automation: Automation) -> None:
    AutomationVersion.objects.create(
        automation=automation,
        version=automation.version,
        when=automation.when,
        condition=automation.condition,
        then=automation.then,
        stop=automation.stop,
    )


def _problem_of(automation: Automation, widget_id: int) -> dict[str, str] | None:
    path = gone_path(automation.condition, automation.then, known_ids(widget_id))
    return {"path": path, "code": GONE} if path else None


def _switch(automation: Automation, *, is_enabled: bool) -> list[str]:
    if is_enabled and automation.tried_version != automation.version:
        raise AUTOMATION_NOT_TRIED()
    return set_changes(automation, {"is_enabled": is_enabled, "enabled_at": timezone.now() if is_enabled else None})
