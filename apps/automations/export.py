"""The tables of automations in an export of a widget. Imported automations are switched off, and not tried.

Macros stand with the console's canned replies, which they name (`console/export.py`).
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from apps.accounts.actions.widget_export import ExportTable, LookUp, WidgetExport
from apps.automations.models import Automation, AutomationRun, AutomationVersion, Macro
from apps.automations.querysets.known import known_ids
from apps.automations.rules.acts import ACTS, MAX_ACTS, ActContext, then_refusals
from apps.automations.rules.automations import gone_path
from apps.automations.rules.conditions import MAX_LEAVES, refusals
from apps.automations.rules.fields import field_of
from apps.automations.rules.macros import inputs_refusals, key_refusals
from apps.automations.rules.refusals import Anything, KnownIds, Refusal
from apps.automations.rules.renumbering import renumber_acts, renumber_condition, renumber_leaf
from apps.automations.rules.runs import ActResult
from apps.automations.rules.triggers import when_refusals
from apps.core.parsing.names import name_refusal

# The numbers of an export are those of the installation it comes from: which of them are there is found out later.
_ANY = KnownIds(Anything(), Anything(), Anything())
_OF_AUTOMATION = ActContext(_ANY)
_OF_MACRO = ActContext(_ANY, is_macro=True, inputs=Anything())
# An imported run is not undone: the rows that stood in a chat before are not there.
_STAYS_OF_RUNS = ("before",)
_STAYS = ("is_enabled", "enabled_at", "tried_version", "tried_at", "tried_chats", "tried_runs", "problem")


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    definition = {
        "when": _check(lambda when: when_refusals(when)),
        "condition": _check(lambda tree: refusals(tree, _ANY)),
        "then": _check(lambda then: then_refusals(then, _OF_AUTOMATION)),
    }
    yield ExportTable(
        name="automations",
        rows=Automation.objects.for_widget(widget_id),
        without=_STAYS,
        checks={"name": name_refusal, **definition},
        renumbers=_renumber,
        made=_tell_of_gone_rows,
    )
    yield ExportTable(
        name="automation_versions",
        rows=AutomationVersion.objects.for_widget(widget_id),
        checks=definition,
        renumbers=_renumber,
    )
    yield ExportTable(
        name="automation_runs",
        rows=AutomationRun.objects.for_widget(widget_id),
        without=_STAYS_OF_RUNS,
        later=("macro_id",),
        checks={
            "name": name_refusal,
            "trigger": lambda trigger: _first(when_refusals(trigger)) if trigger != {} else None,
            "why": _why_refusal,
            "did": _did_refusal,
        },
        renumbers=_renumber_run,
    )


def macro_table(widget_id: int) -> ExportTable:
    """The macros, behind the canned replies."""
    return ExportTable(
        name="macros",
        rows=Macro.objects.for_widget(widget_id),
        checks={
            "name": name_refusal,
            "key": _check(key_refusals),
            "then": _check(lambda then: then_refusals(then, _OF_MACRO)),
            "inputs": _check(inputs_refusals),
        },
        renumbers=lambda row, look_up: renumber_acts(row.get("then", []), look_up),
    )


def _check(refusals_of: Callable[[Any], list[Refusal]]) -> Callable[[Any], str | None]:
    return lambda value: _first(refusals_of(value))


def _first(found: list[Refusal]) -> str | None:
    return " ".join(found[0]) if found else None


def _renumber(row: dict[str, Any], look_up: LookUp) -> None:
    renumber_condition(row.get("condition"), look_up)
    renumber_acts(row.get("then", []), look_up)


def _renumber_run(row: dict[str, Any], look_up: LookUp) -> None:
    for checked in row.get("why", ()):
        renumber_leaf(checked, ("value", "was"), look_up)


def _tell_of_gone_rows(made: Iterable[tuple[Automation, dict[str, Any]]], account_id: int) -> None:
    for automation, _ in made:
        path = gone_path(automation.condition, automation.then, known_ids(automation.widget_id))
        automation.problem = {"path": path, "code": "gone"} if path else None


def _why_refusal(why: Any) -> str | None:
    if isinstance(why, list) and len(why) <= MAX_LEAVES and all(map(_is_checked, why)):
        return None
    return f"A list of at most {MAX_LEAVES} questions with their outcomes is expected."


def _is_checked(found: Any) -> bool:
    if not isinstance(found, dict) or found.keys() != {"field", "op", "value", "was", "held"}:
        return False
    return field_of(found["field"]) is not None and isinstance(found["held"], bool) and isinstance(found["op"], str)


def _did_refusal(did: Any) -> str | None:
    if isinstance(did, list) and len(did) <= MAX_ACTS and all(map(_is_done, did)):
        return None
    return f"A list of at most {MAX_ACTS} acts with their results is expected."


def _is_done(found: Any) -> bool:
    if not isinstance(found, dict) or found.keys() != {"do", "result", "why"}:
        return False
    is_why = found["why"] is None or (isinstance(found["why"], str) and len(found["why"]) <= 64)
    return is_why and found["do"] in tuple(ACTS) and found["result"] in tuple(ActResult)


EXPORT = WidgetExport(tables=exported_of_widget)
