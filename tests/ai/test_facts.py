"""The facts of texts, and answers that name facts which stand nowhere."""

import pytest

from apps.ai.rules.facts import facts_of, missing, without_unsupported

PIECES = ["Доставка по городу: 300 рублей, от 5 000 ₽ бесплатно. Работаем с 9 до 18, 25 декабря до 15:30. Скидка 10 %."]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Доставка 300 рублей", [("money", "300 рублей")]),
        ("$1,500.50 by 3:30 pm", [("money", "$1,500.50"), ("time", "3:30 pm")]),
        ("скидка 10 %", [("percent", "10 %")]),
        (
            "25 декабря, 2026-12-25, December 25th",
            [("date", "25 декабря"), ("date", "2026-12-25"), ("date", "December 25th")],
        ),
        ("код ABC-123 и #promo10", [("code", "ABC-123"), ("code", "#promo10")]),
        ("8 800 555-35-35", [("number", "8 800 555-35-35")]),
        ("https://shop.example/a и a@shop.example", [("link", "https://shop.example/a"), ("link", "a@shop.example")]),
        ("1. Розы\n2. Тюльпаны", []),
        ("три розы", []),
    ],
)
def test_the_facts_of_a_text(text: str, facts: list[tuple[str, str]]) -> None:
    assert [(fact.kind.value, fact.text) for fact in facts_of(text)] == facts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1.500 €", "1500 евро"),
        ("1.500 €", "1,5 €"),
        ("99,90 руб.", "99.9 ₽"),
        ("5 000 ₽", "5000 рублей"),
        ("25.12.2026", "25 декабря"),
        ("15:30", "3:30 pm"),
        ("+7 (800) 555-35-35", "88005553535"),
        ("www.shop.example/", "https://shop.example"),
        ("٣٠٠ ريال", "300 SAR"),
    ],
)
def test_two_spellings_of_one_fact(one: str, other: str) -> None:
    assert missing(one, [other]) == []


@pytest.mark.parametrize(
    "answer",
    [
        "По городу 300 ₽.",
        "Бесплатно от 5000 рублей.",
        "До 18:00.",
        "Работаем с 9:00 до 18:00.",
        "25 декабря — до 15:30.",
        "Скидка 10%.",
    ],
)
def test_what_stands_in_a_piece_is_no_fault(answer: str) -> None:
    assert missing(answer, PIECES) == []


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("По городу 350 ₽.", "350 ₽"),
        ("До 20:00.", "20:00"),
        ("Скидка 15%.", "15%"),
        ("26 декабря закрыто.", "26 декабря"),
        ("Звоните 8 800 000-00-00.", "8 800 000-00-00"),
        ("Промокод ROSE-2026.", "ROSE-2026"),
    ],
)
def test_what_stands_nowhere_is_found(answer: str, fault: str) -> None:
    assert [fact.text for fact in missing(answer, PIECES)] == [fault]


def test_the_sentence_of_a_fault_is_left_out_and_the_others_stay() -> None:
    answer = "Доставка стоит 300 рублей. По области — 1.5 тыс. рублей! Работаем до 18:00.\nСкидка 15 %?"
    assert without_unsupported(answer, PIECES) == "Доставка стоит 300 рублей. Работаем до 18:00."
    assert without_unsupported("До 20:00.", PIECES) == ""
