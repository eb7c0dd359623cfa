"""Redis away, or answering with errors: calls go on without it, `/readyz` says so, and all is well once it is."""

import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pytest_django import Settings
from redis import Redis

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.core.observability import metrics
from apps.core.redis import connection as redis
from tests.client import ApiClient, client
from tests.console.browser import Console
from tests.factories import ChatFactory, ContactFactory
from tests.factories.accounts import PASSWORD
from tests.faults.odd_valkey import ANY_PEER, STATES, OddValkey, odd_valkey
from tests.faults.scale import SCALE
from tests.parameters import slow_unless
from tests.widget.visitor import VisitorClient

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

HEALED_WITHIN_S = 5.0 if SCALE.is_long else 20.0


@pytest.fixture(scope="module")
def shared_valkey() -> Iterator[OddValkey]:
    with odd_valkey() as valkey:
        yield valkey


@pytest.fixture
def valkey(shared_valkey: OddValkey, settings: Settings) -> Iterator[OddValkey]:
    """The process's Redis, in order and empty."""
    shared_valkey.tell("FLUSHALL")
    usual, settings.REDIS_URL = settings.REDIS_URL, shared_valkey.url
    settings.VISITOR_RATE_LIMIT = 1_000_000
    redis.forget_clients()
    redis._away_until = 0.0
    yield shared_valkey
    settings.REDIS_URL = usual  # before threads connect anew
    redis.forget_clients()
    redis._away_until = 0.0


class Day:
    """What a shop's system, a visitor, an operator and the shop's owner do all day."""

    def __init__(self, api: ApiClient, shop: Widget, olga: Agent) -> None:
        self._api, self._shop, self._olga = api, shop, olga

    def go_by(self, *, pause: bool = False, first_use: bool = False, pages: bool = False) -> None:
        """Every call succeeds. Each asks Redis anew, unless there may be a `pause` after a failure."""

        def prepare() -> None:
            if not pause:
                redis._away_until = 0.0
            if first_use:
                redis.forget_clients()

        chat = ChatFactory.create(contact=ContactFactory.create(widget=self._shop))
        visitor, console = VisitorClient(self._shop), Console(self._olga)
        visitor.come()
        calls: list[tuple[int, Any]] = [
            *(self._pages() if pages else ()),
            (200, lambda: self._api.get("/chats")),
            (200, lambda: self._api.get("/agents")),
            (202, lambda: self._api.post(f"/chats/{chat.pk}/typing", json={"state": "start"})),
            (200, lambda: self._api.post(f"/chats/{chat.pk}/close")),
            (200, lambda: console.request("GET", "/inbox")),
            (200, lambda: console.request("POST", "/ticket")),
            (201, lambda: VisitorClient(self._shop).post("sessions")),
            (200, lambda: visitor.get("config")),
            (201, lambda: visitor.post("messages", text("first"))),
            (201, lambda: visitor.post("messages", text("second"))),
            (204, lambda: visitor.post("typing", {"state": "start"})),
            (200, lambda: visitor.get("messages")),
        ]
        for status, call in calls:
            prepare()
            response = call()
            assert response.status_code == status, response.content
        assert [message["body"] for message in response.json()["data"]] == ["first", "second"]

    def _pages(self) -> list[tuple[int, Any]]:
        """Signing in, to the console and to the cabinet, and pages of the latter."""
        browser, login = client(), {"username": self._olga.email, "password": PASSWORD}
        return [
            (302, lambda: client().post("/console/login/", login)),
            (302, lambda: browser.post("/admin/login/", login)),
            (200, lambda: browser.get("/admin/")),
            (200, lambda: browser.get("/admin/accounts/apitoken/")),
            (200, lambda: browser.get("/admin/search/", {"s": "widget"})),
        ]


def text(body: str) -> dict[str, str]:
    return {"client_id": str(uuid.uuid4()), "type": "text", "body": body}


def readiness() -> dict[str, str]:
    response = client().get("/readyz")
    assert response.status_code == 200, response.content
    checks: dict[str, str] = response.json()["checks"]
    return checks


QUICK = ("killed", "frozen", "full", "a replica", "behind another password", "counting")


@pytest.mark.parametrize("name", slow_unless(QUICK.__contains__, [*STATES, *ANY_PEER]))
def test_every_call_succeeds_meanwhile_and_redis_is_used_again_afterwards(
    valkey: OddValkey, api: ApiClient, shop: Widget, olga: Agent, name: str
) -> None:
    day = Day(api, shop, olga)
    day.go_by()
    assert readiness() == {"database": "ok", "redis": "ok"}
    errors = metrics.REDIS_ERRORS._value.get()

    with valkey.in_state(name):
        is_slow = name in STATES and STATES[name].slow
        day.go_by(pause=is_slow, pages=True)
        day.go_by(pause=is_slow, first_use=True)
        assert readiness() == {"database": "ok", "redis": "unavailable"}
        assert metrics.REDIS_ERRORS._value.get() > errors

    deadline = time.monotonic() + HEALED_WITHIN_S
    while readiness()["redis"] != "ok":
        assert time.monotonic() < deadline, "not healed"
        time.sleep(0.05)
    headers = api.get("/chats").headers
    assert int(headers["X-RateLimit-Remaining"]) < int(headers["X-RateLimit-Limit"]), "limits count again"


def test_what_holds_back_for_ever_holds_nothing_back(valkey: OddValkey, api: ApiClient, shop: Widget) -> None:
    """Typing is shown once in five seconds; a key of somebody else's, which never expires, is not a typing."""
    chat = ChatFactory.create(contact=ContactFactory.create(widget=shop))
    typing = f"/chats/{chat.pk}/typing"
    assert api.post(typing, json={"state": "start"}).status_code == 202
    assert api.post(typing, json={"state": "start"}).status_code == 429
    valkey.occupy()
    redis._away_until = 0.0
    assert api.post(typing, json={"state": "start"}).status_code == 202


@pytest.mark.parametrize("command", ["FLUSHALL", "SCRIPT FLUSH", "CLIENT KILL TYPE normal"])
def test_what_passes_at_once_is_not_noticed(
    valkey: OddValkey, api: ApiClient, shop: Widget, olga: Agent, command: str
) -> None:
    day = Day(api, shop, olga)
    day.go_by()
    errors = metrics.REDIS_ERRORS._value.get()
    valkey.operator.execute_command(*command.split())
    assert readiness() == {"database": "ok", "redis": "ok"}
    day.go_by()
    assert metrics.REDIS_ERRORS._value.get() == errors


@pytest.mark.slow
def test_while_it_does_not_answer_one_call_at_a_time_waits_for_it(valkey: OddValkey) -> None:
    def waits() -> float:
        return float(metrics.REDIS_ERRORS._value.get())

    def ask_often(_: int) -> None:
        while waits() < first + 3:
            with pytest.raises(redis.RedisAway):
                redis.ask(Redis.ping)
            time.sleep(0.001)

    with valkey.in_state("frozen"):
        with pytest.raises(redis.RedisAway):
            redis.ask(Redis.ping)
        began, first = time.monotonic(), waits()
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(ask_often, range(8)))
        assert waits() - first <= (time.monotonic() - began) / redis.RETRY_AFTER_S
