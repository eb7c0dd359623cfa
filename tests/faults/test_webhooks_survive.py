"""Deliveries outlive the workers that make them."""

import os
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.utils import timezone

from apps.webhooks.models import Delivery
from launcher.servers import EmbeddedServers
from tests.factories.webhooks import DeliveryFactory, SubscriptionFactory
from tests.webhooks.receivers import HookReceiver, wait_until

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

DELIVERIES = 500


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


def test_a_killed_worker_loses_nothing(receiver: HookReceiver) -> None:
    queue_deliveries(receiver)
    with celery_worker(receiver) as worker:
        receiver.wait_for(DELIVERIES // 4, seconds=60)
        kill(worker)
    in_flight = set(Delivery.objects.filter(claim_id__isnull=False).values_list("guid", flat=True))
    assert Delivery.objects.filter(status="pending").count() > DELIVERIES // 4
    # Nothing holds the killed worker's claims but time: let it pass.
    Delivery.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())
    with celery_worker(receiver):
        wait_until_all_are_delivered()

    heard: dict[str, list[Any]] = defaultdict(list)
    for one in receiver.heard:
        heard[one.headers["x-service-delivery"]].append(one)
    assert len(heard) == DELIVERIES
    repeated = {guid: times for guid, times in heard.items() if len(times) > 1}
    assert set(repeated) <= {str(guid) for guid in in_flight}
    for times in repeated.values():
        assert len(times) == 2
        assert len({(one.headers["x-service-idempotency-key"], one.body) for one in times}) == 1


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


def test_deliveries_go_on_without_redis(receiver: HookReceiver, own_servers: EmbeddedServers) -> None:
    subscription = SubscriptionFactory.create(url=receiver.url)
    DeliveryFactory.create(subscription=subscription)
    with celery_worker(receiver, REDIS_URL=own_servers.redis_url):
        receiver.wait_for(1, seconds=60)
        own_servers.valkey.kill()
        for count in (51, 101):
            DeliveryFactory.create_batch(50, subscription=subscription)
            receiver.wait_for(count, seconds=10)
        wait_until(lambda: not Delivery.objects.filter(status="pending").exists())
