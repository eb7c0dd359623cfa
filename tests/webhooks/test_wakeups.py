"""Wake-ups reach Celery's queue after a commit, few for many, and never hold anybody up."""

import json
import os
import socket
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Iterator

import pytest
from django.db import transaction

from apps.accounts.models import Widget
from apps.core.redis import connection as redis
from apps.core.redis import wakeups
from apps.webhooks.actions.outbox import DELIVER, OutboxEvent
from tests.egress.receivers import closed_port
from tests.factories.webhooks import SubscriptionFactory, emit
from tests.webhooks.receivers import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

QUEUE = "celery"


@pytest.fixture(autouse=True)
def empty_queue(transactional_db: None) -> Iterator[None]:
    redis.client().delete(QUEUE)
    yield
    redis.client().delete(QUEUE)


def queued() -> Counter[str]:
    """How often each task stands in the queue."""
    return Counter(json.loads(message)["headers"]["task"] for message in redis.client().lrange(QUEUE, 0, -1))


def test_a_wake_up_is_sent_after_the_commit_and_not_before() -> None:
    with transaction.atomic():
        wakeups.after_commit("tests.uncommitted")
        wakeups._waker.wake("tests.meanwhile")
        wait_until(lambda: queued()["tests.meanwhile"] == 1)
        assert queued()["tests.uncommitted"] == 0
    wait_until(lambda: queued()["tests.uncommitted"] == 1)


def test_what_is_rolled_back_wakes_nobody() -> None:
    with transaction.atomic():
        wakeups.after_commit("tests.undone")
        transaction.set_rollback(True)
    wakeups.after_commit("tests.done")
    wait_until(lambda: queued()["tests.done"] == 1)
    assert queued()["tests.undone"] == 0


def test_many_become_one() -> None:
    began = time.monotonic()
    for _ in range(2000):
        with transaction.atomic():
            wakeups.after_commit("tests.often")
            wakeups.after_commit("tests.too")
    took = time.monotonic() - began
    wakeups.after_commit("tests.last")
    wait_until(lambda: queued().keys() == {"tests.often", "tests.too", "tests.last"})
    most = took / wakeups.PAUSE_S + 2
    for name in ("tests.often", "tests.too"):
        assert 1 <= queued()[name] <= most


def test_an_event_that_somebody_wants_wakes_the_deliverer(shop: Widget) -> None:
    def emit_one() -> None:
        with transaction.atomic():
            emit([OutboxEvent("message.created", shop.pk, shop.guid, {})])

    emit_one()
    wakeups.after_commit("tests.marker")
    wait_until(lambda: queued()["tests.marker"] == 1)
    assert queued()[DELIVER] == 0  # nobody had subscribed
    SubscriptionFactory.create(widget=shop)
    emit_one()
    wait_until(lambda: queued()[DELIVER] == 1)


def run(script: str, **environment: str) -> str:
    """What a Python process with the project set up prints."""
    code = "import os, sys, time, django; django.setup(); from apps.core.redis import wakeups\n" + textwrap.dedent(
        script
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout


@pytest.mark.slow
def test_without_redis_nobody_waits_or_fails() -> None:
    script = """
        import threading
        send, senders = wakeups._send, set()
        def noted(task_name):
            senders.add(threading.current_thread().name)
            send(task_name)
        wakeups._send = noted
        for _ in range(1000):
            wakeups._waker.wake("tests.lost")
        wakeups._waker.finish()
        print(*senders)
        """
    with socket.create_server(("127.0.0.1", 0)) as silent:
        for port in (closed_port(), silent.getsockname()[1]):
            assert run(script, REDIS_URL=f"redis://127.0.0.1:{port}/0") == "wakeups\n", "only the thread meant for it"


def test_a_forked_process_has_a_thread_of_its_own() -> None:
    run(
        """
        from apps.core.redis import connection as redis
        wakeups._waker.wake("tests.parent")
        while not redis.client().llen("celery"):
            time.sleep(0.01)
        child = os.fork()
        if child == 0:
            wakeups._waker.wake("tests.child")
            sys.exit()
        assert os.waitpid(child, 0)[1] == 0
        """
    )
    assert queued() == {"tests.parent": 1, "tests.child": 1}
