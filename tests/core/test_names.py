"""Names from outside become names that the API would take."""

from hypothesis import given
from hypothesis import strategies as st

from apps.core.parsing.names import control_refusal, name_refusal, one_line


def test_breaks_and_control_characters_are_one_space() -> None:
    assert one_line(" Anna\r\n\tMaria\x00\x85 K. ") == "Anna Maria K."


@given(st.text())
def test_what_is_left_is_a_name_or_nothing(text: str) -> None:
    line = one_line(text)
    assert control_refusal(line) is None
    assert line == "" or name_refusal(line) is None
