"""Macros are made, changed and deleted: shared ones and operators' own."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.automations.actions.macros import change_macro, create_macro, delete_macro
from apps.automations.models import Macro
from apps.automations.rules.macros import inputs_refusals
from apps.core.errors import NOT_FOUND
from apps.core.problems import Problem
from tests.cast import Rival
from tests.factories.automations import MacroFactory

pytestmark = pytest.mark.django_db

VALUES: dict[str, Any] = {
    "name": "Ship it",
    "then": [{"do": "reply", "text": "Order {input.order} of {visitor.name|you}"}, {"do": "close"}],
    "inputs": [{"key": "order", "label": "Number"}],
}


def create(shop: Widget, agent: Agent | None = None, **values: Any) -> Macro:
    return create_macro(widget_id=shop.pk, values={**VALUES, **values}, agent=agent)


def refused(problem: pytest.ExceptionInfo[Problem]) -> set[str]:
    return set(problem.value.errors or {})


def test_one_is_made_for_all_and_one_for_oneself(shop: Widget, alice: Agent) -> None:
    shared, own = create(shop, key=1), create(shop, alice, agent_id=alice.pk, key=1)
    assert (shared.agent_id, shared.key, own.agent_id, own.key) == (None, 1, alice.pk, 1)
    assert shared.inputs == [{"key": "order", "label": "Number", "is_required": False}]


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"key": 0}, "key"),
        ({"key": True}, "key"),
        ({"agent_id": 10**9}, "agent_id"),
        ({"inputs": []}, "then.0.text"),
        ({"inputs": [{"key": "order"}]}, "inputs.0.label"),
        ({"then": [{"do": "assign", "agent_id": 10**9}]}, "then.0.agent_id"),
        ({"then": [{"do": "reply", "reply_id": 10**9}]}, "then.0.reply_id"),
        ({"then": None}, "then"),
    ],
)
def test_a_member_is_refused_by_its_path_and_nothing_is_stored(shop: Widget, values: dict[str, Any], path: str) -> None:
    with pytest.raises(Problem) as problem:
        create(shop, **values)
    assert refused(problem) == {path}
    assert not Macro.objects.exists()


@pytest.mark.parametrize(
    ("inputs", "path"),
    [
        ({}, "inputs"),
        ([{"key": f"k{n}", "label": "x"} for n in range(6)], "inputs"),
        (["order"], "inputs.0"),
        ([{"key": "Order No", "label": "x"}], "inputs.0.key"),
        ([{"key": "x" * 33, "label": "x"}], "inputs.0.key"),
        ([{"key": "a", "label": "x"}, {"key": "a", "label": "x"}], "inputs.1.key"),
        ([{"key": "a", "label": "x", "is_required": 1}], "inputs.0.is_required"),
        ([{"key": "a", "label": "x", "type": "number"}], "inputs.0.type"),
    ],
)
def test_questions_are_refused_by_their_path(inputs: Any, path: str) -> None:
    assert [where for where, _ in inputs_refusals(inputs)] == [path]


def test_a_key_is_one_macros_of_its_owner(shop: Widget, alice: Agent) -> None:
    create(shop, key=1)
    other = create(shop, key=2)
    for act in (
        lambda: create(shop, key=1),
        lambda: change_macro(widget_id=shop.pk, macro_id=other.pk, changes={"key": 1}),
    ):
        with pytest.raises(Problem) as problem:
            act()
        assert refused(problem) == {"key"}
    assert Macro.objects.filter(key=1).count() == 1


def test_there_are_two_hundred_shared_and_fifty_own_ones(shop: Widget, alice: Agent) -> None:
    MacroFactory.create_batch(50, widget=shop, agent=alice)
    with pytest.raises(Problem) as problem:
        create(shop, alice, agent_id=alice.pk)
    assert problem.value.type.code == "macro_limit"
    shared = create(shop, alice)
    with pytest.raises(Problem):
        change_macro(widget_id=shop.pk, macro_id=shared.pk, changes={"agent_id": alice.pk}, agent=alice)
    MacroFactory.create_batch(199, widget=shop)
    with pytest.raises(Problem) as problem:
        create(shop)
    assert (problem.value.type.code, Macro.objects.count()) == ("macro_limit", 250)


def test_acts_and_questions_are_looked_at_together(shop: Widget) -> None:
    macro = create(shop)
    with pytest.raises(Problem) as problem:
        change_macro(widget_id=shop.pk, macro_id=macro.pk, changes={"inputs": []})
    assert refused(problem) == {"then.0.text"}
    text = {"do": "reply", "text": "Thanks"}
    changed = change_macro(widget_id=shop.pk, macro_id=macro.pk, changes={"inputs": [], "then": [text]})
    assert (changed.inputs, changed.then, changed.name) == ([], [text], "Ship it")


def test_another_operators_own_one_is_none(shop: Widget, alice: Agent, boris: Agent, rival: Rival) -> None:
    own, theirs = create(shop, alice, agent_id=alice.pk), MacroFactory.create(widget=rival.widget)
    for macro in (own, theirs):
        for act in (
            lambda macro=macro: change_macro(widget_id=shop.pk, macro_id=macro.pk, changes={"name": "x"}, agent=boris),
            lambda macro=macro: delete_macro(widget_id=shop.pk, macro_id=macro.pk, agent=boris),
        ):
            with pytest.raises(Problem) as problem:
                act()
            assert problem.value.type is NOT_FOUND
    with pytest.raises(Problem) as problem:
        create(shop, boris, agent_id=alice.pk)
    assert refused(problem) == {"agent_id"}
    assert Macro.objects.count() == 2


def test_one_is_deleted(shop: Widget, alice: Agent) -> None:
    own = create(shop, alice, agent_id=alice.pk)
    delete_macro(widget_id=shop.pk, macro_id=own.pk, agent=alice)
    assert not Macro.objects.exists()
