"""The facts of texts, and answers that name facts which stand nowhere."""

from itertools import pairwise

import pytest

from apps.ai.rules.facts import KnownFacts, facts_of
from apps.ai.rules.links import Token, tokens, without

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
        ("15 тыс. рублей", "15,000 rubles"),
        ("15 тысяч рублей", "15 000 ₽"),
        ("1,5 млн", "1,500,000"),
        ("15k", "15 000"),
        ("$1.5M", "1.500.000 $"),
        ("2 Tsd. Euro", "2.000 €"),
        ("3 Mio. €", "3 million euros"),
        ("15 mil euros", "15.000 €"),
        ("2 millones de euros", "2 εκατομμύρια ευρώ"),
        ("15 χιλιάδες ευρώ", "15.000 €"),
        ("5 آلاف دولار", "$5,000"),
        ("1.2万", "12 000"),
        ("3亿元", "300 000 000元"),
        ("2 lakh", "200 000"),
        ("1,50,000", "150 000"),
        ("the 1st of December", "1 декабря"),
        ("20 percent", "20%"),
        ("20 процентов", "20 Prozent"),
        ("20 por ciento", "20 τοις εκατό"),
        ("20 بالمئة", "百分之20"),
        ("1/2", "½"),
        ("−5 °C", "-5 °C"),
        ("5–7", "5 -7"),
        ("50 000 сум", "50 000 so'm"),
        ("50 000 soʻm", "50 000 сумов"),
        ("COVID-19", "Covid-19"),
        *(
            ("5 кг", other)
            for other in ("5 kg", "5kg", "5 килограммов", "5 Kilo", "5 κιλά", "5 كجم", "5公斤", "5", "5 мешков")
        ),
        *(
            ("3 дня", other)
            for other in ("3 days", "3 Tage", "3 días", "3 ημέρες", "3 أيام", "3天", "3-day", "3 рабочих дня")
        ),
        *(("2 часа", other) for other in ("2 hours", "2 Std.", "2h", "2 horas", "2 ώρες", "2 ساعات", "2小时")),
        ("12 мес.", "12 Monate"),
        ("6 недель", "6 εβδομάδες"),
        ("10 лет", "10 años"),
        ("250 мл", "250ml"),
        ("5 m", "5 метров"),
        ("5 m", "5 минут"),
        ("2020 г.", "2020"),
        ("25 °C", "25 градусов"),
    ],
)
def test_two_spellings_of_one_fact(one: str, other: str) -> None:
    assert KnownFacts([other]).missing(one) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,5 млн рублей", "1.5 thousand rubles"),
        ("5 кг", "5 g"),
        ("5 кг", "5 г"),
        ("500g", "500 kg"),
        ("3 дня", "3 hours"),
        ("3 Tage", "3 недели"),
        ("2 часа", "2 минуты"),
        ("12 месяцев", "12 лет"),
        ("6 meses", "6 weeks"),
        ("3 أيام", "3 ساعات"),
        ("3天", "3周"),
        ("5 κιλά", "5 γραμμάρια"),
        ("250 мл", "250 л"),
        ("10 mm", "10 cm"),
        ("25 °C", "25 °F"),
        ("16 ГБ", "16 MB"),
        ("15 тыс. рублей", "15 рублей"),
        ("15k", "15"),
        ("2 Tsd. Euro", "2 Mio. Euro"),
        ("15 mil euros", "15 euros"),
        ("2 εκατομμύρια ευρώ", "2 χιλιάδες ευρώ"),
        ("5 آلاف دولار", "5 ملايين دولار"),
        ("1.2万", "1.2亿"),
        ("2 lakh", "2 crore"),
        ("1,50,000", "150"),
        ("−5 °C", "5 °C"),
        ("5 °C", "-5 °C"),
        ("the 1st of December", "2 декабря"),
        ("20 percent", "30%"),
        ("1½", "11"),
        ("5 m", "5M"),
    ],
)
def test_two_facts_that_look_alike(one: str, other: str) -> None:
    assert KnownFacts([other]).missing(one)


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
    assert KnownFacts(PIECES).missing(answer) == []


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
    assert [fact.text for fact in KnownFacts(PIECES).missing(answer)] == [fault]


def test_the_sentence_of_a_fault_is_left_out_and_the_others_stay() -> None:
    answer = "Доставка стоит 300 рублей. По области — 1.5 тыс. рублей! Работаем до 18:00.\nСкидка 15 %?"
    assert KnownFacts(PIECES).without_unsupported(answer) == "Доставка стоит 300 рублей. Работаем до 18:00."
    assert KnownFacts(PIECES).without_unsupported("До 20:00.") == ""


def test_the_sources_are_read_once_however_many_sentences_an_answer_has(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(text: str) -> list[Token]:
        read.append(text)
        return tokens(text)

    monkeypatch.setattr("apps.ai.rules.facts.tokens", noted)
    known = KnownFacts(PIECES)
    known.missing("По городу 300 ₽.")
    assert known.without_unsupported("Скидка 10%. " * 40) == ("Скидка 10%. " * 40).strip()
    assert sum(PIECES[0][:40] in text for text in read) == 1


def test_no_fact_goes_on_from_one_source_to_the_next() -> None:
    assert [fact.text for fact in KnownFacts(["Этажей 5", "марта не будет"]).missing("5 марта, этаж 5")] == ["5 марта"]


@pytest.mark.parametrize("text", ["a@b.co/" * 3, "x@a.co/y@b.co?c@d.co", "mail a@b.co/c and d@e.co"])
def test_links_of_a_text_do_not_overlap(text: str) -> None:
    found = tokens(text)
    assert all(before.end <= after.start for before, after in pairwise(found))
    assert "@" not in without(text, found)
