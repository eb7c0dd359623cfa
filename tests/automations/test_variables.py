"""Texts with variables: which names there are, what is filled in, what falls back, what stays."""

import pytest

from apps.automations.rules.variables import fallback_refusal, filled, variable_refusal


@pytest.mark.parametrize(
    "body", ["{visitor.name|there}", "{attr.order_id}", "{today} {weekday}", "{ x }", "{имя}", "{}"]
)
def test_known_names_and_braces_around_anything_else_are_taken(body: str) -> None:
    assert variable_refusal(body) is None


@pytest.mark.parametrize("body", ["{name}", "{visitor.age|1}", "{attr.}", "{operator}"])
def test_another_name_is_refused(body: str) -> None:
    assert variable_refusal(body) is not None


def test_values_are_not_read_again() -> None:
    found = filled("Hi {visitor.name}", {"visitor.name": "{operator.name|x}", "operator.name": "Alice"})
    assert found == ("Hi {operator.name|x}", [])


def test_what_is_not_known_falls_back_or_stays() -> None:
    found = filled("{visitor.name|there}, {visitor.phone}? {visitor.phone} {page.url|}", {"visitor.name": ""})
    assert found == ("there, {visitor.phone}? {visitor.phone} ", ["visitor.phone"])


def test_ten_thousand_braces_are_read_in_a_moment() -> None:
    assert filled("{" * 10_000, {}) == ("{" * 10_000, [])


def test_a_macro_knows_its_own_questions_alone() -> None:
    assert variable_refusal("{input.order|}", ["order"]) is None
    refusal = variable_refusal("{input.other}", ["order"])
    assert refusal is not None
    assert "{input.order}" not in refusal
    assert "input.order" in refusal
    assert variable_refusal("{input.order}") is not None


@pytest.mark.parametrize("body", ["{visitor.password}", "{visitor.password|none}"])
def test_a_secret_is_no_variable(body: str) -> None:
    assert variable_refusal(body) is not None


def test_a_text_that_nobody_fills_in_has_fallbacks_everywhere() -> None:
    assert fallback_refusal("{visitor.name|there}, {page.url|} { x }") is None
    assert "{visitor.name|there}" in (fallback_refusal("{visitor.name|there} {visitor.phone}") or "")
