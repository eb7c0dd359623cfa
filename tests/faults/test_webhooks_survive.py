"""Deliveries outlive a worker's end and Redis. What becomes of them when parts are killed: test_campaign.py."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

import pytest
from django.db import connection

from apps.webhooks.models import Delivery
from launcher.servers import EmbeddedServers
from tests.factories.webhooks import DeliveryFactory, SubscriptionFactory
from tests.faults.conftest import Figures
from tests.faults.scale import SCALE
from tests.webhooks.receivers import HookReceiver, wait_until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(3600 if SCALE.is_long else 300),
]

DELIVERIES = 500
BURST = 60


def database_url() -> str:
    """The address of the tests' own database."""
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()


@contextmanager
def celery_worker(receiver: HookReceiver, **environment: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A real worker with two processes; killed at the end if it is still there."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "celery",
            "-A",
            "config.celery",
            "worker",
            "--concurrency",
            "2",
            "--loglevel",
            "warning",
        ],
        env={**os.environ, "DATABASE_URL": database_url(), "EGRESS_ALLOW": f"127.0.0.1:{receiver.port}", **environment},
        start_new_session=True,
    )
    try:
        yield process
    finally:
        kill(process)


def kill(process: "subprocess.Popen[bytes]") -> None:
    """`kill -9` of the worker with all its processes."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def queue_deliveries(receiver: HookReceiver) -> None:
    subscriptions = [SubscriptionFactory.create(url=f"{receiver.url}/{n}") for n in range(10)]
    for subscription in subscriptions:
        DeliveryFactory.create_batch(DELIVERIES // len(subscriptions), subscription=subscription)


def wait_until_all_are_delivered() -> None:
    wait_until(lambda: not Delivery.objects.filter(status="pending").exists(), seconds=60)
    assert list(Delivery.objects.values_list("status", "attempts").distinct()) == [("delivered", 1)]
    assert Delivery.objects.count() == DELIVERIES


@pytest.fixture
def receiver() -> Iterator[HookReceiver]:
    with HookReceiver(delay_s=0.02) as receiver:
        yield receiver


@pytest.mark.slow
def test_a_worker_that_is_told_to_end_loses_and_repeats_nothing(receiver: HookReceiver) -> None:
    queue_deliveries(receiver)
    with celery_worker(receiver) as worker:
        receiver.wait_for(DELIVERIES // 4, seconds=60)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(30) == 0
    assert not Delivery.objects.filter(claim_id__isnull=False).exists()
    with celery_worker(receiver):
        wait_until_all_are_delivered()
    assert len(receiver.heard) == DELIVERIES


@pytest.mark.slow
def test_deliveries_go_on_without_redis(receiver: HookReceiver, own_servers: EmbeddedServers, figures: Figures) -> None:
    """R3: without Redis for 5 minutes, 50 deliveries a second and more go on."""
    subscription = SubscriptionFactory.create(url=receiver.url)
    DeliveryFactory.create(subscription=subscription)
    with celery_worker(receiver, REDIS_URL=own_servers.redis_url):
        receiver.wait_for(1, seconds=60)
        own_servers.valkey.kill()
        began = time.monotonic()
        for burst in range(SCALE.bursts_without_redis):
            DeliveryFactory.create_batch(BURST, subscription=subscription)
            receiver.wait_for(1 + BURST * (burst + 1), seconds=60)
            threading.Event().wait(max(0.0, began + burst + 1 - time.monotonic()) if SCALE.is_long else 0)
        took = time.monotonic() - began
        wait_until(lambda: not Delivery.objects.filter(status="pending").exists())
    total = BURST * SCALE.bursts_without_redis
    assert len(receiver.heard) == 1 + total
    figures.add("R3, without Redis", f"{total:,} deliveries in {took:.0f} s, {total / took:.0f} a second")
