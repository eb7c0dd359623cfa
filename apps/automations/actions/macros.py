"""Making, changing and deleting macros."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.automations.errors import MACRO_LIMIT
from apps.automations.events import AutomationsChanged
from apps.automations.models import Macro
from apps.automations.querysets import MacroQuerySet
from apps.automations.querysets.known import known_ids, known_to_macro
from apps.automations.rules.automations import same_json
from apps.automations.rules.limits import MAX_MACRO_NAME, macros_refusal
from apps.automations.rules.macros import key_refusals, macro_refusals, read_inputs
from apps.automations.rules.refusals import Refusal, id_refusals, text_refusal
from apps.core import bus
from apps.core.database.changes import save_changed
from apps.core.errors import INVALID_INPUT
from apps.core.parsing.names import name_refusal

NAMES = ("name", "key", "agent_id", "then", "inputs")


@transaction.atomic
def create_macro(*, widget_id: int, values: Mapping[str, Any], agent: Agent | None = None) -> Macro:
    """Adds a macro: `name`, `key`, `agent_id` (null: all operators'), `then`, `inputs`. An `agent` who makes it has it
    for all, or for themselves.

    Raises INVALID_INPUT (422) by path, also for a key that another macro of the same owner has; MACRO_LIMIT (409).
    """
    _lock(widget_id)
    given = {"name": None, "key": None, "agent_id": None, "then": None, "inputs": [], **_own(values)}
    _refuse(widget_id, given, given, agent)
    macro = Macro(widget_id=widget_id, **{**given, "inputs": read_inputs(given["inputs"])})
    _refuse_number(macro)
    _refuse_key(macro)
    macro.save(force_insert=True)
    bus.publish(AutomationsChanged(widget_id=widget_id))
    return macro


@transaction.atomic
def change_macro(*, widget_id: int, macro_id: int, changes: Mapping[str, Any], agent: Agent | None = None) -> Macro:
    """Changes the given members of a macro, of those that an `agent` has. Raises NOT_FOUND (404), also for another
    operator's own, and as `create_macro`.
    """
    _lock(widget_id)
    macro = _offered(widget_id, agent).get_for_update(pk=macro_id)
    before, given = macro.agent_id, _own(changes)
    _refuse(widget_id, given, {name: getattr(macro, name) for name in NAMES} | given, agent)
    if "inputs" in given:
        given["inputs"] = read_inputs(given["inputs"])
    changed = [name for name, value in given.items() if not same_json(getattr(macro, name), value)]
    for name in changed:
        setattr(macro, name, given[name])
    if macro.agent_id != before:
        _refuse_number(macro)
    if {"key", "agent_id"} & set(changed):
        _refuse_key(macro)
    save_changed(macro, changed)
    if changed:
        bus.publish(AutomationsChanged(widget_id=widget_id))
    return macro


@transaction.atomic
def delete_macro(*, widget_id: int, macro_id: int, agent: Agent | None = None) -> None:
    """Deletes a macro, of those that an `agent` has; its runs stay. Raises NOT_FOUND (404)."""
    _offered(widget_id, agent).select_for_update(of=("self",)).get_or_404(pk=macro_id).delete()
    bus.publish(AutomationsChanged(widget_id=widget_id))


def _offered(widget_id: int, agent: Agent | None) -> MacroQuerySet:
    macros: MacroQuerySet = Macro.objects.for_widget(widget_id)
    return macros if agent is None else macros.offered_to(agent.pk)


def _own(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: values[name] for name in NAMES if name in values}


def _lock(widget_id: int) -> None:
    """Macros and their keys are counted under the widget's lock."""
    Widget.objects.select_for_update(no_key=True).get(pk=widget_id)


def _refuse(widget_id: int, given: Mapping[str, Any], whole: Mapping[str, Any], agent: Agent | None) -> None:
    """Refuses the given members; acts and questions are of one another, and are looked at together."""
    found: list[Refusal] = []
    if "name" in given:
        refusal = text_refusal(given["name"], MAX_MACRO_NAME) or name_refusal(given["name"])
        found += [("name", refusal)] if refusal else []
    found += key_refusals(given["key"]) if "key" in given else []
    of_owner = _owner_refusals(widget_id, given["agent_id"], agent) if "agent_id" in given else []
    if {"then", "inputs", "agent_id"} & given.keys():
        owner_id = None if of_owner else whole["agent_id"]
        found += of_owner + macro_refusals(whole["then"], whole["inputs"], known_to_macro(widget_id, owner_id))
    if found:
        raise INVALID_INPUT(errors={path: [text] for path, text in found})


def _owner_refusals(widget_id: int, agent_id: Any, agent: Agent | None) -> list[Refusal]:
    if agent_id is None:
        return []
    if agent is not None:
        return [] if agent_id == agent.pk else [("agent_id", "Must be your own number, or null for all operators.")]
    return id_refusals(agent_id, known_ids(widget_id).agents, "an operator", "agent_id")


def _refuse_number(macro: Macro) -> None:
    count = Macro.objects.for_widget(macro.widget_id).filter(agent=macro.agent_id).count()
    if refusal := macros_refusal(count, is_shared=macro.agent_id is None):
        raise MACRO_LIMIT(refusal)


def _refuse_key(macro: Macro) -> None:
    others = Macro.objects.for_widget(macro.widget_id).filter(agent=macro.agent_id).exclude(pk=macro.pk)
    if macro.key is not None and others.filter(key=macro.key).exists():
        raise INVALID_INPUT(errors={"key": ["Another macro has this key already."]})
