"""Knowledge is looked for by the visitor's own words; vendors read no personal data but what the owner publishes."""

from typing import Any

import pytest

from apps.kb.questions import Knowledge, KnowledgePiece
from tests.ai.desk import Desk
from tests.hooks import hook

HOTLINE = KnowledgePiece(5, "Горячая линия 8 800 555-35-35, пишите на help@shop.example.", "rule:5", "", None, 0.9)


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What knowledge was looked for by; the hotline's number is always found."""
    asked: list[str] = []

    def retrieve(**question: Any) -> Knowledge:
        asked.append(question["query"])
        return Knowledge("included", [HOTLINE])

    hook(monkeypatch, knowledge=retrieve)
    return asked


def test_the_visitors_own_words_are_searched(desk: Desk, searched: list[str]) -> None:
    desk.answers("Мне звонили с +7 (800) 555-35-35, это вы?")
    assert searched == ["Мне звонили с +7 (800) 555-35-35, это вы?"]


def test_what_the_knowledge_says_is_no_secret_and_a_visitors_own_number_is(desk: Desk, searched: list[str]) -> None:
    desk.answers("Мне звонили с +7 800 555 35 35 и писали с help@shop.example. Мой номер +7 901 123-45-67")
    assert desk.prompt()["messages"][-1]["content"].endswith(
        "Мне звонили с +7 800 555 35 35 и писали с help@shop.example. Мой номер [PHONE_1]"
    )


def test_what_the_owners_texts_say_is_no_secret(desk: Desk) -> None:
    desk.assistant.persona = "Ты Флора. Склад: +7 495 123-45-67."
    desk.assistant.save(update_fields=["persona"])
    desk.answers("Склад по номеру 8 495 1234567?")
    assert "8 495 1234567" in desk.prompt()["messages"][-1]["content"]


def test_a_question_is_searched_with_what_it_follows(desk: Desk, searched: list[str]) -> None:
    desk.answers("Сколько стоит доставка в Москву?")
    desk.answers("а в Казань?")
    assert searched == ["Сколько стоит доставка в Москву?", "Сколько стоит доставка в Казань?"]


@pytest.mark.parametrize("courtesy", ["Здравствуйте!", "Спасибо", "\N{THUMBS UP SIGN}"])
def test_a_courtesy_looks_for_nothing(desk: Desk, searched: list[str], courtesy: str) -> None:
    desk.answers(courtesy)
    assert searched == [""]
