"""Words that wait for no answer (apps/chats/rules/courtesies.py)."""

import pytest

from apps.chats.rules.courtesies import is_courtesy, is_question


@pytest.mark.parametrize(
    "text",
    [
        "Спасибо!",
        "thanks a lot",
        "Danke, tschüss",
        "¡Muchas gracias!",
        "Ευχαριστώ πολύ",
        "شكرا",
        "谢谢",
        "ok",
        "👍",
        "谢谢, ok!",
        "___",
        "🙂",
    ],
)
def test_thanks_goodbyes_oks_and_emoji_are_courtesies(text: str) -> None:
    assert is_courtesy(text)


@pytest.mark.parametrize("text", ["Привет", "hello", "你好", "guten Tag", "hola"])
def test_a_greeting_is_no_courtesy(text: str) -> None:
    assert not is_courtesy(text)


@pytest.mark.parametrize(
    "text", ["", "  ", "thanks, and when?", "ok 5", "谢谢 order", "ok, deliver it on Monday", "спасибо, а где заказ"]
)
def test_words_that_say_more_are_no_courtesy(text: str) -> None:
    assert not is_courtesy(text)


@pytest.mark.parametrize(("text", "expected"), [("Which? ", True), ("哪一个？", True), ("This.", False), ("", False)])
def test_a_question_ends_in_its_mark(text: str, expected: bool) -> None:
    assert is_question(text) is expected
