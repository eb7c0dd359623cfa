"""Personal data leaves as names, and comes back only where it was given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.ai.rules.redaction import Redaction


def test_one_value_has_one_name_by_first_appearance() -> None:
    redaction = Redaction()
    hidden = redaction.hide("ivan@example.com и anna@example.com, +7 901 123-45-67, снова IVAN@example.com")
    assert hidden == "[EMAIL_1] и [EMAIL_2], [PHONE_1], снова [EMAIL_1]"
    assert redaction.hide("+79011234567") == "[PHONE_1]"
    assert redaction.hide("4111 1111 1111 1111") == "[CARD_1]"


def test_emails_and_phones_come_back() -> None:
    redaction = Redaction()
    redaction.hide("ivan@example.com, +7 901 123-45-67")
    assert (
        redaction.restore("Пишу на [EMAIL_1], звоню [phone_1].") == "Пишу на ivan@example.com, звоню +7 901 123-45-67."
    )


@pytest.mark.parametrize("answer", ["[CARD_1]", "[EMAIL_2]", "[PHONE_1]", "Вот [card_1] и [EMAIL_1]"])
def test_a_card_or_a_name_never_given_makes_the_whole_answer_unfit(answer: str) -> None:
    redaction = Redaction()
    redaction.hide("ivan@example.com 4111 1111 1111 1111")
    assert redaction.restore(answer) is None


def test_a_name_that_a_visitor_types_is_nobodys() -> None:
    redaction = Redaction()
    assert redaction.hide("[EMAIL_1] anna@example.com") == "EMAIL 1 [EMAIL_1]"


@given(st.text(max_size=200))
def test_what_was_hidden_comes_back_unless_it_held_a_card(text: str) -> None:
    redaction = Redaction()
    hidden = redaction.hide(text.replace("[", "("))
    restored = redaction.restore(hidden)
    assert restored is None or restored.casefold() == text.replace("[", "(").casefold() or "_1]" in hidden
