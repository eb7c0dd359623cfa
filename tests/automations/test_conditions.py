"""Conditions: each field by each operator, groups, and what a refusal names."""

from datetime import time
from typing import Any

import pytest

from apps.automations.rules.conditions import MAX_REFUSALS, Checked, JudgedCondition, fields_in, judge, refusals
from apps.automations.rules.fields import FIELDS, OPERATORS, FieldKind, field_of
from apps.automations.rules.refusals import KnownIds
from apps.automations.rules.texts import plain

KNOWN = KnownIds(agents=frozenset({1, 2}), departments=frozenset({7, 8}))

# By kind: operator, value, facts that hold, facts that do not.
TABLE: dict[FieldKind, list[tuple[str, Any, list[Any], list[Any]]]] = {
    FieldKind.TEXT: [
        ("is", "Возврат Денег", ["возврат  денег", " ВОЗВРАТ ДЕНЕГ "], ["возврат", "", None]),
        ("is_not", "refund", ["Refunds", None, ""], ["REFUND"]),
        ("contains", "ещё", ["Есть еще?", "ЕЩЁ"], ["ещ", None, ""]),
        ("not_contains", "refund", ["return", None], ["my REFUND please"]),
        ("starts_with", "https://shop", ["HTTPS://shop.example/cart"], ["see https://shop", None]),
        ("has_word", "back", ["Money BACK, please", "back"], ["backpack", "", None]),
        ("has_word", "money back", ["my money-back!"], ["money is back"]),
        ("is_empty", None, ["", " ", None], ["x", "0"]),
        ("is_set", None, ["x"], ["", None]),
    ],
    FieldKind.CHOICE: [
        ("is", "{one}", ["{one}"], ["{other}", None]),
        ("is_not", "{one}", ["{other}", None], ["{one}"]),
        ("in", ["{one}"], ["{one}"], ["{other}", None]),
        ("not_in", ["{one}"], ["{other}", None], ["{one}"]),
        ("is_empty", None, [None, ""], ["{one}"]),
        ("is_set", None, ["{one}"], [None]),
    ],
    FieldKind.NUMBER: [
        ("is", 3, [3, 3.0], [2, None]),
        ("gt", 3, [4, 3.5], [3, None]),
        ("gte", 3, [3], [2.9, None]),
        ("lt", 3, [2], [3, None]),
        ("lte", 3, [3], [4, None]),
        ("between", [2, 4], [2, 3, 4], [1, 5, None]),
    ],
    FieldKind.SET: [
        ("has_any", ["VIP", "new"], [["vip"], {"new", "x"}], [[], ["x"], None]),
        ("has_all", ["VIP", "new"], [["new", "vip", "x"]], [["vip"], None]),
        ("has_none", ["VIP"], [[], ["x"], None], [["vip"]]),
    ],
    FieldKind.FLAG: [
        ("is", True, [True], [False, None]),
        ("is", False, [False], [True, None]),
    ],
    FieldKind.TIME: [
        ("between", ["09:00", "18:00"], [time(9), time(17, 59)], [time(8, 59), time(18), None]),
        ("between", ["18:00", "09:00"], [time(18), time(0), time(8, 59)], [time(9), time(12), None]),
        ("between", ["18:00", "24:00"], [time(23, 59)], [time(0), time(17)]),
    ],
}
NAMES = [*FIELDS, "contact.attributes.plan"]


def two_values(name: str) -> tuple[Any, Any]:
    """Two values that a choice may have."""
    field = field_of(name)
    assert field is not None
    if field.rows:
        first, second = sorted(KNOWN.agents if field.rows == "agent" else KNOWN.departments)
        return first, second
    return (field.choices[0], field.choices[1]) if field.choices else ("ru", "en")


def filled_in(found: Any, one: Any, other: Any) -> Any:
    if isinstance(found, list):
        return [filled_in(each, one, other) for each in found]
    return {"{one}": one, "{other}": other}.get(found, found) if isinstance(found, str) else found


def cases() -> list[Any]:
    made = []
    for name in NAMES:
        field = field_of(name)
        assert field is not None
        one, other = two_values(name) if field.kind is FieldKind.CHOICE else (None, None)
        for operator, value, held, not_held in TABLE[field.kind]:
            recorded = filled_in(value, one, other), filled_in(held, one, other), filled_in(not_held, one, other)
            made.append(pytest.param(name, operator, *recorded, id=f"{name} {operator}"))
    return made


@pytest.mark.parametrize(("name", "operator", "value", "held", "not_held"), cases())
def test_a_field_is_judged_by_its_operators(
    name: str, operator: str, value: Any, held: list[Any], not_held: list[Any]
) -> None:
    leaf = {"field": name, "op": operator} | ({} if value is None else {"value": value})
    assert refusals(leaf, KNOWN) == []
    for fact in held:
        assert judge(leaf, {name: fact}).held, fact
        assert JudgedCondition(leaf).holds({name: fact}), fact
    for fact in not_held:
        verdict = judge(leaf, {name: fact})
        assert not verdict.held, fact
        assert not JudgedCondition(leaf).holds({name: fact}), fact
        (checked,) = verdict.why
        assert (checked.field, checked.op, checked.value, checked.held) == (name, operator, value, False)


def test_the_table_has_every_operator_of_every_kind() -> None:
    assert {kind: {row[0] for row in rows} for kind, rows in TABLE.items()} == {
        kind: {str(each) for each in operators} for kind, operators in OPERATORS.items()
    }


class TestWhy:
    def test_no_visitors_words_are_kept(self) -> None:
        facts = {"text": "my card is 4111", "contact.attributes.plan": "secret", "priority": "high"}
        tree = {"all": [{"field": name, "op": "is_set"} for name in facts]}
        assert [checked.was for checked in judge(tree, facts).why] == [None, None, "high"]

    def test_of_tags_those_that_were_asked_for(self) -> None:
        leaf = {"field": "contact.tags", "op": "has_any", "value": ["VIP", "new"]}
        assert judge(leaf, {"contact.tags": ["vip", "x"]}).why == [
            Checked("contact.tags", "has_any", ["VIP", "new"], ["VIP"], True)
        ]

    def test_a_time_is_a_text(self) -> None:
        leaf = {"field": "time", "op": "between", "value": ["18:00", "09:00"]}
        assert judge(leaf, {"time": time(3, 7, 59)}).why[0].was == "03:07"

    def test_groups_ask_until_the_outcome_is_clear(self) -> None:
        asked: list[str] = []

        class Facts(dict[str, Any]):
            def get(self, name: str, default: Any = None) -> Any:
                asked.append(name)
                return super().get(name, default)

        yes, no = {"field": "is_open", "op": "is", "value": True}, {"field": "is_staffed", "op": "is", "value": True}
        facts = Facts(is_open=True, is_staffed=False)
        for tree, held, names in (
            ({"any": [yes, no]}, True, ["is_open"]),
            ({"all": [no, yes]}, False, ["is_staffed"]),
            ({"all": [yes, {"not": no}]}, True, ["is_open", "is_staffed"]),
            ({"not": {"any": [no, yes]}}, False, ["is_staffed", "is_open"]),
        ):
            asked.clear()
            verdict = judge(tree, facts)
            assert (verdict.held, [checked.field for checked in verdict.why], asked) == (held, names, names)
            asked.clear()
            assert (JudgedCondition(tree).holds(facts), asked) == (held, names)

    def test_no_condition_always_holds(self) -> None:
        assert judge(None, {}) == (True, [])
        assert JudgedCondition(None).holds({})

    def test_the_fields_that_are_asked(self) -> None:
        leaf = {"field": "text", "op": "is_set"}
        tree = {"all": [leaf, {"not": {"any": [leaf, {"field": "messages", "op": "gt", "value": 1}]}}]}
        assert fields_in(tree) == ["text", "messages"]


OK = {"field": "text", "op": "is_set"}


@pytest.mark.parametrize(
    ("tree", "path"),
    [
        ("text", "if"),
        ([], "if"),
        ({}, "if.field"),
        ({"all": []}, "if.all"),
        ({"any": "x"}, "if.any"),
        ({"not": None}, "if.not"),
        ({"all": [OK], "any": [OK]}, "if.any"),
        ({"not": OK, "field": "text"}, "if.field"),
        ({**OK, "regex": "x"}, "if.regex"),
        ({"all": [OK, {"field": "visitor.password", "op": "is_set"}]}, "if.all.1.field"),
        ({"field": "contact.attributes.", "op": "is_set"}, "if.field"),
        ({"field": {}, "op": "is_set"}, "if.field"),
        ({"field": "text", "op": "matches", "value": "x"}, "if.op"),
        ({"field": "text", "op": ["is"], "value": "x"}, "if.op"),
        ({"field": "is_open", "op": "contains", "value": "x"}, "if.op"),
        ({"field": "text", "op": "is_set", "value": "x"}, "if.value"),
        ({"field": "text", "op": "is"}, "if.value"),
        ({"field": "text", "op": "is", "value": "x" * 201}, "if.value"),
        ({"field": "text", "op": "contains", "value": "\u0301"}, "if.value"),
        ({"field": "text", "op": "has_word", "value": "!!"}, "if.value"),
        ({"any": [OK, OK, {"field": "agent_id", "op": "is", "value": 99}]}, "if.any.2.value"),
        ({"field": "department_id", "op": "in", "value": [7, 99]}, "if.value.1"),
        ({"field": "previous.agent_id", "op": "is", "value": True}, "if.value"),
        ({"field": "priority", "op": "is", "value": "hot"}, "if.value"),
        ({"field": "weekday", "op": "in", "value": []}, "if.value"),
        ({"field": "channel", "op": "in", "value": ["x"] * 51}, "if.value"),
        ({"field": "messages", "op": "gt", "value": "3"}, "if.value"),
        ({"field": "messages", "op": "is", "value": True}, "if.value"),
        ({"field": "messages", "op": "between", "value": [4, 2]}, "if.value"),
        ({"field": "messages", "op": "is", "value": 10**12}, "if.value"),
        ({"field": "contact.tags", "op": "has_any", "value": "vip"}, "if.value"),
        ({"field": "contact.tags", "op": "has_any", "value": ["vip", ""]}, "if.value.1"),
        ({"field": "is_open", "op": "is", "value": "yes"}, "if.value"),
        ({"field": "time", "op": "between", "value": ["18:00", "25:00"]}, "if.value"),
        ({"field": "time", "op": "between", "value": ["18:00", "18:00"]}, "if.value"),
    ],
)
def test_another_tree_is_refused_by_its_path(tree: Any, path: str) -> None:
    assert [where for where, _ in refusals(tree, KNOWN)] == [path]


def nested(depth: int) -> Any:
    tree: Any = OK
    for _ in range(depth):
        tree = {"not": tree}
    return tree


class TestLimits:
    def test_thirty_parts_in_four_groups_are_taken(self) -> None:
        tree = {"all": [{"any": [OK] * 10}, {"all": [OK] * 10}, {"not": {"not": {"any": [OK] * 10}}}]}
        assert refusals(tree, KNOWN) == []

    def test_one_part_more_is_refused(self) -> None:
        assert refusals({"all": [OK] * 30}, KNOWN) == []
        assert refusals({"all": [OK] * 31}, KNOWN) == [("if.all", "A condition has at most 30 parts.")]
        assert refusals({"all": [{"any": [OK] * 16}, {"any": [OK] * 15}]}, KNOWN) == [
            ("if", "A condition has at most 30 parts.")
        ]

    def test_one_group_deeper_is_refused(self) -> None:
        assert refusals(nested(4), KNOWN) == []
        assert refusals(nested(5), KNOWN) == [("if.not.not.not.not", "Groups are at most 4 deep.")]

    @pytest.mark.parametrize(
        "tree",
        [
            {"all": [OK] * 10_000},
            nested(10_000),
            {"any": [{"all": [{"field": "x" * 1_000_000}]}] * 30},
            {"any": [nested(9)] * 10_000},
            {"field": "text", "op": "contains", "value": "x" * 1_000_000},
            {"x" * 1_000_000: 1},
        ],
        ids=["wide", "deep", "long names", "many groups", "a long text", "a long member"],
    )
    def test_a_strangers_tree_is_refused_in_a_moment(self, tree: Any) -> None:
        found = refusals(tree, KNOWN)
        assert 1 <= len(found) <= MAX_REFUSALS + 1
        assert all(len(path) < 200 and len(text) < 500 for path, text in found)


class CountedFacts(dict[str, Any]):
    """Facts that count how often they are asked."""

    asked = 0

    def get(self, name: str, otherwise: Any = None) -> Any:
        self.asked += 1
        return super().get(name, otherwise)


def test_a_hundred_automations_of_twenty_conditions_ask_each_once_and_fold_the_text_once() -> None:
    """What keeps an event within 5 ms of CPU (design, section 9): a long text is folded once for all of them."""
    text = "Здравствуйте! " + "Когда придёт мой заказ? " * 80
    facts = CountedFacts({"text": text, "messages": 3, "priority": "normal", "contact.tags": ["vip"], "time": time(12)})
    leaves = [
        *({"field": "text", "op": "not_contains", "value": f"нет такого слова {n}"} for n in range(10)),
        *({"field": "messages", "op": "lt", "value": 10 + n} for n in range(5)),
        *({"field": "priority", "op": "not_in", "value": ["high", "urgent"]} for _ in range(3)),
        {"field": "contact.tags", "op": "has_any", "value": ["vip"]},
        {"field": "time", "op": "between", "value": ["18:00", "09:00"]},
    ]
    conditions = [JudgedCondition({"all": leaves}) for _ in range(100)]
    plain.cache_clear()
    assert not any(condition.holds(facts) for condition in conditions)
    assert facts.asked == 100 * 20
    assert plain.cache_info().misses <= 2  # the text, and the tag
