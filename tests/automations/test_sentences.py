"""Rules as sentences, in both languages: each event, wait, field, comparison and act has its words."""

import re
from typing import Any

import pytest
from django.utils import translation

from apps.automations.cabinet import words
from apps.automations.cabinet.rows import act_of, flat, leaf_of, row_of_act, row_of_leaf
from apps.automations.cabinet.sentences import Names, act_words, condition_words, duration, sentence
from apps.automations.cabinet.starters import STARTERS
from apps.automations.rules.acts import ACTS, ActContext, then_refusals
from apps.automations.rules.conditions import refusals
from apps.automations.rules.fields import ATTRIBUTE, FIELDS, ConditionOperator
from apps.automations.rules.refusals import KnownIds
from apps.automations.rules.triggers import EVENTS, WAITS, when_refusals

NAMES = Names({3: "Sales", 4: "Repairs"}, {7: "Alice"}, {"widget": "the website"})
WAITED = {"wait": "visitor_waits", "minutes": 10, "clock": "always"}
SALES = {"field": "department_id", "op": "is", "value": 3}
URGENT = {"do": "priority", "value": "urgent"}
TOLD = {"do": "notify", "whom": "managers", "by": ["console"], "text": "!"}


def test_each_wire_name_has_words() -> None:
    assert set(words.EVENTS) == set(EVENTS)
    assert set(words.WAITS) == set(words.WAIT_NAMES) == set(WAITS)
    assert {*words.FIELDS} - {ATTRIBUTE.rstrip(".")} == set(FIELDS)
    assert set(words.COMPARED) == set(words.OPS) == set(map(str, ConditionOperator))
    assert set(words.ACTS) == set(ACTS)


def test_an_automation_is_a_sentence() -> None:
    condition = {"all": [SALES]}
    assert sentence(WAITED, condition, [URGENT, TOLD], NAMES) == (
        "When a visitor waits 10 minutes and the department is Sales: urgent, tell the managers"
    )
    with translation.override("ru"):
        assert sentence(WAITED, condition, [URGENT, TOLD], NAMES) == (
            "Когда посетитель ждёт 10 минут и отдел — Sales: срочно, сообщить менеджерам"
        )


@pytest.mark.parametrize(
    ("minutes", "english", "russian"),
    [
        (1, "1 minute", "1 минуту"),
        (2, "2 minutes", "2 минуты"),
        (21, "21 minutes", "21 минуту"),
        (60, "1 hour", "1 час"),
        (90, "90 minutes", "90 минут"),
        (300, "5 hours", "5 часов"),
        (1_440, "1 day", "1 день"),
        (2_880, "2 days", "2 дня"),
    ],
)
def test_a_time_is_told_in_its_largest_whole_unit(minutes: int, english: str, russian: str) -> None:
    assert duration(minutes) == english
    with translation.override("ru"):
        assert duration(minutes) == russian


def test_a_tree_has_brackets_where_it_is_joined_in_another_way() -> None:
    tree = {
        "all": [
            {"any": [SALES, {"field": "rating", "op": "lte", "value": 2}]},
            {"not": {"field": "is_open", "op": "is", "value": True}},
            {"all": [{"field": "is_returning", "op": "is", "value": False}]},
        ]
    }
    assert condition_words(tree, NAMES) == (
        "(the department is Sales or the rating is at most 2) and not (it is within open hours) and the visitor is new"
    )
    assert flat(tree) is None


@pytest.mark.parametrize(
    ("leaf", "english", "russian"),
    [
        (
            {"field": "text", "op": "contains", "value": "возврат"},
            "the message contains “возврат”",
            "сообщение содержит «возврат»",
        ),
        (
            {"field": "previous.department_id", "op": "not_in", "value": [3, 4]},
            "the former department is none of: Sales, Repairs",
            "прежний отдел — ничто из: Sales, Repairs",
        ),
        ({"field": "agent_id", "op": "is_empty"}, "the operator is empty", "оператор: нет"),
        (
            {"field": "agent_id", "op": "is", "value": 99},
            "the operator is an operator who is gone",
            "оператор — удалённый оператор",
        ),
        (
            {"field": "time", "op": "between", "value": ["18:00", "09:00"]},
            "the time of day is between 18:00 and 09:00",
            "время суток от 18:00 до 09:00",
        ),
        (
            {"field": "contact.attributes.plan", "op": "is", "value": "pro"},
            "the attribute “plan” is “pro”",
            "атрибут «plan» — «pro»",
        ),
        (
            {"field": "contact.tags", "op": "has_any", "value": ["vip", "b2b"]},
            "the visitor's tags have one of: “vip”, “b2b”",
            "метки посетителя: есть одна из «vip», «b2b»",
        ),
        (
            {"field": "previous.status", "op": "is", "value": "expired"},
            "the chat's former state is Closed",
            "прежнее состояние чата — Закрыт",
        ),
        ({"field": "is_staffed", "op": "is", "value": False}, "no operator is here", "нет операторов на месте"),
    ],
)
def test_a_comparison_in_words(leaf: dict[str, Any], english: str, russian: str) -> None:
    assert condition_words(leaf, NAMES) == english
    with translation.override("ru"):
        assert condition_words(leaf, NAMES) == russian


ACTS_WITH_WORDS: list[tuple[dict[str, Any], str, str]] = [
    ({"do": "assign", "agent_id": 7}, "assign to Alice", "назначить оператору Alice"),
    ({"do": "unassign"}, "take it from its operator", "снять оператора"),
    ({"do": "send_to", "department_id": 5}, "send to a deleted department", "передать в отдел удалённый отдел"),
    ({"do": "snooze", "minutes": 120}, "snooze for 2 hours", "отложить на 2 часа"),
    ({"do": "snooze", "minutes": None}, "snooze until the visitor writes", "отложить, пока посетитель не напишет"),
    ({"do": "close"}, "close the chat", "закрыть чат"),
    ({"do": "tag", "name": "vip"}, "add the tag “vip”", "добавить метку «vip»"),
    ({"do": "attribute", "key": "plan", "value": "pro"}, "set “plan” to “pro”", "записать в «plan» значение «pro»"),
    ({"do": "reply", "text": "y" * 90}, f"reply “{'y' * 59}…”", f"ответить «{'y' * 59}…»"),
    (
        {"do": "notify", "whom": {"agent_ids": [7]}, "by": ["console", "mail"], "text": "!"},
        "tell Alice in the console and by e-mail",
        "сообщить Alice в консоли и письмом",
    ),
    ({"do": "webhook", "name": "refund"}, "send the event “refund”", "отправить событие «refund»"),
]


@pytest.mark.parametrize(("act", "english", "russian"), ACTS_WITH_WORDS)
def test_an_act_in_words(act: dict[str, Any], english: str, russian: str) -> None:
    assert act_words(act, NAMES) == english
    with translation.override("ru"):
        assert act_words(act, NAMES) == russian


def test_no_russian_word_is_missing() -> None:
    tables = (words.EVENTS, words.WAITS, words.WAIT_NAMES, words.FIELDS, words.COMPARED, words.OPS, words.ACTS)
    with translation.override("ru"):
        texts = [
            str(text) for table in (*tables, words.REASONS, words.RESULTS, words.RUN_STATES) for text in table.values()
        ]
        texts += [str(starter.title) for starter in STARTERS.values()]
    assert [text for text in texts if re.search("[A-Za-z]", re.sub(r"%\(\w+\)s|JSON", "", text))] == []


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", list(STARTERS))
def test_a_starter_is_a_rule_but_for_what_the_person_chooses(name: str, language: str) -> None:
    with translation.override(language):
        made = STARTERS[name].make()
    known = KnownIds(departments=frozenset({3}))
    assert when_refusals(made["when"]) == []
    assert made["if"] is None or refusals(made["if"], known) == []
    left = [path for path, _ in then_refusals(made["then"], ActContext(known))]
    assert left == (["then.1.department_id"] if name == "refund" else [])


@pytest.mark.parametrize("act", [act for act, _, _ in ACTS_WITH_WORDS])
def test_an_act_comes_back_from_its_row(act: dict[str, Any]) -> None:
    assert act_of(row_of_act(0, act)) == act


def test_members_that_no_field_shows_go_along() -> None:
    act = {"do": "reply", "text": "Hello", "texts": {"ru": "Привет"}}
    assert act_of(row_of_act(0, act)) == act


@pytest.mark.parametrize(
    "leaf",
    [
        SALES,
        {"field": "priority", "op": "in", "value": ["high", "urgent"]},
        {"field": "is_open", "op": "is", "value": False},
        {"field": "messages", "op": "between", "value": [1, 3]},
        {"field": "contact.tags", "op": "has_all", "value": ["vip", "b2b"]},
        {"field": "time", "op": "between", "value": ["18:00", "09:00"]},
        {"field": "contact.attributes.plan", "op": "starts_with", "value": "pro"},
        {"field": "language", "op": "in", "value": ["ru", "en"]},
        {"field": "agent_id", "op": "is_set"},
    ],
)
def test_a_comparison_comes_back_from_its_row(leaf: dict[str, Any]) -> None:
    assert leaf_of(row_of_leaf(0, leaf)) == leaf
