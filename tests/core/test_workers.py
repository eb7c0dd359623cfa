"""What a worker's process does before its first task."""

import gc
from collections.abc import Iterator

import pytest
from celery.signals import worker_process_init

import config.celery  # noqa: F401 - connects


@pytest.fixture
def nothing_frozen() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


def test_the_collector_leaves_alone_what_was_loaded_before(nothing_frozen: None) -> None:
    worker_process_init.send(sender=None)
    assert gc.get_freeze_count() > 100_000
    assert not gc.garbage
