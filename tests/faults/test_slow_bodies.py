"""Requests made to be slow: none takes more than 100 ms of CPU until its answer, and a refusal is short (goal R23).

What a body costs is the process's own time, so a busy machine does not change it; the long form asserts it.
"""

import http.client
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import psutil
import pytest
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.widget.authentication import MAX_BODY
from tests.contract.document import member_schemas
from tests.contract.requests import Request, to
from tests.contract.routes import ROUTES, Route, of_visitors, takes_body
from tests.contract.samples import World
from tests.faults import slow_bodies
from tests.faults.conftest import Figures
from tests.faults.processes import ready_web
from tests.faults.scale import SCALE

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True), pytest.mark.timeout(1800)]

CPU_S = 0.1
LONGEST_REFUSAL = 64 * 1024
MEGABYTE = 1024 * 1024 - 1024
# One of each way in, and those with the most to check; the long form takes every operation with a body.
CHOSEN = {
    "POST /api/v1/chats/{id}/messages",
    "PATCH /api/v1/contacts/{id}",
    "POST /api/v1/contacts/{id}/tags",
    "POST /api/v1/webhook-subscriptions",
    "POST /widget/{guid}/messages",
    "POST /compat/legacy/chat/{secret}",
}
PICKED = [route for route in ROUTES if takes_body(route) and (SCALE.is_long or route.name in CHOSEN)]


class Costs:
    """What requests cost, the dearest of each kind twice more: what happens to fall into one is not its own."""

    def __init__(self) -> None:
        self.dear: list[str] = []
        self.most = (0.0, "")
        self.count = 0

    def measure(self, name: str, send: Callable[[], Any], clock: Callable[[], float]) -> None:
        """Sends it, and holds the answer to its length."""
        self.count += 1
        seconds = self._cost(name, send, clock)
        if seconds > CPU_S and SCALE.is_long:
            seconds = min(seconds, *(self._cost(name, send, clock) for _ in range(2)))
        self.most = max(self.most, (seconds, name))
        if seconds > CPU_S:
            self.dear.append(f"{name}: {seconds * 1000:.0f} ms")

    def _cost(self, name: str, send: Callable[[], Any], clock: Callable[[], float]) -> float:
        began = clock()
        status, size = send()
        seconds = clock() - began
        assert status < 500, name
        assert status < 400 or size <= LONGEST_REFUSAL, (name, status, size)
        return seconds

    def report(self, figures: Figures, what: str) -> None:
        seconds, name = self.most
        figures.add(f"R23, {what}", f"{self.count:,} requests, the dearest {seconds * 1000:.0f} ms of CPU ({name})")
        if SCALE.is_long:
            assert self.dear == []


@pytest.fixture(autouse=True)
def unlimited(settings: Settings) -> None:
    settings.API_RATE_LIMIT = 1_000_000


def test_every_operation_has_its_chosen_ones() -> None:
    assert {route.name for route in PICKED} >= CHOSEN


@pytest.mark.parametrize("route", PICKED, ids=[route.name for route in PICKED])
def test_no_body_is_slow(route: Route, world: World, token: str, document: dict[str, Any], figures: Figures) -> None:
    costs, request = Costs(), to(route, world, token)
    size = MAX_BODY - 1024 if of_visitors(route) else MEGABYTE
    for name, body in bodies_of(route, request, document, size):
        costs.measure(f"{route.name}, {name}", partial(sent, request, body), time.process_time)
    costs.report(figures, "bodies")


def bodies_of(route: Route, request: Request, document: dict[str, Any], size: int) -> Iterator[tuple[str, bytes]]:
    """Documents of their own, and the operation's with each member made slow."""
    yield from slow_bodies.documents(size).items()
    valid = {name: json.dumps(value) for name, value in (request.json or {}).items()}
    for member in member_schemas(route, document):
        for name, value in slow_bodies.values(size - 1024).items():
            members = {**valid, member: value.decode()}
            text = ",".join(f"{json.dumps(key)}:{text}" for key, text in members.items())
            yield f"{name} as {member}", f"{{{text}}}".encode()


def sent(request: Request, body: bytes) -> tuple[int, int]:
    response = request.but(json=None, data=body, content_type="application/json").send()
    return response.status_code, len(response.content)


@pytest.mark.slow
def test_no_form_header_or_query_is_slow(shop: Widget, token: str, figures: Figures) -> None:
    """To a real web process: what its server, Django and its middlewares do with them counts."""
    costs = Costs()
    pages = ("/admin/login/", "/console/login/", "/invitations/x", "/api/docs")
    lists = ("/api/v1/chats", f"/widget/{shop.guid}/config", f"/widget/{shop.guid}/embed.js", "/files/x", *pages)
    authorization = {"Authorization": f"Bearer {token}"}
    with ready_web() as (port, process):
        processes = [process, *process.children(recursive=True)]

        def clock() -> float:
            total = 0.0
            for one in processes:
                with suppress(psutil.NoSuchProcess):  # which looked at the sandbox at the start, and has ended
                    times = one.cpu_times()
                    total += times.user + times.system
            return total

        def ask(method: str, path: str, headers: Mapping[str, str], body: bytes | None = None) -> tuple[int, int]:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            try:
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                return answer.status, len(answer.read())
            except (ConnectionError, http.client.BadStatusLine):
                return 0, 0  # refused by the server before it was sent
            finally:
                connection.close()

        for path in lists:  # what is done once is done
            ask("GET", path, authorization)
        for path in lists:
            for name, query in slow_bodies.queries().items():
                costs.measure(f"{path}?{name}", partial(ask, "GET", f"{path}?{query}", authorization), clock)
            for name, fields in slow_bodies.headers(60_000).items():
                costs.measure(f"{path}, {name}", partial(ask, "GET", path, {**authorization, **fields}), clock)
        for path in (*pages, "/api/v1/files", f"/widget/{shop.guid}/files"):
            for name, (content_type, body) in slow_bodies.forms(MEGABYTE).items():
                fields = {**authorization, "Content-Type": content_type, "Cookie": f"csrftoken={'a' * 32}"}
                costs.measure(f"POST {path}, {name}", partial(ask, "POST", path, fields, body), clock)
    costs.report(figures, "forms, headers and queries")
