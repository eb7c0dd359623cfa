"""A worker outlives whatever becomes of its broker, from before its start: one process works on after all of it."""

from functools import partial
from tempfile import TemporaryFile

import pytest
from celery import Celery

from launcher.processes import wait_until
from tests.faults.odd_valkey import odd_valkey
from tests.faults.processes import running, written

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

TASK = "apps.core.tasks.forget_old_idempotency_keys"

# By a worker that waits for something to do.
NOTICED = ("killed", "a replica", "behind another password", "permitting nothing", "keeping something else")


def test_one_worker_works_on_after_every_state_of_its_broker() -> None:
    with odd_valkey() as valkey, TemporaryFile() as output:

        def complaints() -> int:
            return written(output).count(b"consumer: C")  # "Cannot …", "Connection … lost"

        def has_complained(before: int) -> bool:
            return complaints() > before

        def is_idle() -> bool:
            return valkey.operator.llen("celery") == 0 and valkey.operator.hlen("unacked") == 0

        valkey.kill()
        with (
            running("worker", output, REDIS_URL=valkey.url, WORKER_CONCURRENCY="1") as process,
            Celery(broker=valkey.url) as client,
        ):
            assert wait_until(partial(has_complained, 0), seconds=30), "the worker did not start"
            valkey.start()
            for name in NOTICED:
                client.send_task(TASK)
                assert wait_until(is_idle, seconds=20), f"nothing was done before: {name}"
                so_far = complaints()
                with valkey.in_state(name):
                    assert wait_until(partial(has_complained, so_far), seconds=20), f"not noticed: {name}"
            client.send_task(TASK)
            assert wait_until(is_idle, seconds=20), "nothing was done at last"
            assert process.poll() is None
