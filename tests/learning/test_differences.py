"""The difference between two versions of an assistant's text."""

from apps.learning.rules.differences import LONGEST_SHOWN, MOST_SHOWN, differences, kept


def test_lines_that_went_and_came_are_shown_in_their_order() -> None:
    old, new = "Be kind.\nSell roses.\nSay goodbye.", "Be kind.\nSell tulips.\nSay goodbye.\nThank them."
    assert differences(old, new) == [("-", "Sell roses."), ("+", "Sell tulips."), ("+", "Thank them.")]


def test_equal_texts_have_no_difference() -> None:
    assert differences("Be kind.", "Be kind.") == []


def test_a_long_difference_is_shown_shortened() -> None:
    old, new = "\n".join(f"old {n}" for n in range(400)), "\n".join(f"new {n}" for n in range(400))
    shown = differences(old, new)
    assert len(shown) == MOST_SHOWN + 1
    assert shown[-1] == ("…", str(800 - MOST_SHOWN))


def test_a_long_line_is_shown_shortened() -> None:
    assert differences("", "a" * 1_000) == [("+", "a" * LONGEST_SHOWN + "…")]


def test_what_is_kept_is_counted_in_pieces_of_eight() -> None:
    text = "We sell roses and tulips."
    assert kept(text, text) == len(text)
    assert kept(text, f"Hello. {text} Bye.") == len(text)
    assert kept(text, "We sell cacti.") == len("We sell ")
    assert kept(text * 3, text) <= len(text) + 8
