"""Read by pytest before Django is set up, so the product is imported inside the fixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from apps.core.bus import DomainEvent


@pytest.fixture
def happened(monkeypatch: pytest.MonkeyPatch) -> list[DomainEvent]:
    """The domain events published during the test, in order; the product's own handlers run as ever."""
    from apps.automations import events as own
    from apps.chats import events
    from apps.core import bus
    from tests.handlers import also

    recorded: list[DomainEvent] = []
    found = [*vars(events).values(), *vars(own).values()]
    kinds = {kind for kind in found if isinstance(kind, type) and issubclass(kind, bus.DomainEvent)}
    also(monkeypatch, recorded.append, *kinds)
    return recorded
