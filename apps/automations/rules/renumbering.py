"""The numbers of rows within the parts of automations and macros, given anew where they move. Pure."""

from collections.abc import Callable, Mapping
from typing import Any

from apps.automations.rules.fields import NamedRows, field_of

# The new number of a row of a table, by the old one; None for a row that is not there.
NewNumber = Callable[[str, Any], int | None]

TABLES = {NamedRows.AGENT: "agents", NamedRows.DEPARTMENT: "departments"}
NOWHERE = 0  # no row has this number
_OF_ACTS = {"agent_id": "agents", "department_id": "departments", "reply_id": "replies"}


def renumber_condition(tree: Any, new: NewNumber) -> None:
    """Changes a condition without refusals in place."""
    if tree is None:
        return
    parts = [*tree.get("all", ()), *tree.get("any", ())]
    for part in [*parts, tree["not"]] if "not" in tree else parts:
        renumber_condition(part, new)
    if "field" in tree:
        renumber_leaf(tree, ("value",), new)


def renumber_leaf(leaf: dict[str, Any], members: tuple[str, ...], new: NewNumber) -> None:
    """Changes those members of a question, or of one that a run has kept."""
    field = field_of(leaf["field"])
    if field is None or field.rows is None:
        return
    table = TABLES[field.rows]
    for member in members:
        value = leaf.get(member)
        if isinstance(value, list):
            leaf[member] = [new(table, each) or NOWHERE for each in value]
        elif value is not None:
            leaf[member] = new(table, value) or NOWHERE


def renumber_acts(then: list[dict[str, Any]], new: NewNumber) -> None:
    """Changes acts without refusals in place."""
    for act in then:
        for member, table in _OF_ACTS.items():
            if member in act:
                act[member] = new(table, act[member]) or NOWHERE
        if isinstance(act.get("whom"), Mapping):
            act["whom"]["agent_ids"] = [new("agents", each) or NOWHERE for each in act["whom"]["agent_ids"]]
