"""The end of a test run tells which tests and files took longest."""

import pytest

from tests.longest import MANY, told


def report(nodeid: str, seconds: float, when: str = "call") -> pytest.TestReport:
    return pytest.TestReport(nodeid, ("", 0, ""), {}, "passed", None, when, duration=seconds)  # type: ignore[arg-type]


def test_the_ten_longest_are_told_with_what_was_set_up_for_them() -> None:
    quick = [report(f"a.py::test_{n}", 1.0) for n in range(20)]
    lines = list(told([*quick, report("b.py::test", 30.0, "setup"), report("b.py::test", 15.5)]))
    assert lines[:3] == ["longest files", "   45.5 s  b.py", "   20.0 s  a.py"]
    assert lines[3:5] == ["longest tests", "   45.5 s  b.py::test"]
    assert len(lines) == 1 + 2 + 1 + MANY


def test_of_a_short_run_nothing_is_told() -> None:
    assert list(told([report("a.py::test", 3.0)])) == []
