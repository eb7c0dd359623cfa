"""The figures that fault tests report, and the service that they put to the test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import RUNNING
from tests.contract.conftest import document, file_server, messengers_server, vendor_server, world  # noqa: F401 - fixtures
from tests.realtime.conftest import start_realtime  # noqa: F401 - a fixture
from tests.run.service import Service
from tests.webhooks.conftest import deliverer, hook  # noqa: F401 - fixtures

if TYPE_CHECKING:
    from tests.faults.fleet import Fleet

FIGURES = pytest.StashKey[list[tuple[str, str]]]()


class Figures:
    """Takes down what was measured, by goal; the run prints it all at its end, as the rows of a table."""

    def __init__(self, rows: list[tuple[str, str]]) -> None:
        self._rows = rows

    def add(self, goal: str, measured: str) -> None:
        self._rows.append((goal, measured))


@pytest.fixture
def figures(pytestconfig: pytest.Config) -> Figures:
    return Figures(pytestconfig.stash.setdefault(FIGURES, []))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if rows := config.stash.get(FIGURES, []):
        terminalreporter.section("figures")
        for goal, measured in rows:
            terminalreporter.write_line(f"| {goal} | {measured} |")


@pytest.fixture(scope="module")
def fleet(kept_service: Service) -> Fleet:
    """The running service; tests may kill any part of it."""
    from tests.faults.fleet import Fleet

    if kept_service.ended:
        kept_service.end()
        kept_service.start(**RUNNING)
    return Fleet(kept_service, RUNNING)
