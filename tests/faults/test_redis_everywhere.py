"""R24, Redis: in every odd state each process of a running service goes on, `/readyz` says so, and all heals by itself.

One service, one Redis, no process ends from the first state to the last: what they do is done in each state, and
everything is as before within five seconds after it.
"""

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
import requests

from apps.demo.data.accounts import PASSWORD
from tests.conftest import RUNNING
from tests.e2e.http import call
from tests.faults.fleet import Fleet
from tests.faults.odd_valkey import STATES, OddValkey, odd_valkey
from tests.faults.scale import SCALE
from tests.faults.talk import say
from tests.realtime.tab import OperatorTab, Tab
from tests.run.service import Service
from tests.webhooks.receivers import HookReceiver

pytestmark = [pytest.mark.faults, pytest.mark.e2e, pytest.mark.timeout(300)]

HEALED_WITHIN_S = 5.0 if SCALE.is_long else 20.0
# How long a state lasts at the least: beat sends something and the worker asks for something every second.
LASTS_S = 1.5
# The short form has those that differ for Celery, whose processes know the least of what may come.
SOME = ("frozen", "with a full disk", "a replica")
# Those whose ends would be a restart.
PROCESSES = ("web", "realtime", "worker", "beat")
TASK = "apps.core.tasks.forget_old_idempotency_keys"
# Beat sends it every second, so that it soon shows whether a worker does it.
OFTEN = f"""
WITH every AS (INSERT INTO django_celery_beat_intervalschedule (every, period) VALUES (1, 'seconds') RETURNING id),
told AS (UPDATE django_celery_beat_periodictasks SET last_update = now())
UPDATE django_celery_beat_periodictask SET interval_id = every.id FROM every WHERE task = '{TASK}' RETURNING name
"""


class Town:
    """The service, and who uses it: an operator and a visitor with a socket each, a receiver of webhooks, others."""

    def __init__(self, fleet: Fleet, valkey: OddValkey, receiver: HookReceiver) -> None:
        self.fleet, self.service, self.valkey, self.receiver = fleet, fleet.service, valkey, receiver
        self.api = fleet.authorization
        self.said: list[str] = []
        self._console = self._signed_in("/console/login/", "alice@shop.example")
        self._cabinet = self._signed_in("/admin/login/", "olga@shop.example")
        self._token = self._new_visitor()
        self.open_sockets()
        self.service.until(lambda: "beat has its schedule" in self.service.output, "beat's own schedule", 60)
        self.beat_often()

    def open_sockets(self) -> None:
        self.operator = OperatorTab(self.service.realtime_url)
        self.operator.auth(self._post("/console/ticket")["data"]["ticket"])
        self.visitor = Tab(self.service.realtime_url, self.fleet.guid)
        self.visitor.auth(self._token, 0)

    def close_sockets(self) -> None:
        self.operator.close()
        self.visitor.close()

    def _signed_in(self, path: str, email: str) -> requests.Session:
        browser = requests.Session()
        address = self.service.url + path
        browser.get(address, timeout=10)
        form = {"username": email, "password": PASSWORD, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        answer = browser.post(address, form, timeout=10, allow_redirects=False)
        assert (answer.status_code, "sessionid" in browser.cookies) == (302, True), answer.text
        return browser

    def _post(self, path: str) -> dict[str, dict[str, str]]:
        headers = {"X-CSRFToken": self._console.cookies["csrftoken"]}
        answer = self._console.post(self.service.url + path, headers=headers, timeout=10)
        assert answer.status_code == 200, answer.text
        document: dict[str, dict[str, str]] = answer.json()
        return document

    def _new_visitor(self) -> str:
        token: str = call("POST", f"{self.fleet.base}/sessions", body={})["data"]["visitor_token"]
        return token

    def pids(self) -> dict[str, list[int]]:
        """The processes of the service by what they are, each with its children."""
        leaders = self.service.leaders()
        return {
            name: sorted([leaders[name].pid, *(child.pid for child in leaders[name].children(recursive=True))])
            for name in PROCESSES
            if name in leaders
        }

    def beat_often(self) -> None:
        """Lets beat send the task every second; at its start it sets every task's time anew."""
        assert self.fleet.ask(OFTEN)

    def says(self, *words: str) -> bool:
        """Whether the web and the realtime process, asked several times, all say one of these of Redis."""
        web, realtime = self._probed()
        answers = [requests.get(f"{url}/readyz", timeout=10) for url in (web, web, web, web, realtime)]
        assert {answer.status_code for answer in answers} == {200}
        return {answer.json()["checks"]["redis"] for answer in answers} <= set(words)

    def started_after(self, pids: dict[str, list[int]]) -> bool:
        """Whether all processes are others now, as many as there were, and those that people wait for answer."""
        now = self.pids()
        if {name: len(found) for name, found in now.items()} != {name: len(found) for name, found in pids.items()}:
            return False
        others = all(set(now[name]).isdisjoint(pids[name]) for name in PROCESSES)
        return others and all(self._answers(url) for url in self._probed())

    def _answers(self, url: str) -> bool:
        try:
            return requests.get(f"{url}/healthz", timeout=2).status_code == 200
        except OSError:
            return False

    def _probed(self) -> tuple[str, str]:
        return self.service.url, self.service.realtime_url.replace("ws", "http", 1)

    def notices(self) -> None:
        """Returns when every process that answers says that Redis can't be used, within five seconds."""
        self.service.until(lambda: self.says("unavailable"), "/readyz tells", HEALED_WITHIN_S)

    def in_order(self) -> None:
        """Returns when the service does everything."""
        self.heals(60)

    def goes_about_its_day(self, name: str) -> None:
        """Calls of every kind, a visitor that comes, messages on every way; each is answered and shown at once."""
        web = self.service.url
        for path in ("chats", "agents"):
            assert call("GET", f"{web}/api/v1/{path}", self.api)["data"]
        for path in ("/console/", "/console/inbox"):
            assert self._console.get(web + path, timeout=10).status_code == 200
        for path in ("/admin/", "/admin/accounts/apitoken/", "/admin/search/?s=widget"):
            assert self._cabinet.get(web + path, timeout=10).status_code == 200
        self._post("/console/ticket")
        token = self._new_visitor()
        say(self.fleet.base, f"Visitor {token}", name)
        with Tab(self.service.realtime_url, self.fleet.guid) as tab:
            tab.auth(token, 0)
            assert tab.of_type("message.created")["body"] == name
        self.visitor.say(name)
        assert self.visitor.of_type("ack")["message"]["body"] == name
        self.said.append(name)
        self.operator.until(lambda frame: is_row_of(frame, name))
        self.receiver.wait_for(2 * len(self.said))

    def lives_through(self, name: str, seconds: float) -> None:
        """Goes on in a state of Redis that lasts so long or longer, and heals after it."""
        with self.valkey.in_state(name):
            began = time.monotonic()
            self.notices()
            while True:
                self.goes_about_its_day(f"{name} for {time.monotonic() - began:.1f} s")
                if time.monotonic() - began > seconds:
                    break
        self.heals()

    def heals(self, seconds: float = HEALED_WITHIN_S) -> None:
        """Returns when all is as before, in time: Redis is used, broadcasts are heard, what beat sends is done."""
        deadline = time.monotonic() + seconds
        self.fleet.ask(
            "INSERT INTO core_idempotencykey VALUES (DEFAULT, 0, 'old', '2001-01-01') ON CONFLICT DO NOTHING"
        )

        def left() -> float:
            return deadline - time.monotonic()

        self.service.until(lambda: self.says("ok"), "Redis in use", left())
        self.service.until(
            lambda: bool(self.valkey.operator.pubsub_channels("broadcasts:*")), "broadcasts heard", left()
        )
        left_over = "SELECT 1 FROM core_idempotencykey WHERE token_id = 0"
        self.service.until(lambda: not self.fleet.ask(left_over), "what beat sends is done by a worker", left())


def is_row_of(frame: dict[str, Any], text: str) -> bool:
    """Whether it shows a chat in which that was said last."""
    last = frame["data"]["chat"]["last_message"] if frame["type"] == "chat.updated" else None
    return last is not None and last["preview"] == text


long_form = pytest.mark.skipif(not SCALE.is_long, reason="it takes minutes; `make faults` runs it")


@pytest.fixture(scope="module")
def town(kept_service: Service) -> Iterator[Town]:
    kept_service.end()
    with odd_valkey() as valkey, HookReceiver() as receiver:
        environment = RUNNING | {"REDIS_URL": valkey.url}
        kept_service.start(**environment)
        try:
            fleet = Fleet(kept_service, environment)
            with fleet.subscribed(receiver):
                town = Town(fleet, valkey, receiver)
                try:
                    yield town
                finally:
                    town.close_sockets()
        finally:
            kept_service.end()


@pytest.fixture
def pids(town: Town) -> dict[str, list[int]]:
    """The processes of a service that is in order."""
    town.in_order()
    pids = town.pids()
    assert set(pids) == set(PROCESSES)
    return pids


@pytest.mark.slow
@pytest.mark.parametrize("name", STATES if SCALE.is_long else SOME)
def test_every_process_goes_on_and_heals(town: Town, pids: dict[str, list[int]], name: str) -> None:
    town.lives_through(name, LASTS_S)
    assert town.pids() == pids


@long_form
@pytest.mark.parametrize("name", ["killed", "frozen", "silent"])
def test_however_long_it_was_away(town: Town, pids: dict[str, list[int]], name: str) -> None:
    town.lives_through(name, SCALE.away_s)
    assert town.pids() == pids


@pytest.mark.slow
@pytest.mark.parametrize("command", ["FLUSHALL", "CLIENT KILL TYPE pubsub"])
def test_what_passes_at_once(town: Town, pids: dict[str, list[int]], command: str) -> None:
    town.valkey.operator.execute_command(*command.split())
    town.goes_about_its_day(command)
    town.heals()
    assert town.pids() == pids


@long_form
def test_processes_that_start_without_it_find_it(town: Town, pids: dict[str, list[int]]) -> None:
    town.close_sockets()
    with town.valkey.in_state("killed"):
        for pid in [town.service.leaders()[name].pid for name in PROCESSES]:
            os.killpg(pid, signal.SIGKILL)
        town.service.until(lambda: town.started_after(pids), "other processes", 60)
        town.beat_often()
        town.open_sockets()
        town.notices()
        town.goes_about_its_day("from the start")
        started = town.pids()
    town.heals()
    assert town.pids() == started
