"""A normal form of foreign text: the same as Unicode's for every language, in time that grows as the text does."""

import ast
import sys
import unicodedata
from typing import Literal

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from apps.core.parsing.normal_forms import LONGEST_RUN, SORTED, normalize
from config.environment import PROJECT_ROOT
from tests.architecture.growth import grows, without_collector  # noqa: F401
from tests.architecture.source import APPS

FORMS: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")
# Pairs of marks that are sorted, in the wrong order: of the first plane, of notes, of Greek, and ones that unfold.
WRONG = ("\u0300\u0316", "\U0001d16d\U0001d165", "\u0345\u0334", "\u0f71\u0f39", "\uff9e\u0334")


def is_sorted(letter: str) -> bool:
    import re

    return re.fullmatch(f"[{SORTED}]", letter) is not None


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("unit", WRONG)
def test_a_run_of_marks_takes_as_much_longer_as_it_is(form: Literal["NFC", "NFD", "NFKC", "NFKD"], unit: str) -> None:
    assert grows(lambda text: normalize(form, "a" + text), unit, shortest=1_000, longest=32_000) is None


def test_every_mark_that_is_sorted_is_known() -> None:
    letters = [chr(code) for code in range(128, sys.maxunicode) if not 0xD800 <= code <= 0xDFFF]
    marks = [one for one in letters if unicodedata.combining(unicodedata.normalize("NFKD", one)[0])]
    assert len(marks) > 900
    assert [one for one in marks if not is_sorted(one)] == []


@pytest.mark.django_db
def test_every_mark_that_the_database_sorts_is_known() -> None:
    """Its Unicode may be newer than Python's."""
    with connection.cursor() as cursor:
        cursor.execute(
            r"""SELECT chr(code) FROM generate_series(128, 1114111) AS code WHERE (code < 55296 OR code > 57343)
            AND left(normalize(chr(code), NFKD), 1) = substr(normalize(E'a\u0345' || chr(code), NFKD), 2, 1)"""
        )
        marks = [row[0] for row in cursor.fetchall()]
    assert len(marks) > 800
    assert [one for one in marks if not is_sorted(one)] == []


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=LONGEST_RUN))
def test_a_text_of_a_language_is_what_unicode_says(text: str) -> None:
    for form in FORMS:
        assert normalize(form, text) == unicodedata.normalize(form, text)


def test_of_a_run_of_marks_thirty_stay() -> None:
    assert normalize("NFC", "x" + "\u0316" * 31 + "y") == "x" + "\u0316" * 30 + "y"


def test_nobody_else_normalises() -> None:
    """The standard library's takes the square of the marks."""
    users = {
        path.relative_to(APPS).as_posix()
        for path in APPS.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr == "normalize"
        and getattr(node.value, "id", "") == "unicodedata"
    }
    assert users == {"core/parsing/normal_forms.py", "extraction/cutting.py"}  # a table of seven ligatures


# A constant's, of Unicode's own ligatures.
OF_NO_FOREIGN_TEXT = ["apps/extraction/cutting.py"]


def test_foreign_text_is_normalised_by_the_one_function_that_is_linear() -> None:
    others = [
        str(path.relative_to(PROJECT_ROOT))
        for path in sorted((PROJECT_ROOT / "apps").rglob("*.py"))
        if "unicodedata.normalize(" in path.read_text() and path.name != "normal_forms.py"
    ]
    assert others == OF_NO_FOREIGN_TEXT
