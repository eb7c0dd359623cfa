"""Read by pytest before Django is set up, so the product is imported inside the fixtures."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from pytest_django import Settings

    from apps.accounts.models import Widget
    from apps.core.bus import DomainEvent
    from tests.bucket import Bucket, Oddity
    from tests.widget.visitor import VisitorClient


@pytest.fixture
def happened(monkeypatch: pytest.MonkeyPatch) -> list[DomainEvent]:
    """The domain events published during the test, in order; the product's own handlers run as ever."""
    from apps.chats import events
    from apps.core import bus
    from tests.handlers import also

    recorded: list[DomainEvent] = []
    kinds = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, bus.DomainEvent)]
    also(monkeypatch, recorded.append, *kinds)
    return recorded


@pytest.fixture
def bucket(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    """Where files are kept during the test."""
    from tests.bucket import Bucket
    from tests.chats.in_bucket import use

    with Bucket() as server:
        use(server.url, settings, monkeypatch)
        yield server


@pytest.fixture
def while_odd(
    bucket: Bucket, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Oddity], AbstractContextManager[None]]:
    """A block in which the bucket is odd, and is waited for a tenth of a second, and a second in all.

    Outside of it the waits are the product's: a bucket that is well may take longer than that on a busy machine.
    """
    import config.storage
    from apps.core.files import remote, storage
    from tests.chats.in_bucket import use

    @contextmanager
    def odd(oddity: Oddity) -> Iterator[None]:
        with monkeypatch.context() as patch:
            patch.setattr(config.storage, "SILENT_SECONDS", 0.1)
            use(bucket.url, settings, patch)
            storage.origins()  # makes the client, which takes a while
            patch.setattr(remote, "TOTAL_SECONDS", 1)
            bucket.odd = oddity
            yield
        bucket.heal()
        use(bucket.url, settings, monkeypatch)

    return odd


@pytest.fixture
def visitor(shop: Widget) -> VisitorClient:
    """Somebody who has just opened a page of the shop."""
    from tests.widget.visitor import VisitorClient

    browser = VisitorClient(shop)
    browser.come()
    return browser
