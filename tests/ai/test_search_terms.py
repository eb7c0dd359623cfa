"""The text that knowledge is looked for by: a question with what it follows (docs/guides/knowledge.md)."""

import pytest

from apps.ai.rules.search_terms import searched

MOSCOW = "Сколько стоит доставка в Москву?"


@pytest.mark.parametrize(
    ("before", "question", "text"),
    [
        (MOSCOW, "а в Казань?", "Сколько стоит доставка в Казань?"),
        (MOSCOW, "А в Нижний Новгород?", "Сколько стоит доставка в Нижний Новгород?"),
        (MOSCOW, "в Казань", "Сколько стоит доставка в Казань?"),
        (MOSCOW, "а самовывоз?", f"самовывоз?\n{MOSCOW}"),
        (MOSCOW, "Когда?", f"Когда?\n{MOSCOW}"),
        ("Есть ваза AX-4417?", "она тяжёлая?", "она тяжёлая?\nЕсть ваза AX-4417?"),
        ("How much is delivery to Moscow?", "And to Kazan?", "How much is delivery to Kazan?"),
        ("Do you ship to Boston?", "what about Chicago?", "Chicago?\nDo you ship to Boston?"),
        ("Can I return shoes?", "how long does it take?", "how long does it take?\nCan I return shoes?"),
        ("Was kostet der Versand nach Berlin?", "Und nach Wien?", "Was kostet der Versand nach Wien?"),
        ("¿Cuánto cuesta el envío a Madrid?", "¿Y a Sevilla?", "¿Cuánto cuesta el envío a Sevilla?"),
        ("送到北京多少钱", "上海呢？", "上海呢？\n送到北京多少钱"),
    ],
)
def test_a_question_that_goes_on_is_searched_with_what_it_follows(before: str, question: str, text: str) -> None:
    assert searched([before], question) == text


@pytest.mark.parametrize(
    "question",
    [
        "Есть ли розы?",
        "Do you sell hats?",
        "Какие часы работы у вашего магазина на улице Ленина",
        "и так далее: расскажите подробно про гарантию, возврат и обмен этого товара в магазине",
    ],
)
def test_a_question_that_stands_for_itself_is_searched_alone(question: str) -> None:
    assert searched([MOSCOW], question) == question


def test_several_that_go_on_are_about_the_last_that_does_not() -> None:
    assert searched(["Есть розы?", MOSCOW, "а в Казань?", "спасибо"], "а когда?") == (
        "когда?\nСколько стоит доставка в Казань?"
    )


def test_a_courtesy_that_answers_us_is_about_what_was_asked_before() -> None:
    assert searched([MOSCOW], "хорошо, спасибо") == MOSCOW


def test_the_first_question_follows_nothing() -> None:
    assert searched([], "а в Казань?") == "а в Казань?"
