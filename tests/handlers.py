"""Handlers of a test's own, beside the product's."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.core import bus


def also(monkeypatch: pytest.MonkeyPatch, handler: Callable[[Any], None], *event_types: type[bus.DomainEvent]) -> None:
    """Has `handler` called with each event of those types, after the product's own handlers, during the test."""
    for event_type in event_types:
        registered = bus.RegisteredHandler(handler, (event_type,), bus.When.AT_ONCE)
        monkeypatch.setitem(bus._by_type, event_type, [*bus._by_type[event_type], registered])
