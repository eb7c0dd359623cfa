"""The refusals that people read in the cabinet are words of the catalogue."""

from typing import Any

import pytest

from apps.automations.labels import REFUSALS
from apps.automations.rules.acts import ActContext, then_refusals
from apps.automations.rules.conditions import refusals
from apps.automations.rules.macros import inputs_refusals, key_refusals
from apps.automations.rules.refusals import KnownIds
from apps.automations.rules.triggers import when_refusals

KNOWN = KnownIds()
FOUND = [
    when_refusals({"wait": "unassigned", "minutes": 0}),
    *(refusals({"field": "text", "op": "is", "value": value}, KNOWN) for value in ("", "\u0301")),
    *(refusals({"field": "rating", "op": op, "value": []}, KNOWN) for op in ("is", "between")),
    *(refusals({"field": "time", "op": "between", "value": value}, KNOWN) for value in (["1"], ["09:00", "09:00"])),
    *(refusals({"field": "agent_id", "op": op, "value": 1}, KNOWN) for op in ("is", "in")),
    *(refusals({"field": "department_id", "op": "is", "value": value}, KNOWN) for value in (1, "x")),
    refusals({"all": [{"field": "text", "op": "is_set"}] * 31}, KNOWN),
    *(
        then_refusals(then, ActContext(KNOWN))
        for then in (
            [],
            [{"do": "assign", "agent_id": "x"}],
            [{"do": "snooze", "minutes": 0}],
            [{"do": "close", "reason": ""}],
            [{"do": "tag", "name": ""}],
            [{"do": "reply", "text": ""}],
            [{"do": "reply", "text": "{visitor.name}"}],
            [{"do": "to_person", "reason": "A b"}],
            [{"do": "webhook", "name": "A b"}],
            [{"do": "notify", "whom": "owner", "by": ["mail"], "text": ""}],
            [{"do": "notify", "whom": {"agent_ids": []}, "by": ["mail"], "text": "x"}],
        )
    ),
    then_refusals([{"do": "reply", "text": "x"}] * 2, ActContext(KNOWN, is_macro=True)),
    key_refusals(0),
    inputs_refusals({}),
    inputs_refusals([{"key": "A b", "label": ""}, *([{"key": "a", "label": "x"}] * 2)]),
]


@pytest.mark.parametrize("found", FOUND)
def test_a_refusal_is_a_word_of_the_catalogue(found: list[tuple[str, Any]]) -> None:
    assert found
    assert {text for _, text in found} <= set(REFUSALS)
