"""Operators at their console. (Pytest reads this file before Django is set up: what needs Django is imported late.)"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from apps.agents.models import Agent
    from apps.core.bus import DomainEvent
    from tests.console.browser import Console


@pytest.fixture
def alices_console(alice: Agent) -> Console:
    from tests.console.browser import Console

    return Console(alice)


@pytest.fixture
def boriss_console(boris: Agent) -> Console:
    from tests.console.browser import Console

    return Console(boris)


@pytest.fixture
def happened(monkeypatch: pytest.MonkeyPatch) -> list[DomainEvent]:
    """What the chats' domain events said during the test, in order; the product's own handlers run as ever."""
    from apps.chats import events
    from apps.core import bus
    from tests.handlers import also

    recorded: list[DomainEvent] = []
    kinds = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, bus.DomainEvent)]
    also(monkeypatch, recorded.append, *kinds)
    return recorded
