"""Conditions: a tree of questions about a chat, how it is refused, and how it is judged. Pure.

Refusing reads each part once, however large or deep a stranger's tree is; judging asks
only as many facts as the outcome takes, and has no patterns: a text is folded once and looked through.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import time
from functools import lru_cache
from typing import Any, NamedTuple

from apps.automations.rules.fields import OPERATORS, WITHOUT_VALUE, ConditionOperator, FieldKind, field_of
from apps.automations.rules.operands import operand_refusals, read_time
from apps.automations.rules.refusals import KnownIds, Refusal, member_refusals, shown
from apps.automations.rules.texts import as_text, folded_words, plain

MAX_DEPTH, MAX_LEAVES = 4, 30
MAX_REFUSALS = 20  # as many are named at once

GROUPS = ("all", "any", "not")

Facts = Mapping[str, Any]
Test = Callable[[Facts], bool]


class Checked(NamedTuple):
    """A question that was asked: the fact, and whether it held. `was` of a text is None: no words are kept."""

    field: str
    op: str
    value: Any
    was: Any
    held: bool


class ConditionVerdict(NamedTuple):
    """Whether a condition held, and the questions that decided it, in their order."""

    held: bool
    why: list[Checked]


def refusals(tree: Any, known: KnownIds, path: str = "if") -> list[Refusal]:
    """Why this is no condition, by path; empty when it is one. None holds always."""
    found: list[Refusal] = []
    leaves = 0
    left = [] if tree is None else [(tree, path, 0)]
    while left and len(found) < MAX_REFUSALS:
        node, where, depth = left.pop()
        group = _group_of(node)
        if group is None:
            leaves += 1
            if leaves > MAX_LEAVES:
                return [(path, f"A condition has at most {MAX_LEAVES} parts.")]
            found += leaf_refusals(node, known, where)
        elif depth == MAX_DEPTH:
            found.append((where, f"Groups are at most {MAX_DEPTH} deep."))
        else:
            refusal = _group_refusal(node, group, where)
            found += refusal
            left += [] if refusal else reversed([(*each, depth + 1) for each in _parts(node, group, where)])
    return found


def _group_of(node: Any) -> str | None:
    return next((name for name in GROUPS if name in node), None) if isinstance(node, Mapping) else None


def _group_refusal(node: Mapping[str, Any], group: str, path: str) -> list[Refusal]:
    if refusal := member_refusals(node, (group,), path):
        return refusal
    if group == "not":
        return []
    parts = node[group]
    if not isinstance(parts, list) or not parts:
        return [(f"{path}.{group}", "A list of conditions is expected, and not an empty one.")]
    return [(f"{path}.{group}", f"A condition has at most {MAX_LEAVES} parts.")] if len(parts) > MAX_LEAVES else []


def _parts(node: Mapping[str, Any], group: str, path: str) -> Iterator[tuple[Any, str]]:
    if group == "not":
        yield node["not"], f"{path}.not"
    else:
        for place, part in enumerate(node[group]):
            yield part, f"{path}.{group}.{place}"


def leaf_refusals(leaf: Any, known: KnownIds, path: str) -> list[Refusal]:
    """Why this is no question about a field, by path."""
    if not isinstance(leaf, Mapping):
        return [(path, "An object with all, any or not, or with field, op and value, is expected.")]
    if refusal := member_refusals(leaf, ("field", "op", "value"), path):
        return refusal
    field = field_of(leaf.get("field"))
    if field is None:
        return [(f"{path}.field", f"There is no field {shown(leaf.get('field'))}.")]
    operators = OPERATORS[field.kind]
    if not isinstance(leaf.get("op"), str) or leaf["op"] not in operators:
        return [(f"{path}.op", f"{field.name} is asked by {', '.join(operators)}.")]
    operator = ConditionOperator(leaf["op"])
    if operator in WITHOUT_VALUE:
        return [] if leaf.get("value") is None else [(f"{path}.value", f"{operator} has no value.")]
    return operand_refusals(field, operator, leaf.get("value"), known, f"{path}.value")


class JudgedCondition:
    """A condition made ready to be judged many times. The tree has no refusals."""

    __slots__ = ("_test", "_tree")

    def __init__(self, tree: Mapping[str, Any] | None) -> None:
        self._tree = tree
        self._test: Test = _always if tree is None else _test_of(tree)

    def holds(self, facts: Facts) -> bool:
        """Whether it holds; no more facts are asked than that takes."""
        return self._test(facts)

    def judged(self, facts: Facts) -> ConditionVerdict:
        """Whether it holds, and why."""
        why: list[Checked] = []
        return ConditionVerdict(self._tree is None or _told(self._tree, facts, why), why)


def judge(tree: Mapping[str, Any] | None, facts: Facts) -> ConditionVerdict:
    """Whether a condition without refusals holds, and why."""
    return JudgedCondition(tree).judged(facts)


def fields_in(tree: Mapping[str, Any] | None) -> list[str]:
    """The names of the fields that a condition asks, each once."""
    return list(dict.fromkeys(leaf["field"] for _, leaf in leaves_of(tree)))


def leaves_of(tree: Mapping[str, Any] | None, path: str = "if") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The questions of a condition without refusals, with their paths."""
    if tree is None:
        return
    group = _group_of(tree)
    if group is None:
        yield path, tree
        return
    for part, where in _parts(tree, group, path):
        yield from leaves_of(part, where)


def _always(facts: Facts) -> bool:
    return True


def _test_of(tree: Mapping[str, Any]) -> Test:
    group = _group_of(tree)
    if group is None:
        return _asked(tree["field"], _leaf_test(tree["field"], tree["op"], _frozen(tree.get("value"))))
    if group == "not":
        return _denied(_test_of(tree["not"]))
    parts = [_test_of(part) for part in tree[group]]
    return _all(parts) if group == "all" else _any(parts)


def _asked(name: str, test: Callable[[Any], bool]) -> Test:
    return lambda facts: test(facts.get(name))


def _denied(test: Test) -> Test:
    return lambda facts: not test(facts)


def _all(tests: Sequence[Test]) -> Test:
    def test(facts: Facts) -> bool:
        for each in tests:  # noqa: SIM110 - half the time of `all` over a generator
            if not each(facts):
                return False
        return True

    return test


def _any(tests: Sequence[Test]) -> Test:
    def test(facts: Facts) -> bool:
        for each in tests:  # noqa: SIM110 - as above
            if each(facts):
                return True
        return False

    return test


def _told(tree: Mapping[str, Any], facts: Facts, why: list[Checked]) -> bool:
    group = _group_of(tree)
    if group is None:
        name, operator, value = tree["field"], tree["op"], tree.get("value")
        fact = facts.get(name)
        held = _leaf_test(name, operator, _frozen(value))(fact)
        why.append(Checked(name, operator, value, _was(name, value, fact), held))
        return held
    if group == "not":
        return not _told(tree["not"], facts, why)
    parts = (_told(part, facts, why) for part in tree[group])
    return all(parts) if group == "all" else any(parts)


def _was(name: str, value: Any, fact: Any) -> Any:
    """The fact as a run keeps it. A set is kept as far as it was asked for, so that it stays short."""
    field = field_of(name)
    if fact is None or field is None or field.kind is FieldKind.TEXT:
        return None
    if field.kind is FieldKind.SET:
        there = {plain(each) for each in fact}
        return [each for each in value if plain(each) in there]
    return f"{fact:%H:%M}" if isinstance(fact, time) else fact


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@lru_cache(maxsize=4_096)
def _leaf_test(name: str, operator: str, value: Any) -> Callable[[Any], bool]:
    """The question of a leaf, to be asked of its fact. Made once for each leaf that is used."""
    field = field_of(name)
    if field is None:
        raise ValueError(f"there is no field {name}")
    return _TESTS[field.kind](ConditionOperator(operator), value)


def _text_test(operator: ConditionOperator, value: Any) -> Callable[[Any], bool]:
    term = plain(value or "")
    if operator is ConditionOperator.HAS_WORD:
        words = folded_words(value)
        return lambda fact: words in folded_words(as_text(fact))
    return {
        ConditionOperator.IS: lambda fact: plain(as_text(fact)) == term,
        ConditionOperator.IS_NOT: lambda fact: plain(as_text(fact)) != term,
        ConditionOperator.CONTAINS: lambda fact: term in plain(as_text(fact)),
        ConditionOperator.NOT_CONTAINS: lambda fact: term not in plain(as_text(fact)),
        ConditionOperator.STARTS_WITH: lambda fact: plain(as_text(fact)).startswith(term),
        ConditionOperator.IS_EMPTY: lambda fact: not as_text(fact).strip(),
        ConditionOperator.IS_SET: lambda fact: bool(as_text(fact).strip()),
    }[operator]


def _choice_test(operator: ConditionOperator, value: Any) -> Callable[[Any], bool]:
    values = frozenset(value) if isinstance(value, tuple) else frozenset()
    return {
        ConditionOperator.IS: lambda fact: fact == value,
        ConditionOperator.IS_NOT: lambda fact: fact != value,
        ConditionOperator.IN: lambda fact: fact in values,
        ConditionOperator.NOT_IN: lambda fact: fact not in values,
        ConditionOperator.IS_EMPTY: lambda fact: fact is None or fact == "",
        ConditionOperator.IS_SET: lambda fact: fact is not None and fact != "",
    }[operator]


def _number_test(operator: ConditionOperator, value: Any) -> Callable[[Any], bool]:
    lowest, highest = value if isinstance(value, tuple) else (value, value)
    return {
        ConditionOperator.IS: lambda fact: fact is not None and fact == value,
        ConditionOperator.GT: lambda fact: fact is not None and fact > value,
        ConditionOperator.GTE: lambda fact: fact is not None and fact >= value,
        ConditionOperator.LT: lambda fact: fact is not None and fact < value,
        ConditionOperator.LTE: lambda fact: fact is not None and fact <= value,
        ConditionOperator.BETWEEN: lambda fact: fact is not None and lowest <= fact <= highest,
    }[operator]


def _set_test(operator: ConditionOperator, value: Any) -> Callable[[Any], bool]:
    asked = frozenset(plain(each) for each in value)
    return {
        ConditionOperator.HAS_ANY: lambda fact: not asked.isdisjoint(map(plain, fact or ())),
        ConditionOperator.HAS_ALL: lambda fact: asked.issubset(map(plain, fact or ())),
        ConditionOperator.HAS_NONE: lambda fact: asked.isdisjoint(map(plain, fact or ())),
    }[operator]


def _flag_test(operator: ConditionOperator, value: Any) -> Callable[[Any], bool]:
    return lambda fact: fact is value


def _time_test(operator: ConditionOperator, value: Any) -> Callable[[Any], bool]:
    """From the first moment until before the second, past midnight if that is the earlier one."""
    begin, end = map(read_time, value)

    def test(fact: time | None) -> bool:
        if fact is None:
            return False
        minutes = fact.hour * 60 + fact.minute
        return begin <= minutes < end if begin < end else minutes >= begin or minutes < end

    return test


_TESTS: Mapping[FieldKind, Callable[[ConditionOperator, Any], Callable[[Any], bool]]] = {
    FieldKind.TEXT: _text_test,
    FieldKind.CHOICE: _choice_test,
    FieldKind.NUMBER: _number_test,
    FieldKind.SET: _set_test,
    FieldKind.FLAG: _flag_test,
    FieldKind.TIME: _time_test,
}
