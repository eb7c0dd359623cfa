"""Two versions of an article beside each other."""

import pytest

from apps.articles.cabinet.comparison import GAP, MOST_SHOWN, ComparedRow, TextSide, beside


def plain(line: str) -> ComparedRow:
    return ComparedRow(TextSide(line, "", ""), TextSide(line, "", ""))


def test_equal_texts_have_no_rows() -> None:
    assert beside("one\ntwo", "one\ntwo") == []


def test_the_words_that_differ_are_marked_within_their_line() -> None:
    assert beside("We bring it in two days.", "We bring it in one day.") == [
        ComparedRow(TextSide("We bring it in ", "two days.", ""), TextSide("We bring it in ", "one day.", ""))
    ]


def test_lines_around_a_change_are_shown_and_the_rest_is_a_gap() -> None:
    old = "a\nb\nc\nd\ne\nf\ng"
    assert beside(old, old.replace("d", "D")) == [
        GAP,
        plain("b"),
        plain("c"),
        ComparedRow(TextSide("", "d", ""), TextSide("", "D", "")),
        plain("e"),
        plain("f"),
        GAP,
    ]


def test_a_line_that_came_stands_beside_nothing() -> None:
    assert beside("a\nb", "a\nnew\nb") == [plain("a"), ComparedRow(None, TextSide("", "new", "")), plain("b")]
    assert beside("a\nold\nb", "a\nb") == [plain("a"), ComparedRow(TextSide("", "old", ""), None), plain("b")]


@pytest.mark.parametrize("line", ["", "x", " ", "x " * 1000])
def test_texts_of_the_largest_size_are_compared_within_bounds(line: str) -> None:
    """200,000 characters of lines that are alike, and of one line."""
    old = "\n".join([line, "o"] * 50_000)[:200_000]
    new = "\n".join(["n", line] * 50_000)[:200_000]
    assert len(beside(old, new)) <= MOST_SHOWN
    assert len(beside("a" * 200_000, "b" * 200_000)) == 1
