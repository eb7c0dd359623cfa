"""Which kind of personal data stands where in a text. What counts as personal: tests/webhooks/test_masking.py."""

from hypothesis import given
from hypothesis import strategies as st

from apps.core.parsing.personal import Personal, PersonalKind, find_personal, replaced

TEXT = "Пишите на ivan@mail.ru или 8 (901) 123-45-67; карта 4111 1111 1111 1111, запасная почта a@b.test"


def test_each_piece_has_its_kind_its_text_and_its_place() -> None:
    found = list(find_personal(TEXT))
    assert [(each.kind, each.text) for each in found] == [
        (PersonalKind.EMAIL, "ivan@mail.ru"),
        (PersonalKind.PHONE, "8 (901) 123-45-67"),
        (PersonalKind.CARD, "4111 1111 1111 1111"),
        (PersonalKind.EMAIL, "a@b.test"),
    ]
    assert all(TEXT[each.start : each.end] == each.text for each in found)


def test_several_numbers_in_one_run_of_digits_are_told_apart() -> None:
    text = "+7 901 123-45-67 4111 1111 1111 1111"
    assert list(find_personal(text)) == [
        Personal(PersonalKind.PHONE, "+7 901 123-45-67", 0, 16),
        Personal(PersonalKind.CARD, "4111 1111 1111 1111", 17, 36),
    ]


def test_a_parenthesis_that_closes_after_the_number_is_no_part_of_it() -> None:
    assert [each.text for each in find_personal("(8 901 123-45-67)")] == ["8 901 123-45-67"]
    assert [each.text for each in find_personal("(495) 123-45-67")] == ["(495) 123-45-67"]


def test_each_piece_is_replaced_by_what_is_made_of_it() -> None:
    assert replaced("a@b.test, 89011234567", lambda found: f"<{found.kind}>") == "<email>, <phone>"
    assert replaced("№ 12345", lambda found: "") == "№ 12345"


@given(st.text())
def test_pieces_of_any_text_stand_where_they_say_and_none_overlaps(text: str) -> None:
    end = 0
    for found in find_personal(text):
        assert end <= found.start < found.end
        assert text[found.start : found.end] == found.text
        end = found.end
