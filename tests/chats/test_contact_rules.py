"""What may be known of a contact, how changes are merged, what a search means: the pure rules."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.accounts.rules import phone_refusal
from apps.chats.rules import contacts as rules
from apps.core.parsing.names import name_refusal

PHONES = ("7", "+7", "+7 901 123-45-67", "8(901)1234567", "1" * 32, "+" + "1" * 31, "4-", "4 ", "4)")
NO_PHONES = (
    *("", "+", "-7", " 7", "(495) 123-45-67", "++7", "7+", "+ 7", "7.901", "7,901", "7/901", "7 доб. 5", "x"),
    *("٧٩٠١", "７９０１", "7\u00a0901", "7\n", "7\t9", "1" * 33, "+" + "1" * 32),
)


@pytest.mark.parametrize("phone", PHONES)
def test_a_phone_is_an_optional_plus_a_digit_then_digits_and_what_divides_them(phone: str) -> None:
    assert phone_refusal(phone) is None


@pytest.mark.parametrize("phone", NO_PHONES)
def test_anything_else_is_no_phone(phone: str) -> None:
    assert phone_refusal(phone)


@pytest.mark.parametrize("name", ["Иван", " Иван ", "O'Neill; DROP TABLE", "李", "👩‍👩‍👧", "<b>", "\u00a0x"])
def test_a_name_is_any_text_in_one_line(name: str) -> None:
    assert name_refusal(name) is None


@pytest.mark.parametrize("name", ["", " ", "\u2003", "a\nb", "a\x00b", "\x1b[0m", "a\x7f", "a\x85b", "a\tb"])
def test_a_name_is_not_blank_and_has_no_control_characters(name: str) -> None:
    assert name_refusal(name)


@pytest.mark.parametrize("name", ["", " ", " vip", "vip ", "v\nip", "vip\u00a0", "\x00"])
def test_a_tag_is_not_blank_and_has_no_space_around_it(name: str) -> None:
    assert rules.tag_refusal(name)


@pytest.mark.parametrize("name", [".", ".."])
def test_a_tag_can_be_named_in_an_address(name: str) -> None:
    assert rules.tag_refusal(name)


@pytest.mark.parametrize("name", ["...", ".net", "vip", "VIP", "постоянный клиент", "a,b", "%", "#1"])
def test_a_tag_is_any_text_in_one_line(name: str) -> None:
    assert rules.tag_refusal(name) is None


@pytest.mark.parametrize(
    ("attributes", "refused"),
    [
        ({"k" * 64: "v" * 1_000, "k": None, "n": 1.5, "b": False, "e": ""}, []),
        ({"": 1}, [""]),
        ({"k" * 65: 1}, ["k" * 65]),
        ({"k": "v" * 1_001}, ["k"]),
        ({"k": {}, "l": [], "m": {"n": 1}, "o": 1}, ["k", "l", "m"]),
    ],
)
def test_attributes_are_scalars_by_name(attributes: dict[str, Any], refused: list[str]) -> None:
    assert list(rules.attribute_refusals(attributes)) == refused


def test_only_what_stays_counts_as_an_attribute() -> None:
    sixty_four = {f"k{n}": n for n in range(64)}
    assert rules.number_refusal(sixty_four) is None
    assert rules.number_refusal({**sixty_four, **{f"gone{n}": None for n in range(64)}}) is None
    assert rules.number_refusal({**sixty_four, "one more": False})


scalars = st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=5))
names = st.sampled_from("abcdef")
stored = st.dictionaries(names, scalars, max_size=6)
sent = st.one_of(st.none(), st.dictionaries(names, st.one_of(st.none(), scalars), max_size=6))


def plainly_merged(known: dict[str, Any], given: dict[str, Any] | None) -> dict[str, Any]:
    """The same, one key after another."""
    if given is None:
        return {}
    after = dict(known)
    for name, value in given.items():
        if value is None:
            after.pop(name, None)
        else:
            after[name] = value
    return after


@given(stored, sent)
def test_attributes_are_merged_by_key(known: dict[str, Any], given: dict[str, Any] | None) -> None:
    before = json.dumps(known)
    merged = rules.merged_attributes(known, given)
    assert repr(sorted(merged.items())) == repr(sorted(plainly_merged(known, given).items()))
    assert json.dumps(known) == before
    assert rules.same_attributes(rules.merged_attributes(merged, given), merged), "sent again, it changes nothing"


@given(stored, sent, sent)
def test_changes_of_different_keys_may_come_in_any_order(
    known: dict[str, Any], one: dict[str, Any] | None, other: dict[str, Any] | None
) -> None:
    one, other = one or {}, {name: value for name, value in (other or {}).items() if name not in (one or {})}
    assert rules.same_attributes(
        rules.merged_attributes(rules.merged_attributes(known, one), other),
        rules.merged_attributes(rules.merged_attributes(known, other), one),
    )


@given(stored, stored)
@example({"a": 1}, {"a": True})
@example({"a": 0}, {"a": False})
@example({"a": 1}, {"a": 1.0})
@example({"a": 10**300}, {"a": 1e300})
@example({"a": "1"}, {"a": 1})
@example({"a": 2**53}, {"a": 2**53 + 1})
def test_attributes_are_the_same_when_they_are_the_same_json(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert rules.same_attributes(one, other) == (as_written(one) == as_written(other))
    assert rules.same_attributes(one, json.loads(json.dumps(one)))


def as_written(attributes: dict[str, Any]) -> dict[str, Any]:
    """JSON's values with their kind, numbers as they are written."""
    read = json.loads(json.dumps(attributes), parse_int=Decimal, parse_float=Decimal)
    return {name: (type(value), value) for name, value in read.items()}


@pytest.mark.parametrize(
    ("known", "after", "changed"),
    [
        ({"name": "A", "email": ""}, {"name": "A", "email": ""}, []),
        ({"name": "A", "email": ""}, {"email": "a@b.test", "name": "a"}, ["email", "name"]),
        ({"attributes": {"a": 1}}, {"attributes": {"a": True}}, ["attributes"]),
        ({"attributes": {"a": 1}}, {"attributes": {"a": 1.0}}, []),
        ({"attributes": {"a": 1}}, {"attributes": {}}, ["attributes"]),
    ],
)
def test_the_changed_fields_are_those_that_differ(
    known: dict[str, Any], after: dict[str, Any], changed: list[str]
) -> None:
    assert rules.changed_fields(known, after) == changed


@pytest.mark.parametrize(
    ("query", "digits"),
    [
        ("901", ("901",)),
        ("+7 (901) 12", ("790112",)),
        ("-", ()),
        ("+", ()),
        ("( )", ()),
        ("7", ("7",)),
        ("Иван 2", ()),
        ("12@", ()),
        ("٩", ()),
        ("7.901", ()),
        ("79.011", ("79011",)),
        ("８ 912", ("8912",)),
        ("89123456789", ("89123456789", "9123456789")),
        ("9123456789", ("9123456789",)),
        ("0170 1234567", ("01701234567", "1701234567")),
        ("01701", ("01701", "1701")),
        ("0170", ("0170",)),
        ("00491701", ("00491701",)),
    ],
)
def test_what_could_be_part_of_a_phone_number_is_its_digits(query: str, digits: tuple[str, ...]) -> None:
    assert rules.search_term(query).digits == digits


def test_every_phone_that_may_be_stored_is_found_by_each_part_of_it() -> None:
    for phone in PHONES:
        for start in range(len(phone)):
            for end in range(start + 1, len(phone) + 1):
                digits = rules.search_term(phone[start:end]).digits
                assert not digits or digits[0] in "".join(filter(str.isdigit, phone))


Refusal = Callable[[str], str | None]


@pytest.mark.parametrize("refusal", [name_refusal, phone_refusal, rules.tag_refusal])
@given(text=st.text(max_size=40))
def test_a_control_character_is_refused_wherever_it_stands(refusal: Refusal, text: str) -> None:
    assert refusal(text + "\x01" + text)
