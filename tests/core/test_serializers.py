"""Strict serializers: no coercion, no unknown member, errors by dotted path."""

import datetime
from typing import Any

import orjson
import pytest
from rest_framework import serializers

from apps.core.endpoints.serializers import (
    Body,
    Boolean,
    Choice,
    Date,
    Integer,
    Items,
    Number,
    Query,
    QueryFlag,
    QueryInteger,
    Text,
    flatten,
    validated_body,
    validated_query,
)
from apps.core.parsing.strict_json import parse_object
from apps.core.problems import Problem
from tests.calls import calls_of


class Button(Body):
    label = Text(min_length=1, max_length=64)


class Everything(Body):
    text = Text(required=False, max_length=5)
    integer = Integer(required=False, min_value=1, max_value=10)
    number = Number(required=False)
    boolean = Boolean(required=False)
    date = Date(required=False)
    choice = Choice(required=False, choices=["a", "b"])
    nullable = Text(required=False, allow_null=True)
    buttons = Button(many=True, required=False)
    id = serializers.IntegerField(read_only=True)


class Parameters(Query):
    limit = QueryInteger(required=False, default=20, min_value=1, max_value=100)
    flag = QueryFlag(required=False)


BODY, QUERY = Everything(), Parameters()


def errors_of(document: dict[str, Any]) -> dict[str, list[str]]:
    with pytest.raises(Problem) as caught:
        validated_body(BODY, document)
    assert caught.value.type.code == "invalid_input"
    return dict(caught.value.errors)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"text": " a  "},
        {"text": "яяяяя"},
        {"integer": 10},
        {"number": 1.5},
        {"number": 2},
        {"boolean": True},
        {"boolean": False},
        {"choice": "b"},
        {"nullable": None},
        {"buttons": [{"label": "x"}, {"label": "y"}]},
    ],
)
def test_values_are_kept_as_they_were_sent(document: dict[str, Any]) -> None:
    assert validated_body(BODY, document) == document


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("text", [1, 1.5, True, None, [], {}, "", "яяяяяя"]),
        ("integer", ["1", 1.0, 1.5, True, None, [], {}, 0, 11, -1]),
        ("number", ["1.5", True, None, [], {}]),
        ("boolean", [1, 0, "true", "yes", "", None, [], {}]),
        ("date", ["", "2026-02-30", "20261121", "2026-W47-6", "21.11.2026", "2026-11-21T00:00", 20261121, True, None]),
        ("choice", ["A", "c", "", 1, None, True, ["a"], {"a": 1}, "a" * 10_000]),
        ("nullable", [1, []]),
        ("buttons", [{}, "x", None, 1]),
    ],
)
def test_nothing_is_coerced(name: str, values: list[Any]) -> None:
    for value in values:
        assert [path.split(".")[0] for path in errors_of({name: value})] == [name], value


def test_a_date_is_read_as_a_day() -> None:
    assert validated_body(BODY, {"date": "2026-02-28"}) == {"date": datetime.date(2026, 2, 28)}


def test_a_text_takes_as_many_steps_however_long_it_is() -> None:
    def steps(length: int) -> int:
        raw = orjson.dumps({"nullable": "ж" * length})
        return calls_of(lambda: validated_body(BODY, parse_object(raw)))

    assert steps(60_000) == steps(60)


def test_an_unknown_member_is_refused_by_name() -> None:
    assert errors_of({"txet": "a"}) == {"txet": ["There is no such member."]}


def test_of_very_many_unknown_members_the_first_are_named_up_to_100_in_all() -> None:
    wrong = errors_of({"text": 1, **{f"m{number}": 0 for number in range(20_000)}})
    assert list(wrong) == [*(f"m{number}" for number in range(99)), "text"]


def test_of_a_refused_choice_80_characters_are_repeated() -> None:
    assert errors_of({"choice": "я" * 10_000}) == {"choice": [f'"{"я" * 80}" is not a valid choice.']}
    assert query_errors(f"flag={'2' * 10_000}") == {"flag": [f'"{"2" * 80}" is not a valid choice.']}


def test_a_read_only_member_is_refused_by_name() -> None:
    assert errors_of({"id": 1}) == {"id": ["This member is read-only."]}


def test_a_query_string_that_is_not_utf8_is_refused_by_the_parameter() -> None:
    """Windows-1251 for "Иван": looked for as it is, nobody would be found."""
    with pytest.raises(Problem) as refused:
        validated_query(QUERY, "limit=%C8%E2%E0%ED")
    assert refused.value.errors == {"limit": ["Must be in UTF-8."]}


def test_everything_wrong_is_named_at_once() -> None:
    assert errors_of({"text": 1, "integer": "1", "id": 1, "other": 1}).keys() == {"text", "integer", "id", "other"}


def test_nested_members_are_named_by_their_dotted_path() -> None:
    wrong = errors_of({"buttons": [{"label": "x"}, {"label": ""}, {"labl": "z"}]})
    assert wrong.keys() == {"buttons.1.label", "buttons.2.label", "buttons.2.labl"}


def test_a_serializer_keeps_nothing_of_a_request() -> None:
    errors_of({"text": 1})
    assert validated_body(BODY, {"integer": 1}) == {"integer": 1}
    assert validated_body(BODY, {}) == {}


def query_errors(text: str) -> dict[str, list[str]]:
    with pytest.raises(Problem) as caught:
        validated_query(QUERY, text)
    assert caught.value.type.code == "invalid_input"
    return dict(caught.value.errors)


def test_parameters_are_read_with_their_defaults() -> None:
    assert validated_query(QUERY, "") == {"limit": 20}
    assert validated_query(QUERY, "limit=7&flag=0") == {"limit": 7, "flag": False}
    assert validated_query(QUERY, "flag=1") == {"limit": 20, "flag": True}


@pytest.mark.parametrize(
    "text",
    [
        "limit=",
        "limit=0",
        "limit=101",
        "limit=-1",
        "limit=1.0",
        "limit=%2B1",
        "limit=%D9%A1",
        "limit=1%20",
        "limit=1&limit=1",
    ],
)
def test_a_bad_limit_is_refused_by_name(text: str) -> None:
    assert list(query_errors(text)) == ["limit"]


@pytest.mark.parametrize("text", ["flag=true", "flag=yes", "flag=2", "flag=", "flag=1&flag=0"])
def test_a_flag_is_1_or_0(text: str) -> None:
    assert list(query_errors(text)) == ["flag"]


def test_an_unknown_parameter_is_refused_by_name() -> None:
    assert query_errors("page=2") == {"page": ["There is no such query parameter."]}


def test_errors_become_flat() -> None:
    detail = {"a": ["one", "two"], "b": {"c": ["three"], "non_field_errors": ["four"]}, "d": [{}, {"e": ["five"]}]}
    assert flatten(detail) == {"a": ["one", "two"], "b.c": ["three"], "b": ["four"], "d.1.e": ["five"]}


class TestARefusalStaysShort:
    """However much of a body is wrong: a hundred places are named, and of a name a hundred characters are repeated."""

    def test_items_after_a_hundred_refused_ones_are_not_looked_at(self) -> None:
        seen: list[object] = []

        class Child(Integer):
            def to_internal_value(self, data: object) -> int:
                seen.append(data)
                return super().to_internal_value(data)

        class Many(Body):
            numbers = Items(child=Child())

        with pytest.raises(Problem) as caught:
            validated_body(Many(), {"numbers": [1, *["x"] * 9_000]})
        assert list(caught.value.errors or {}) == [f"numbers.{n}" for n in range(1, 101)]
        assert len(seen) == 101

    def test_a_list_that_is_too_long_is_refused_before_its_items(self) -> None:
        class Few(Body):
            numbers = Items(child=Integer(), max_length=3)

        with pytest.raises(Problem) as caught:
            validated_body(Few(), {"numbers": ["x"] * 4})
        assert caught.value.errors == {"numbers": ["Ensure this field has no more than 3 elements."]}

    def test_a_hundred_of_all_places_are_named(self) -> None:
        assert len(errors_of({"buttons": [{"no": 1}] * 300})) == 100
        assert len(errors_of({str(n): n for n in range(300)} | {"text": 1})) == 100

    def test_a_long_name_is_cut_off(self) -> None:
        assert errors_of({"x" * 5000: 1}) == {"x" * 100 + "…": ["There is no such member."]}
