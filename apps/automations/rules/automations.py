"""An automation as a whole: how it is refused, and the rows it names that are gone. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from apps.automations.rules.acts import ActContext, named_rows, then_refusals
from apps.automations.rules.conditions import leaves_of, refusals
from apps.automations.rules.fields import NamedRows, field_of
from apps.automations.rules.refusals import KnownIds, Refusal
from apps.automations.rules.triggers import when_refusals

# The members whose change is a new version, as the API names them.
DEFINITION = ("when", "if", "then", "stop")


def same_json(one: Any, other: Any) -> bool:
    """Whether two values are written alike: to Python true is 1, to an automation it is not."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def definition_refusals(definition: Mapping[str, Any], known: KnownIds) -> list[Refusal]:
    """Why those of `when`, `if` and `then` that are given are not an automation's, by path."""
    found: list[Refusal] = []
    if "when" in definition:
        found += when_refusals(definition["when"])
    if "if" in definition:
        found += refusals(definition["if"], known)
    if "then" in definition:
        found += then_refusals(definition["then"], ActContext(known))
    return found


def gone_path(condition: Mapping[str, Any] | None, then: Sequence[Mapping[str, Any]], known: KnownIds) -> str | None:
    """The path of the first row that an automation names and the widget has no more; None if all are there."""
    there = {NamedRows.AGENT: known.agents, NamedRows.DEPARTMENT: known.departments}
    for path, rows, number in (*_rows_of_condition(condition), *named_rows(then)):
        if number not in there[NamedRows(rows)]:
            return path
    return None


def _rows_of_condition(condition: Mapping[str, Any] | None) -> Iterator[tuple[str, str, Any]]:
    for path, leaf in leaves_of(condition):
        field, value = field_of(leaf["field"]), leaf.get("value")
        if field is None or field.rows is None or value is None:
            continue
        if isinstance(value, list):
            for place, number in enumerate(value):
                yield f"{path}.value.{place}", field.rows, number
        else:
            yield f"{path}.value", field.rows, value
