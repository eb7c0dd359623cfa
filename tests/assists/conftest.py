"""The shop's model, and its operators. (Pytest reads this file before Django is set up.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ai.conftest import desk, vendor
from tests.console.conftest import alices_console, boriss_console

if TYPE_CHECKING:
    from apps.agents.models import Agent
    from tests.ai.desk import Desk
    from tests.assists.help import Help

__all__ = ["alices_console", "boriss_console", "desk", "vendor"]


@pytest.fixture
def help_(desk: Desk, alice: Agent) -> Help:
    """Alice at the shop's console, beside Ivan's chat; AI is on, and Ivan has asked."""
    from tests.assists.help import Help

    return Help(desk, alice)
