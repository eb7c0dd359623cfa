"""The one JSON parser for requests."""

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.core.parsing.strict_json import parse_object
from apps.core.problems import Problem

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


def refusal(body: bytes) -> Problem:
    with pytest.raises(Problem) as caught:
        parse_object(body)
    return caught.value


@given(st.dictionaries(TEXTS, VALUES, max_size=5), st.booleans())
def test_what_can_be_meant_is_read_as_it_was_meant(document: dict[str, Any], ascii_only: bool) -> None:
    assert parse_object(json.dumps(document, ensure_ascii=ascii_only).encode()) == document


@given(st.binary(max_size=200))
@example(b"\xff")
@example(b"[" * 100_000)
@example(b'"' + b"\\" * 99)
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    try:
        assert isinstance(parse_object(body), dict)
    except Problem as problem:
        assert problem.type.status in (400, 422)  # noqa: PT017 - refusals are one of two lawful outcomes


@given(st.text(alphabet='[]{}",:\\0 1eEa-.u', max_size=60))
def test_whatever_looks_like_json_is_read_as_python_reads_it_or_refused(text: str) -> None:
    try:
        document = parse_object(text.encode())
    except Problem:
        return
    assert document == json.loads(text)


@pytest.mark.parametrize("opener", ["[", '{"a":'])
def test_64_levels_pass_and_65_do_not(opener: str) -> None:
    closer = "]" if opener == "[" else "}"
    nested = lambda levels: ('{"a":' + opener * (levels - 1) + "1" + closer * (levels - 1) + "}").encode()  # noqa: E731
    assert parse_object(nested(64))
    assert refusal(nested(65)).type.code == "invalid_json"


def test_brackets_in_texts_are_no_levels() -> None:
    text = '[{"' * 1_000
    assert parse_object(json.dumps({"a": text, "b": [text]}).encode()) == {"a": text, "b": [text]}


@pytest.mark.parametrize(
    "text", ["NaN", "Infinity", "-Infinity", "nan", "+1", "01", ".5", "1.", "0x1", "1_000", "'a'", "\\u0041"]
)
def test_what_is_no_json_value_is_400(text: str) -> None:
    assert refusal(f'{{"a": {text}}}'.encode()).type.code == "invalid_json"


@pytest.mark.parametrize(
    "text", ["9223372036854775808", "-9223372036854775808", "1" + "0" * 30, "1" * 5_000, "1e400", "-1e400"]
)
def test_a_number_out_of_range_is_422_by_its_path(text: str) -> None:
    problem = refusal(f'{{"a": [0, {{"b": {text}}}]}}'.encode())
    assert (problem.type.code, dict(problem.errors)) == ("invalid_input", {"a.1.b": ["The number is out of range."]})


@pytest.mark.parametrize("text", ["9223372036854775807", "-9223372036854775807", "1e308", "-0", "1.5", "5e-324"])
def test_the_largest_and_smallest_numbers_pass(text: str) -> None:
    value = parse_object(f'{{"a": {text}}}'.encode())["a"]
    assert math.isfinite(value)
    assert value == json.loads(text)


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        (b'{"a": 1, "a": 1}', ["a"]),
        (b'{"a": 1, "\\u0061": 2}', ["a"]),
        (b'{"a": {"b": 1, "b": 2}, "c": [{"d": 1, "d": 2}]}', ["a.b", "c.0.d"]),
        (b'[{"a": 1, "a": 2}]', ["0.a"]),
        (b'{"a": 1, "a": {"b": 1, "b": 2}}', ["a", "a.b"]),
    ],
)
def test_a_duplicate_member_is_422_by_its_path(body: bytes, paths: list[str]) -> None:
    problem = refusal(body)
    assert problem.type.code == "duplicate_member"
    assert sorted(problem.errors) == paths


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (b'{"a": "x\\u0000y"}', "a"),
        (b'{"a": ["", "\\ud800"]}', "a.1"),
        (b'{"a": {"b": "\\udc00\\ud800"}}', "a.b"),
        (b'{"a\\u0000": 1}', "a\\0"),
        (b'{"\\ud800": 1}', "\\ud800"),
    ],
)
def test_nul_and_half_a_surrogate_pair_are_422_by_their_path(body: bytes, path: str) -> None:
    problem = refusal(body)
    assert problem.type.code == "invalid_input"
    assert list(problem.errors) == [path]


def test_a_whole_surrogate_pair_is_one_character() -> None:
    assert parse_object(b'{"a": "\\ud83d\\ude00"}') == {"a": "\U0001f600"}


@pytest.mark.parametrize("body", [b"[]", b"null", b"true", b"1", b'"a"', b"[{}]"])
def test_a_document_that_is_no_object_is_422(body: bytes) -> None:
    assert refusal(body).type.code == "invalid_input"


class TestWhatIsMadeToBeSlow:
    """A body of any kind is counted before it is parsed, and a refusal of it stays short."""

    @pytest.mark.parametrize("value", ["[]", "{}", "1", "[[]]", '{"a":1}'])
    def test_ten_thousand_values_are_read_and_more_are_400(self, value: str) -> None:
        values_each = value.count("[") + value.count("{") or 1
        of = lambda count: ('{"a":[' + ",".join([value] * count) + "]}").encode()  # noqa: E731
        # Beside the values themselves: the document and its array; and a comma stands before each value but one.
        most = (10_000 - 1) // (values_each + 1) if value != "1" else 10_000 - 1
        assert len(parse_object(of(most))["a"]) == most
        problem = refusal(of(most + 1))
        assert (problem.type.code, problem.detail) == ("invalid_json", "The document has more than 10000 values.")

    def test_what_stands_in_texts_does_not_count(self) -> None:
        for text in ("[{,", "]", r"\"[", r"\\", "\u044f,"):
            body = ('{"a": "' + text * 20_000 + '"}').encode()
            assert parse_object(body) == json.loads(body)

    def test_a_text_without_end_is_looked_at_once(self) -> None:
        """Each of its quotes could begin one: with a pattern that has to end, a megabyte would take hours."""
        assert refusal(b'{"a": "' + b'\\"' * 300_000 + b"[" * 65).type.code == "invalid_json"

    @pytest.mark.parametrize(
        ("item", "code"),
        [("1e999", "invalid_input"), (r'"\u0000"', "invalid_input"), ('{"b":1,"b":2}', "duplicate_member")],
    )
    def test_a_hundred_places_are_named(self, item: str, code: str) -> None:
        problem = refusal(('{"a":[' + ",".join([item] * 1500) + "]}").encode())
        assert problem.type.code == code
        suffix = ".b" if code == "duplicate_member" else ""
        assert list(problem.errors or {}) == [f"a.{n}{suffix}" for n in range(100)]

    def test_a_duplicate_behind_a_hundred_refusals_is_found(self) -> None:
        body = b'{"a":[' + b",".join([b"1e999"] * 200) + b'],"b":1,"b":2}'
        problem = refusal(body)
        assert (problem.type.code, problem.errors) == (
            "duplicate_member", {"b": ["This member occurs more than once."]}
        )  # fmt: skip

    def test_of_a_long_name_a_hundred_characters_are_repeated(self) -> None:
        problem = refusal(b'{"' + b"x" * 500_000 + b'":[' + b",".join([b"1e999"] * 3000) + b"]}")
        assert list(problem.errors or {}) == ["x" * 100 + f"….{n}" for n in range(100)]
