"""What a worker's process does before its first task, and when it is asked to end."""

import gc
import os
from collections.abc import Iterator

import pytest
from celery.signals import worker_process_init
from celery.worker import state
from kombu.exceptions import OperationalError

import config.celery  # noqa: F401 - connects
from apps.core.tasks import queues
from config.broker import PatientConnection


@pytest.fixture
def nothing_frozen() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


def test_the_collector_leaves_alone_what_was_loaded_before(nothing_frozen: None) -> None:
    worker_process_init.send(sender=None)
    assert gc.get_freeze_count() > 100_000
    assert not gc.garbage


@pytest.mark.timeout(60)
def test_a_worker_that_is_asked_to_end_waits_for_redis_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "should_stop", os.EX_OK)
    with (
        PatientConnection("redis://127.0.0.1:1/0") as connection,
        pytest.raises(OperationalError, match="asked to end"),
    ):
        connection.ensure_connection()


def test_the_queues_of_the_installed_apps_are_known() -> None:
    assert "core.mail" in {queue.name for queue in queues()}
