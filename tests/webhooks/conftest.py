"""Deliveries over real sockets. (Pytest reads this file before Django is set up: what needs it is imported late.)"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.webhooks.receivers import HookReceiver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apps.webhooks.dispatcher import Deliverer


@pytest.fixture
def hook(settings: Any) -> Iterator[HookReceiver]:
    """A receiver that subscriptions may name."""
    with HookReceiver() as receiver:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{receiver.port}"]
        yield receiver


@pytest.fixture
def deliverer(transactional_db: None) -> Iterator[Deliverer]:
    """What a worker process runs."""
    from apps.webhooks.dispatcher import Deliverer

    deliverer = Deliverer()
    yield deliverer
    deliverer.stop(5)
