"""The writer's own words of letters in the shapes of mail programs (design of letters, 5, Text)."""

from pathlib import Path

import pytest

from apps.letters.rules.reading.letters import read_letter
from apps.letters.rules.reading.markup import read
from apps.letters.rules.reading.words import lines_of, words_of
from tests.letters.recorded import RECORDED, Recorded

LETTERS = Path(__file__).parent / "letters"


def words(raw: bytes) -> str:
    letter = read_letter(raw)
    markup = lines_of(read(letter.html.encode())) if letter.html else None
    return words_of(letter.plain, markup).text


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda one: one.file)
def test_a_letter_is_cut_to_its_writers_words(recorded: Recorded) -> None:
    assert words((LETTERS / f"{recorded.file}.eml").read_bytes()) == recorded.text


def test_every_recorded_letter_is_in_the_table() -> None:
    assert {path.stem for path in LETTERS.glob("*.eml")} == {one.file for one in RECORDED}
    assert len(RECORDED) >= 60


def plain(text: str) -> str:
    return words(b"From: mary@example.org\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "От: нас ничего не требуется, счёт ниже.\nСчёт №5 во вложении.",
        "Meeting tomorrow at 10:00, agenda:\n1. Dates\n2. Prices",
        "On Friday I wrote to you about it. Any news?",
        "From: Berlin\nI need it by Monday.",
        "Total: 5\nDate: tomorrow\nColour: blue",
    ],
)
def test_words_that_look_like_an_intro_stay(text: str) -> None:
    assert plain(text) == text


def test_our_line_cuts_whatever_the_program_wrote_above_it() -> None:
    text = "Yes.\n\nUne phrase inconnue, 20.11.2026 10:11, x@example.org :\n=== Answer above this line ===\nold"
    assert plain(text) == "Yes."


def test_a_text_of_more_than_10000_characters_ends_with_dots() -> None:
    shown = plain("é" * 10_001)
    assert (len(shown), shown[-1]) == (10_000, "…")
