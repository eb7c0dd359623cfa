"""Redis away, or answering with errors: calls go on without it, `/readyz` says so, and all is well once it is."""

import time
import uuid
from collections.abc import Iterator

import pytest
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.core.observability import metrics
from apps.core.redis import connection as redis
from tests.client import ApiClient, client
from tests.factories import ChatFactory, ContactFactory
from tests.faults.odd_valkey import STATES, OddValkey, odd_valkey
from tests.widget.visitor import VisitorClient

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

HEALED_WITHIN_S = 5.0


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
    """What a shop's system and a visitor do all day."""

    def __init__(self, api: ApiClient, shop: Widget) -> None:
        self._api, self._shop = api, shop

    def go_by(self, *, pause: bool = False, first_use: bool = False) -> None:
        """Every call succeeds. Each asks Redis anew, unless there may be a `pause` after a failure."""

        def prepare() -> None:
            if not pause:
                redis._away_until = 0.0
            if first_use:
                redis.forget_clients()

        chat = ChatFactory.create(contact=ContactFactory.create(widget=self._shop))
        visitor = VisitorClient(self._shop)
        visitor.come()
        calls = [
            (200, lambda: self._api.get("/chats")),
            (200, lambda: self._api.post(f"/chats/{chat.pk}/close")),
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


def text(body: str) -> dict[str, str]:
    return {"client_id": str(uuid.uuid4()), "type": "text", "body": body}


def readiness() -> dict[str, str]:
    response = client().get("/readyz")
    assert response.status_code == 200, response.content
    checks: dict[str, str] = response.json()["checks"]
    return checks


@pytest.mark.parametrize("name", STATES)
def test_every_call_succeeds_meanwhile_and_redis_is_used_again_afterwards(
    valkey: OddValkey, api: ApiClient, shop: Widget, name: str
) -> None:
    day = Day(api, shop)
    day.go_by()
    assert readiness() == {"database": "ok", "redis": "ok"}
    errors = metrics.REDIS_ERRORS._value.get()

    with valkey.in_state(name):
        day.go_by(pause=STATES[name].slow)
        day.go_by(pause=STATES[name].slow, first_use=True)
        assert readiness() == {"database": "ok", "redis": "unavailable"}
        assert metrics.REDIS_ERRORS._value.get() > errors

    deadline = time.monotonic() + HEALED_WITHIN_S
    while readiness()["redis"] != "ok":
        assert time.monotonic() < deadline, "not healed"
        time.sleep(0.05)
    first, second = (int(api.get("/chats").headers["X-RateLimit-Remaining"]) for _ in range(2))
    assert second == first - 1, "limits count again"


def test_what_holds_back_for_ever_holds_nothing_back(valkey: OddValkey, api: ApiClient, shop: Widget) -> None:
    """Typing is shown once in five seconds; a key of somebody else's, which never expires, is not a typing."""
    chat = ChatFactory.create(contact=ContactFactory.create(widget=shop))
    typing = f"/chats/{chat.pk}/typing"
    assert api.post(typing, json={"state": "start"}).status_code == 202
    assert api.post(typing, json={"state": "start"}).status_code == 429
    valkey.occupy()
    redis._away_until = 0.0
    assert api.post(typing, json={"state": "start"}).status_code == 202
