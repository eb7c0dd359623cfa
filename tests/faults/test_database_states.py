"""PostgreSQL away, frozen, read-only, full or busy, for every process: a refusal in time, the truth, and no restart."""

import json
import re
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import requests

from launcher.processes import wait_until
from launcher.servers import EmbeddedServers
from tests.conftest import RUNNING
from tests.faults.odd_postgres import STATES, OddPostgres
from tests.faults.scale import SCALE
from tests.parameters import slow_unless
from tests.realtime.tab import Tab
from tests.run.ready import copy
from tests.run.service import Service
from tests.waits import AT_MOST_S
from tests.webhooks.receivers import HookReceiver

pytestmark = [pytest.mark.faults, pytest.mark.e2e]

# Seconds. Of a frozen server: one of silence, two in which it gives no other connection.
ANSWERED_WITHIN_S = {"frozen": 4.0} if SCALE.is_long else {"frozen": 10.0}
OTHERWISE_S = 2.0 if SCALE.is_long else 8.0
HEALED_WITHIN_S = 5.0 if SCALE.is_long else 20.0
PEOPLES = {"Accept": "text/html"}


class Shop:
    """A running service on an odd PostgreSQL: its customers' system, a visitor, an operator and its owner."""

    def __init__(self, service: Service, postgres: OddPostgres, receiver: HookReceiver) -> None:
        self.service, self.postgres, self.receiver = service, postgres, receiver
        demo = service.demo["accounts"][0]
        widget = demo["widgets"][0]
        self.guid, self._api = widget["guid"], f"{service.url}/api/v1"
        self._program, self._visitor, self._operator, self._owner = (requests.Session() for _ in range(4))
        self._program.headers["Authorization"] = f"Bearer {widget['tokens']['all']}"
        operator = next(agent for agent in widget["agents"] if agent["email"] and agent["status"] == "active")
        self._from_us = {"type": "text", "body": "from us", "agent_id": operator["id"]}
        self._sign_in(self._operator, "/console/login/", operator["email"], operator["password"])
        self._sign_in(self._owner, "/admin/login/", demo["owner_login"], demo["password"])
        self.token = self._visitor.post(f"{service.url}/widget/{self.guid}/sessions", json={}).json()["data"][
            "visitor_token"
        ]
        self._visitor.headers["Authorization"] = f"Visitor {self.token}"
        self.chat_id = self.say("hello").json()["data"]["chat_id"]
        hook = {"url": receiver.url, "events": ["message.created"]}
        assert self._write("webhook-subscriptions", hook).status_code == 201

    def _sign_in(self, browser: requests.Session, path: str, login: str, password: str) -> None:
        page = browser.get(self.service.url + path, timeout=10)
        (secret,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text))
        form = {"csrfmiddlewaretoken": secret, "username": login, "password": password}
        assert browser.post(self.service.url + path, form, timeout=10, allow_redirects=False).status_code == 302

    def _write(self, path: str, body: Any, seconds: float = 10) -> requests.Response:
        headers = {"X-Service-Idempotency-Key": str(uuid.uuid4())}
        return self._program.post(f"{self._api}/{path}", json=body, headers=headers, timeout=seconds)

    def say(self, body: str, seconds: float = 10) -> requests.Response:
        """The visitor writes."""
        document = {"client_id": str(uuid.uuid4()), "type": "text", "body": body}
        return self._visitor.post(f"{self.service.url}/widget/{self.guid}/messages", json=document, timeout=seconds)

    def programs_read(self, seconds: float) -> list[requests.Response]:
        messages = f"{self.service.url}/widget/{self.guid}/messages"
        return [self._program.get(f"{self._api}/chats", timeout=seconds), self._visitor.get(messages, timeout=seconds)]

    def programs_write(self, seconds: float) -> list[requests.Response]:
        return [
            self._write(f"chats/{self.chat_id}/messages", self._from_us, seconds),
            self.say("from me", seconds),
        ]

    def people_read(self, seconds: float) -> list[requests.Response]:
        return [
            self._operator.get(f"{self.service.url}/console/", headers=PEOPLES, timeout=seconds),
            self._owner.get(f"{self.service.url}/admin/", headers=PEOPLES, timeout=seconds),
        ]

    def people_write(self, seconds: float) -> list[requests.Response]:
        """Somebody signs out: a page that writes."""
        browser = requests.Session()
        browser.cookies.update(self._owner.cookies)
        form = {"csrfmiddlewaretoken": str(browser.cookies["csrftoken"])}
        leave = f"{self.service.url}/admin/logout/"
        return [browser.post(leave, form, headers=PEOPLES, timeout=seconds)]

    def readiness(self, seconds: float = 10) -> list[tuple[int, str]]:
        """What the web and the realtime process say of the database."""
        asked = (self.service.url, self.service.realtime_url.replace("ws", "http", 1))
        answers = [requests.get(f"{url}/readyz", timeout=seconds) for url in asked]
        return [(answer.status_code, answer.json()["checks"]["database"]) for answer in answers]

    def is_well(self) -> bool:
        """Whether each of these people, who keep their connection to one of the web's processes, is answered.

        Each process asks for a server that was away at its own time.
        """
        if self.readiness() != [(200, "ok")] * 2:
            return False
        return {answer.status_code for answer in (*self.programs_read(10), *self.people_read(10))} == {200}

    def lives(self) -> bool:
        asked = (self.service.url, self.service.realtime_url.replace("ws", "http", 1))
        return all(requests.get(f"{url}/healthz", timeout=5).status_code == 200 for url in asked)

    def processes(self) -> set[int]:
        """The service's own processes, and those that they have begun with."""
        leaders = {name: leader for name, leader in self.service.leaders().items() if name != "hooks"}
        assert leaders.keys() >= {"web", "realtime", "worker", "beat"}
        return {leader.pid for leader in leaders.values()} | {child.pid for child in leaders["web"].children()}


@pytest.fixture(scope="module")
def shop(outside: dict[str, str], ready_home: Path) -> Iterator[Shop]:
    with ExitStack() as open_:
        homes = [open_.enter_context(TemporaryDirectory(prefix="parley-home-")) for _ in range(2)]
        copy(ready_home / "postgres", homes[0])
        for name in ("secrets.json", "static"):
            copy(ready_home / name, homes[1])
        servers = open_.enter_context(EmbeddedServers(Path(homes[0]), durable=False))
        postgres = OddPostgres(servers.postgres)
        receiver = open_.enter_context(HookReceiver())
        service = Service(Path(homes[1]), outside)
        open_.callback(service.end)
        service.start(**RUNNING, DATABASE_URL=postgres.url, REDIS_URL=servers.redis_url)
        service.environ |= {"DATABASE_URL": postgres.url, "REDIS_URL": servers.redis_url}
        service.until(lambda: {"web", "realtime", "worker", "beat"} <= set(service.leaders()), "the processes")
        yield Shop(service, postgres, receiver)


def is_refused(answer: requests.Response, *, page: bool) -> bool:
    if page:
        return answer.status_code == 503 and answer.headers["Content-Type"].startswith("text/html")
    return answer.status_code == 503 and answer.json()["code"] == "try_again" and "Retry-After" in answer.headers


QUICK = ("crashed", "frozen", "read-only", "out of connections")


@pytest.mark.parametrize("name", slow_unless(QUICK.__contains__, STATES))
def test_calls_are_refused_in_time_and_all_is_well_afterwards(shop: Shop, name: str) -> None:
    state, seconds = STATES[name], ANSWERED_WITHIN_S.get(name, OTHERWISE_S)
    processes = shop.processes()
    assert wait_until(shop.is_well, seconds=HEALED_WITHIN_S)
    with Tab(shop.service.realtime_url, shop.guid) as tab:
        tab.auth(shop.token)

        with shop.postgres.in_state(name):
            assert shop.lives()
            writes = shop.programs_write(seconds)
            reads = shop.programs_read(seconds)
            assert [is_refused(answer, page=False) for answer in writes] == [True, True], [one.text for one in writes]
            expected = [200, 200] if state.reads else [503, 503]
            assert [answer.status_code for answer in reads] == expected, [answer.text for answer in reads]
            assert all(state.reads or is_refused(answer, page=False) for answer in reads)
            pages = shop.people_read(seconds)
            assert [answer.status_code for answer in pages] == expected, [answer.text for answer in pages]
            assert all(state.reads or is_refused(answer, page=True) for answer in pages)
            assert [is_refused(answer, page=True) for answer in shop.people_write(seconds)] == [True]
            assert shop.readiness(seconds) == [(200 if state.is_ == "ok" else 503, state.is_)] * 2
            tab.say("meanwhile")
            assert tab.of_type("error")["code"] == "try_again"
            assert shop.lives()

        said = []

        def is_healed() -> bool:
            """A thread's connection that may only read is replaced a second after it was made, asked for or not."""
            if not shop.is_well():
                return False
            said.append(shop.say(f"after {name}"))
            return said[-1].status_code == 201

        assert wait_until(is_healed, seconds=HEALED_WITHIN_S), (shop.readiness(), [answer.text for answer in said])
        id_ = said[-1].json()["data"]["id"]
        assert tab.until(lambda frame: frame["type"] == "message.created" and frame["data"]["id"] == id_)

    def is_delivered() -> bool:
        return any(json.loads(one.body)["data"]["message_id"] == id_ for one in list(shop.receiver.heard))

    assert wait_until(is_delivered, seconds=AT_MOST_S), "the worker does not deliver"
    assert shop.processes() == processes, "a process ended"


@pytest.mark.slow
def test_nobody_notices_that_the_server_has_ended_idle_connections(shop: Shop) -> None:
    """A restart, or an administrator's hand: nothing was sent over them, so they are replaced."""
    assert wait_until(shop.is_well, seconds=HEALED_WITHIN_S)
    shop.postgres.end_connections()
    answers = [*shop.programs_write(10), *shop.programs_read(10), *shop.people_read(10)]
    assert [answer.status_code for answer in answers] == [202, 201, 200, 200, 200, 200]
    shop.postgres.stop()
    shop.postgres.start()
    answers = [*shop.programs_write(10), *shop.programs_read(10), *shop.people_read(10)]
    assert [answer.status_code for answer in answers] == [202, 201, 200, 200, 200, 200]
