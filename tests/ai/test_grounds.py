"""Whether an answer rests on a text: facts and words, in any of the languages, and nothing that any text has."""

import pytest

from apps.ai.rules.grounds import Statement, words_of

DELIVERY = "Доставка по городу стоит 300 рублей, букеты привозит курьер в течение двух часов."
SHIPPING = "We ship within two working days. Parcels up to 5 kg cost €4.90, heavier ones €9.90."
VERSAND = "Wir versenden innerhalb von zwei Werktagen. Pakete kosten 4,90 €."


@pytest.mark.parametrize(
    ("question", "answer", "text"),
    [
        ("Сколько стоит доставка?", "300 рублей.", DELIVERY),
        ("Сколько стоит доставка?", "Доставка обойдётся в 300 ₽.", DELIVERY),
        ("Как быстро привезёте?", "Курьер привезёт букет за два часа.", DELIVERY),
        ("Привозит ли букеты курьер?", "Да, курьер привозит букеты.", DELIVERY),
        ("How long does it take?", "Your parcel leaves within two working days.", SHIPPING),
        ("What does it cost?", "A parcel costs €4.90 up to 5 kg.", SHIPPING),
        ("Wie lange dauert es?", "Wir versenden Ihr Paket innerhalb von zwei Werktagen.", VERSAND),
        ("Was kostet ein Paket?", "It is €4.90.", VERSAND),
        ("多少钱？", "送货费用三十元，两小时送达。", "市内送货费用三十元，花束两小时送达。"),
    ],
)
def test_an_answer_of_the_text_rests_on_it_in_other_words_too(question: str, answer: str, text: str) -> None:
    assert Statement(answer, question=question).rests_on(text)


@pytest.mark.parametrize(
    ("question", "answer", "text"),
    [
        ("Сколько стоит доставка?", "Сколько стоит доставка?", DELIVERY),
        ("Сколько стоит доставка?", "Вы спросили: сколько стоит доставка.", DELIVERY),
        ("Сколько стоит доставка?", "Доставка стоит.", DELIVERY),
        ("Сколько стоит доставка?", "450 рублей.", DELIVERY),
        ("Сколько стоит доставка?", "Мы открыты с 10 до 19.", "Возим до 10 км."),
        ("Сколько стоит доставка?", "К сожалению, не знаю: 300 рублей?", DELIVERY),
        ("Сколько стоит доставка?", "К сожалению, я не знаю. Букеты привозит курьер в течение двух часов.", DELIVERY),
        ("What does it cost?", "I'm happy to help you with that!", SHIPPING),
        ("What does it cost?", "I don't have information about parcels.", SHIPPING),
        ("What does it cost?", "Yes.", SHIPPING),
        ("Was kostet ein Paket?", "Das weiß ich nicht.", VERSAND),
        ("Was kostet ein Paket?", "Rosen brauchen jeden Tag frisches Wasser.", VERSAND),
        ("Was kostet ein Paket?", "", VERSAND),
    ],
)
def test_an_echo_a_refusal_a_courtesy_and_another_subject_rest_on_nothing(
    question: str, answer: str, text: str
) -> None:
    assert not Statement(answer, question=question).rests_on(text)


def test_an_answer_that_another_text_has_whole_is_of_that_one() -> None:
    said = Statement("Доставка по Москве стоит 300 рублей, по области 500.", question="Сколько стоит самовывоз?")
    pickup = "Самовывоз в Москве бесплатен, доставка стоит от 300 рублей."
    assert said.rests_on(pickup)
    assert not said.rests_on(pickup, others=["Доставка по Москве стоит 300 рублей, по области 500 рублей."])


def test_endings_do_not_matter_and_words_of_any_text_do_not_count() -> None:
    assert words_of("доставку") == words_of("доставка")
    assert words_of("Здравствуйте, это для вас и над нами") == frozenset()
    assert words_of("Thank you, this is what we have for you") == frozenset()
