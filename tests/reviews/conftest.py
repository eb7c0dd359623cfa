"""Olga, who owns the shop, at the console. (Pytest reads this file before Django is set up.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ai.conftest import desk, vendor
from tests.console.conftest import alices_console, boriss_console

if TYPE_CHECKING:
    from apps.agents.models import Agent
    from tests.console.browser import Console

__all__ = ["alices_console", "boriss_console", "desk", "vendor"]


@pytest.fixture
def olgas_console(olga: Agent) -> Console:
    from tests.console.browser import Console

    return Console(olga)
