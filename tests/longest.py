"""The ten tests and the ten files that took longest, told at the end of a run: where to look when it takes too long."""

from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

MANY = 10
# A run that is over sooner needs no advice.
WORTH_TELLING_S = 60.0


def told(reports: Iterable[pytest.TestReport]) -> Iterator[str]:
    """The lines, with seconds of setup, call and teardown together."""
    tests: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for report in reports:
        tests[report.nodeid] += report.duration  # type: ignore[assignment]
        files[report.nodeid.partition("::")[0]] += report.duration  # type: ignore[assignment]
    if sum(tests.values()) < WORTH_TELLING_S:
        return
    for kind, spent in (("files", files), ("tests", tests)):
        yield f"longest {kind}"
        yield from (f"{seconds:7.1f} s  {name}" for name, seconds in spent.most_common(MANY) if seconds >= 0.1)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    every = [report for reports in terminalreporter.stats.values() for report in reports]
    # A part of a test (`subtests`) is of a class of its own, and its seconds are within its test's.
    for line in told(report for report in every if type(report) is pytest.TestReport):
        terminalreporter.write_line(line)
