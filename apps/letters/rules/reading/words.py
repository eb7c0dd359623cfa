"""The text of a letter that is shown: markup where a program marked in it what it quotes, else the plain text."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.letters.rules.reading.charsets import shown_text
from apps.letters.rules.reading.lines import LetterLine, Mark, plain_lines
from apps.letters.rules.reading.texts import OwnText, has_known_quote, own_text


def words_of(plain: str | None, markup: Sequence[LetterLine] | None) -> OwnText:
    """The writer's own words, of the plain part and of the lines of the markup, where the letter has them."""
    if markup is not None and (has_known_quote(markup) or plain is None or not plain.strip()):
        return own_text(markup)
    return own_text(plain_lines(plain or ""))


def lines_of(answer: Mapping[str, Any]) -> list[LetterLine]:
    """The lines that the cage answered. Raises KeyError, TypeError, ValueError for an answer of another shape."""
    return [LetterLine(shown_text(str(text)), Mark(mark)) for text, mark in answer["lines"]]
