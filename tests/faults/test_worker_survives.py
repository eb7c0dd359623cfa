"""A worker outlives whatever becomes of its broker, from before its start: one process works on after all of it."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from tempfile import TemporaryFile
from typing import IO
from urllib.parse import urlsplit

import pytest
from celery import Celery
from django.conf import settings
from django.db import connection
from honcho.environ import parse_procfile

from config.environment import PROJECT_ROOT
from launcher.processes import dying_with_me, kill_group, wait_until, with_virtualenv
from tests.faults.odd_valkey import OddValkey, odd_valkey

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

TASK = "apps.core.tasks.forget_old_idempotency_keys"

# By a worker that waits for something to do.
NOTICED = ("killed", "a replica", "behind another password", "permitting nothing", "keeping something else")


@contextmanager
def worker(valkey: OddValkey, output: IO[bytes]) -> Iterator["subprocess.Popen[bytes]"]:
    """The Procfile's worker on the test's database."""
    command = parse_procfile((PROJECT_ROOT / "Procfile").read_text()).processes["worker"]
    database = urlsplit(settings.DATABASE_URL)._replace(path="/" + connection.settings_dict["NAME"]).geturl()
    changes = {"DATABASE_URL": database, "REDIS_URL": valkey.url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    process = subprocess.Popen(
        ["sh", "-c", command],
        cwd=PROJECT_ROOT,
        env=with_virtualenv({**os.environ, **changes, "WORKER_CONCURRENCY": "1"}),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=dying_with_me(signal.SIGTERM),
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        kill_group(process.pid)


def test_one_worker_works_on_after_every_state_of_its_broker() -> None:
    with odd_valkey() as valkey, TemporaryFile() as output:

        def complaints() -> int:
            return os.pread(output.fileno(), 10_000_000, 0).count(b"consumer: C")  # "Cannot …", "Connection … lost"

        def has_complained(before: int) -> bool:
            return complaints() > before

        def is_idle() -> bool:
            return valkey.operator.llen("celery") == 0 and valkey.operator.hlen("unacked") == 0

        valkey.kill()
        with worker(valkey, output) as process, Celery(broker=valkey.url) as client:
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
