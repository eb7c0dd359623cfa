"""Requests that wait for somebody outside hold no more of a web process than its places: others are answered.

The attackers are two tenants with tokens of their own; whoever asks meanwhile is a third one.
"""

import http.client
import json
import socket
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from apps.chats.models import File
from apps.core.models import IdempotencyKey, OrphanedObject
from apps.egress.bulkhead import Bulkhead
from apps.egress.single import TOTAL_SECONDS
from apps.webhooks.models import Subscription
from config.environment import PROJECT_ROOT
from tests.contract.web import WebProcess
from tests.egress.receivers import Receiver, answer, drips, read_request, says
from tests.factories import ApiTokenFactory, plain_text
from tests.faults.scale import SCALE
from tests.realtime.process import database_url
from tests.waits import AT_MOST_S
from tests.webhooks.receivers import wait_until

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

CALLERS, ANSWERS = 24, 24
ENDLESS = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
# What two widgets may hold of the process's places.
BULKHEAD = Bulkhead(settings.WEB_THREADS)
HELD = min(BULKHEAD.slots, 2 * BULKHEAD.slots_each)


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back: the status, the problem's code if it is one, and after how many seconds to come again."""

    status: int
    code: str | None
    retry_after: str | None


REFUSED = Answered(429, "outbound_busy", "1")
UNREACHABLE = Answered(422, "invalid_input", None)


@pytest.fixture(scope="module")
def silent_dns() -> Iterator[int]:
    """The port of a DNS server that never answers."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        yield server.getsockname()[1]


@pytest.fixture(scope="module")
def web(django_db_setup: None, silent_dns: int) -> Iterator[WebProcess]:
    """One web process on the test's database, with as many threads as it comes with."""
    with WebProcess(
        DATABASE_URL=database_url(),
        REDIS_URL=settings.REDIS_URL,
        API_RATE_LIMIT="1000000",
        EGRESS_ALLOW="127.0.0.1,localhost",
        SILENT_DNS_PORT=str(silent_dns),
        PYTHONPATH=str(PROJECT_ROOT / "tests" / "faults" / "silent_resolver"),
    ) as process:
        yield process


@pytest.fixture
def attackers(transactional_db: None) -> list[str]:
    """A token for each of the callers, of two widgets in turn."""
    tokens = [plain_text(ApiTokenFactory.create()) for _ in range(2)]
    return [tokens[n % 2] for n in range(CALLERS)]


@pytest.fixture
def other(transactional_db: None) -> str:
    """The token of somebody who does none of it."""
    return plain_text(ApiTokenFactory.create())


def request_of(token: str, body: Any) -> tuple[bytes | None, dict[str, str]]:
    headers = {"Authorization": f"Bearer {token}"}
    if body is None:
        return None, headers
    key = {"Content-Type": "application/json", "X-Service-Idempotency-Key": uuid.uuid4().hex}
    return json.dumps(body).encode(), headers | key


def call(web: WebProcess, method: str, path: str, token: str, body: Any = None) -> Answered:
    caller = http.client.HTTPConnection("127.0.0.1", web.port, timeout=60)
    try:
        caller.request(method, f"/api/v1{path}", *request_of(token, body))
        answered = caller.getresponse()
        document = json.loads(answered.read())
    finally:
        caller.close()
    return Answered(answered.status, document.get("code"), answered.headers["Retry-After"])


def chats_of(web: WebProcess, token: str) -> list[int]:
    """What somebody else gets meanwhile, one answer after the other."""
    return [call(web, "GET", "/chats", token).status for _ in range(ANSWERS)]


def ended(calls: list[Future[Answered]]) -> list[Answered]:
    return [one.result() for one in calls if one.done()]


def transactions() -> int:
    """How many wait in the midst of a transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND state LIKE 'idle in transaction%'"
        )
        (count,) = cursor.fetchone()
    return int(count)


@pytest.mark.slow
def test_a_host_that_drips_holds_the_places_alone(web: WebProcess, attackers: list[str], other: str) -> None:
    stopped = threading.Event()
    with Receiver(drips(ENDLESS, stopped=stopped)) as host, ThreadPoolExecutor(CALLERS) as callers:
        began = time.monotonic()
        body = {"url": f"http://127.0.0.1:{host.port}/"}
        calls = [callers.submit(call, web, "POST", "/files", token, body) for token in attackers]
        wait_until(lambda: len(ended(calls)) == CALLERS - HELD and host.connections == HELD, seconds=AT_MOST_S)
        assert ended(calls) == [REFUSED] * (CALLERS - HELD)
        assert chats_of(web, other) == [200] * ANSWERS
        assert transactions() == 0
        assert host.ended == 0, "all this time the places were held"
        if not SCALE.is_long:
            stopped.set()
        assert Counter(one.result() for one in calls) == {REFUSED: CALLERS - HELD, UNREACHABLE: HELD}
        assert time.monotonic() - began < TOTAL_SECONDS + 5, "and by the total deadline at the latest they are free"
        stopped.set()
    assert not File.objects.exists()
    assert not IdempotencyKey.objects.exists()
    assert not OrphanedObject.objects.exists()
    with Receiver(says(answer(b"hello"))) as host:
        body = {"url": f"http://127.0.0.1:{host.port}/"}
        assert [call(web, "POST", "/files", token, body).status for token in attackers] == [201] * CALLERS


def test_a_resolver_that_is_silent_holds_the_places_alone(web: WebProcess, attackers: list[str], other: str) -> None:
    stopped = threading.Event()

    def subscribe(token: str, number: int) -> Counter[Answered]:
        """Again and again: each look-up is given up after its own deadline, and the next takes the place."""
        body = {"url": f"https://h{number}.silent.test/", "events": ["message.created"]}
        answers: Counter[Answered] = Counter()
        while not answers or not stopped.wait(0.05):
            answers[call(web, "POST", "/webhook-subscriptions", token, body)] += 1
        return answers

    with ThreadPoolExecutor(CALLERS) as callers:
        calls = [callers.submit(subscribe, token, n) for n, token in enumerate(attackers)]
        assert chats_of(web, other) == [200] * ANSWERS
        assert transactions() == 0
        stopped.set()
        answers = sum((one.result() for one in calls), Counter[Answered]())
    assert answers.keys() == {REFUSED, UNREACHABLE}
    assert not Subscription.objects.exists()
    assert not IdempotencyKey.objects.exists()
    body = {"url": "https://localhost/hook", "events": ["message.created"]}
    assert [call(web, "POST", "/webhook-subscriptions", token, body).status for token in attackers[:2]] == [201, 201]


def test_who_hangs_up_leaves_no_place_held(web: WebProcess, attackers: list[str]) -> None:
    stopped, token = threading.Event(), attackers[0]
    with Receiver(drips(ENDLESS, stopped=stopped)) as dripping, Receiver(says(answer(b"hello"))) as quick:
        leaving = [http.client.HTTPConnection("127.0.0.1", web.port) for _ in range(BULKHEAD.slots_each)]
        for caller in leaving:
            caller.request("POST", "/api/v1/files", *request_of(token, {"url": f"http://127.0.0.1:{dripping.port}/"}))
        wait_until(lambda: dripping.connections == len(leaving), seconds=AT_MOST_S)
        for caller in leaving:
            caller.close()
        body = {"url": f"http://127.0.0.1:{quick.port}/"}
        assert call(web, "POST", "/files", token, body) == REFUSED
        stopped.set()
        wait_until(lambda: call(web, "POST", "/files", token, body).status == 201, seconds=AT_MOST_S)
    assert File.objects.count() == 1


@pytest.mark.slow
def test_three_widgets_each_make_thirty_calls_a_minute_that_last_five_seconds(
    web: WebProcess, transactional_db: None
) -> None:
    """Evenly over the two processes that run by default: this one gets half of them. The short form is five times as
    quick, which leaves as many under way at once."""
    lasts_s = 5.0 if SCALE.is_long else 1.0
    tokens = [plain_text(ApiTokenFactory.create()) for _ in range(3)]

    def slowly(conversation: socket.socket) -> None:
        read_request(conversation)
        time.sleep(lasts_s)
        conversation.sendall(answer(b"hello"))

    with Receiver(slowly) as host, ThreadPoolExecutor(64) as callers:
        body, calls = {"url": f"http://127.0.0.1:{host.port}/"}, []
        for _ in range(10):
            calls += [callers.submit(call, web, "POST", "/files", token, body) for token in tokens]
            time.sleep(0.8 * lasts_s)
        assert Counter(one.result().status for one in calls) == {201: 30}
