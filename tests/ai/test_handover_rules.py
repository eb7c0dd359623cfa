"""Floors on what a visitor writes, in seven languages."""

import pytest

from apps.ai.rules.handover_rules import floor_of, is_social
from tests.ai.requests_for_people import ASKED, ORDINARY, lines


@pytest.mark.parametrize(
    "text",
    [
        "Позовите оператора",
        "ПОЗОВИТЕ  ОПЕРАТОРА!!!",
        "здравствуйте, соедините меня с менеджером",
        "I want to talk to a human",
        "can I speak to someone please",
        "Ich möchte mit einem Menschen sprechen",
        "Quiero hablar con una persona",
        "Θέλω να μιλήσω με άνθρωπο",
        "Θελω να μιλησω με ανθρωπο",
        "أريد التحدث مع شخص حقيقي",
        "转人工",
        "麻烦转人工，谢谢",
    ],
)
def test_whoever_asks_for_a_person_is_heard(text: str) -> None:
    floor = floor_of(text)
    assert floor is not None
    assert floor.reason == "human_request"


@pytest.mark.parametrize(
    "text",
    [
        "How many people work for you?",
        "Какой оператор связи у вас?",
        "Сколько человек в команде?",
        "Is it human hair?",
        "Haben Sie Mitarbeiterrabatte?",
        "¿Cuántas personas caben?",
        "Сколько стоит доставка?",
        "",
    ],
)
def test_whoever_speaks_of_people_does_not_ask_for_one(text: str) -> None:
    assert floor_of(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Хочу покончить с собой",
        "I want to kill myself",
        "I don\u2019t want to live",
        "Ich will mich umbringen",
        "Quiero suicidarme",
        "Θέλω να αυτοκτονήσω",
        "أريد أن أنتحر",
        "我想自杀",
        "Позовите оператора, я не хочу больше жить",
    ],
)
def test_a_threat_to_ones_own_life_comes_first(text: str) -> None:
    floor = floor_of(text, ["жить"])
    assert floor is not None
    assert floor.reason == "safety_floor"


@pytest.mark.parametrize(
    ("triggers", "text", "trigger"),
    [
        (["возврат*"], "Мне нужно оформить ВОЗВРАТЫ", "возврат*"),
        (["счет"], "Пришлите счёт", "счет"),
        (["счёт"], "пришлите счет", "счёт"),
        (["refund"], "refunds?", None),
        (["refund"], "A REFUND!", "refund"),
        (["refund me"], "refund,  me", "refund me"),
        (["退款"], "我要退款吗", "退款"),
        (["ﬁnal"], "final offer", "ﬁnal"),
        (["c++"], "do you know C++ ?", "c++"),
        ([".*"], "anything", None),
        ([], "refund", None),
    ],
)
def test_triggers_are_whole_words_in_any_case(triggers: list[str], text: str, trigger: str | None) -> None:
    floor = floor_of(text, triggers)
    assert (floor and floor.trigger) == trigger
    if floor:
        assert floor.reason == "trigger"


@pytest.mark.parametrize(
    "text",
    [
        "Спасибо!",
        "Спасибо большое за помощь 🙏",
        "thanks a lot",
        "OK, thank you very much!",
        "Danke",
        "gracias",
        "Ευχαριστώ",
        "شكرا",
        "谢谢",
        "ok",
        "👍",
        "Здравствуйте",
        "До свидания",
    ],
)
def test_nothing_but_courtesy_is_social(text: str) -> None:
    assert is_social(text)


@pytest.mark.parametrize("text", ["Спасибо, а цена?", "ok when", "thanks but no", "", "  ", "Привет, есть розы?", "7"])
def test_courtesy_with_a_question_is_not(text: str) -> None:
    assert not is_social(text)


def test_people_ask_for_a_person_in_many_ways() -> None:
    """233 sentences in seven languages, with typos and anger; of 200 ordinary ones two at most are taken."""
    asked, ordinary = lines(ASKED), lines(ORDINARY)
    missed = [text for text in asked if (floor_of(text) or (None,))[0] != "human_request"]
    taken = [text for text in ordinary if floor_of(text)]
    assert len(asked) > 230
    assert len(missed) <= 0.05 * len(asked), missed
    assert len(ordinary) >= 195
    assert len(taken) <= 0.01 * len(ordinary), taken


def test_the_words_of_a_request_are_told() -> None:
    floor = floor_of("Дайте мне наконец живого человека!!!")
    assert floor is not None
    assert floor.trigger == "живого"
    assert floor_of("Оператор!") == ("human_request", "оператор")
