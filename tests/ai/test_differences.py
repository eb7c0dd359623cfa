"""Two texts with the same facts: a translation says what was written."""

import random

import pytest

from apps.ai.rules.fact_differences import differences
from apps.ai.rules.facts import FactKind

SAME = [
    ("Доставка 1 500 ₽, завтра в 15:30", "Delivery costs 1,500 RUB, tomorrow at 3:30 pm"),
    ("от 300 рублей", "desde 300 rublos"),
    ("Скидка 10 %", "%10 indirim"),
    ("25 декабря 2026 г.", "25.12.2026"),
    ("25 декабря", "25 de diciembre"),
    ("25 декабря", "12月25日"),
    ("с 1 марта по 31 мая", "от 1 березня до 31 травня"),
    ("le 3 février 2026", "February 3, 2026"),
    ("код ABC-123, промокод #promo10", "code ABC-123, promo #promo10"),
    ("1.500 штук", "1500 pieces"),
    ("весит 1.500 кг", "weighs 1,5 kg"),
    ("Звоните +7 (912) 345-67-89", "Call +7 912 345-67-89"),
    ("https://shop.example/a?b=1 и a@shop.example", "see https://shop.example/a?b=1, a@shop.example"),
    ("٣٠٠ ريال", "300 SAR"),
    ("Заказ №4821 от 05/06", "Order no. 4821 of 06/05"),
    ("Кнопка «Заказать»", "The button “Заказать”"),
    ("1. Розы\n2. Тюльпаны", "- Roses\n- Tulips"),
    ("в 9:00", "um 9 Uhr"),
    ("EUR 15", "15 евро"),
    ("level 5 may vary", "уровень 5 может меняться"),
    ("Без цифр", "No digits"),
]
OTHER = [
    ("1 500 ₽", "1 600 ₽", FactKind.MONEY),
    ("1 500 ₽", "1 500 $", FactKind.MONEY),
    ("скидка 10 %", "15 % off", FactKind.PERCENT),
    ("в 15:30", "at 5:30 pm", FactKind.TIME),
    ("25 декабря", "December 26", FactKind.DATE),
    ("25 декабря 2026", "25.12.2027", FactKind.DATE),
    ("код ABC-123", "code ABC-124", FactKind.CODE),
    ("код Rose2026", "code rose2026", FactKind.CODE),
    ("https://shop.example/a", "https://shop.example/b", FactKind.LINK),
    ("три по 2 и по 2", "three of 2", FactKind.NUMBER),
    ("осталось 7", "left", FactKind.NUMBER),
    ("осталось", "7 left", FactKind.NUMBER),
    ("+7 912 345-67-89", "+7 912 345-67-88", FactKind.NUMBER),
    ("счёт 12345678901234567890", "account 99945678901234567890", FactKind.NUMBER),
    ("«Роза»", "“Rose”", FactKind.QUOTED),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_facts_in_two_languages(one: str, other: str) -> None:
    assert differences(one, other) == []
    assert differences(other, one) == []


@pytest.mark.parametrize(("one", "other", "kind"), OTHER)
def test_a_changed_fact_is_found_from_both_sides(one: str, other: str, kind: FactKind) -> None:
    assert kind in {found.kind for found in differences(one, other)}
    assert kind in {found.kind for found in differences(other, one)}


def test_a_difference_names_what_stands_in_each_text() -> None:
    (found,) = differences("Цена 1 500 ₽", "Price: 1 600 ₽")
    assert found.as_json() == {"kind": "money", "source": "1 500 ₽", "text": "1 600 ₽"}
    (lost,) = differences("Осталось 7", "Some left")
    assert lost.as_json() == {"kind": "number", "source": "7", "text": None}


def test_order_is_free_and_facts_are_counted() -> None:
    assert differences("5 роз, 7 лилий, 5 ваз", "7 lilies, 5 vases, 5 roses") == []
    assert len(differences("5 роз, 7 лилий, 5 ваз", "7 lilies, 5 vases")) == 1


def test_a_number_takes_what_is_left_of_its_readings() -> None:
    assert differences("1.500 и 1.5", "1500 and 1.5") == []


def test_each_changed_digit_is_found() -> None:
    """Of many made-up messages, each with one digit changed."""
    made = random.Random(56)
    patterns = [
        "{n} ₽",
        "{n} %",
        "в {h}:{m}",
        "{d}.{k}.2026",
        "заказ {n}",
        "код AB-{n}",
        "https://a.example/{n}",
        "{n} шт.",
    ]
    for _ in range(2_000):
        text = "Вот: " + made.choice(patterns).format(
            n=made.randint(10, 99_999), h=made.randint(10, 19), m=made.randint(10, 59), d=made.randint(13, 28), k=10
        )
        places = [n for n, each in enumerate(text) if each.isdigit()]
        place = made.choice(places)
        digit = made.choice([each for each in "123456789" if each != text[place]])
        assert differences(text, text) == []
        changed = f"{text[:place]}{digit}{text[place + 1 :]}"
        assert differences(text, changed), (text, changed)
