"""Messengers: the cost of an update, from Telegram's call to the stored message, beside a bare program behind the same
web server; and how many messages of operators a second leave for a vendor, beside one Celery task for each. The queue
is filled before the clock starts.

`python -m bench.messengers WHAT …` is a process on the DATABASE_URL: `set-up VENDOR_URL` connects bots, and prints
them; `say MESSAGES` has operators write into the chats that there are; `plain URL MESSAGES` hands over a task for each.
"""

import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import django
import psycopg
import redis

from bench.cpu import FOREIGN_LIMIT, Foreign, stopped
from bench.databases import own_servers, postgres_seconds
from bench.deliveries import SLOW_MS, WORKER, heard
from bench.reference import HOOK_KEY
from bench.replies import worker_ready
from bench.web import PRODUCT, REFERENCE, WebServer
from config.environment import PROJECT_ROOT
from launcher.processes import wait_until
from launcher.servers import EmbeddedServers

BOTS, PEOPLE, UPDATES, A_SECOND = 4, 40, 400, 40.0
SENDS = 400
CPU_GOAL, RATE_GOAL, SEND_GOAL_MS = 4.0, 10.0, 2.0
GIVE_UP_S = 120.0

_STORED = "SELECT count(*) FROM chats_message WHERE sender_kind = 'client'"
_QUEUED = "SELECT count(*) FROM chats_message WHERE sender_kind = 'agent' AND delivery ->> 'state' = 'queued'"

Bot = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Updates:
    """CPU in milliseconds an update."""

    web_ms: float
    worker_ms: float
    postgres_ms: float


@dataclass(frozen=True, slots=True)
class Sends:
    """Messages a second to a vendor that takes SLOW_MS, and CPU in milliseconds a message."""

    a_second: float
    worker_ms: float
    postgres_ms: float


@dataclass(frozen=True, slots=True)
class Messengers:
    """The cost of updates and sends, beside a bare program's update and a Celery task for each send."""

    updates: Updates
    bare_cpu_ms: float
    sends: Sends
    plain_sends_a_second: float
    foreign_cores: float

    @property
    def cpu_ms(self) -> float:
        """The CPU of an update, of web and worker."""
        return self.updates.web_ms + self.updates.worker_ms

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    @property
    def judged(self) -> list[tuple[str, float, float]]:
        """The figures with a goal: the title, the value, and the most that it may be."""
        times = self.sends.a_second / self.plain_sends_a_second
        return [
            ("CPU of an update, to a bare program's", self.cpu_ms / self.bare_cpu_ms, CPU_GOAL),
            # At least so many times, so its inverse is at most.
            (f"1 / sends, as times of one Celery task each ({times:.1f})", 1 / times, 1 / RATE_GOAL),
            ("CPU of a send, worker and PostgreSQL, ms", self.sends.worker_ms + self.sends.postgres_ms, SEND_GOAL_MS),
        ]

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "counts": self.counts}


def measure_messengers(updates: int = UPDATES, sends: int = SENDS) -> Messengers:
    """Raises RuntimeError when a process ends, or a message is not stored or sent."""
    with Foreign() as foreign, messengers() as desk:
        of_updates = desk.updates(updates)
        of_sends = desk.sends(sends)
        desk.end_product()
        bare_ms = _bare_ms(desk, updates)
        plain = _plain_a_second(desk, max(2, sends // 2))
    return Messengers(of_updates, bare_ms, of_sends, plain, foreign.cores)


class Desk:
    """Bots that are connected, people who write to them, and a vendor who hears what operators answer."""

    def __init__(self, servers: EmbeddedServers, environ: dict[str, str], vendor: str, running: ExitStack) -> None:
        self.servers, self.environ, self.vendor, self._running = servers, environ, vendor, running
        self.bots: list[Bot] = json.loads(_ask(environ, "set-up", vendor))
        logs = servers.home / "log"
        self.database = running.enter_context(psycopg.connect(servers.database_url, autocommit=True))
        self._worker = running.enter_context(worker_ready(environ, logs / "worker.log"))
        self._web = running.enter_context(WebServer(PRODUCT, environ, logs / "web.log"))
        self.write(self._web, 2 * PEOPLE)
        self.sends(PEOPLE)  # the workers have loaded what sends

    def end_product(self) -> None:
        """Ends the processes of the product, and the connection."""
        self._running.close()

    def updates(self, number: int) -> Updates:
        """Has people write so many messages at a steady rate, until all are stored."""
        before = self._cpu_seconds()
        self.write(self._web, number)
        return Updates(*((b - a) / number * 1000 for a, b in zip(before, self._cpu_seconds(), strict=True)))

    def sends(self, number: int) -> Sends:
        """Has operators answer so often while the workers stand still, and lets them go: what is timed is sending."""
        with stopped(self._worker.pid):
            _ask(self.environ, "say", str(number))
            before, heard_before = self._cpu_seconds(), heard(self.vendor)
        a_second = _rate(self.vendor, heard_before, number)
        if not wait_until(lambda: not _counted(self.database, _QUEUED), seconds=GIVE_UP_S, interval=0.01):
            raise RuntimeError(f"{_counted(self.database, _QUEUED)} messages are still queued")
        _, worker_ms, postgres_ms = ((b - a) / number * 1000 for a, b in zip(before, self._cpu_seconds(), strict=True))
        return Sends(a_second, worker_ms, postgres_ms)

    def write(self, web: WebServer, number: int) -> None:
        """Has people write, until all that they wrote is stored."""
        _post_updates(web, self.bots, number, partial(_counted, self.database, _STORED))

    def _cpu_seconds(self) -> tuple[float, float, float]:
        return self._web.cpu_seconds, self._worker.cpu_seconds, postgres_seconds(self.servers)


@contextmanager
def messengers() -> Iterator[Desk]:
    """A desk on servers of its own."""
    with own_servers() as (servers, environ), _vendor(environ) as vendor, ExitStack() as running:
        environ |= {"EGRESS_ALLOW": "127.0.0.1", "WORKER_CONCURRENCY": "2"}
        environ["PYTHONWARNINGS"] = "ignore:You're running the worker with superuser privileges"
        yield Desk(servers, environ, vendor, running)


def _bare_ms(desk: Desk, updates: int) -> float:
    with redis.Redis.from_url(desk.environ["REDIS_URL"]) as client:
        for bot in desk.bots:
            client.set(HOOK_KEY + bot["path"].rpartition("/")[2], json.dumps([bot["widget_id"], bot["secret"]]))
    with (
        psycopg.connect(desk.servers.database_url, autocommit=True) as desk.database,
        WebServer(REFERENCE, desk.environ, Path(os.devnull)) as web,
    ):
        desk.write(web, 2 * PEOPLE)
        before = web.cpu_seconds
        desk.write(web, updates)
        return (web.cpu_seconds - before) / updates * 1000


def _plain_a_second(desk: Desk, number: int) -> float:
    """As many as one Celery task each sends, whose queue is filled before the clock starts, too."""
    with _process(WORKER, desk.environ) as worker:
        for many in (2, number):  # the workers have loaded what sends
            with stopped(worker.pid):
                _ask(desk.environ, "plain", desk.vendor, str(many))
                before = heard(desk.vendor)
            rate = _rate(desk.vendor, before, many)
        return rate


def _post_updates(web: WebServer, bots: list[Bot], number: int, stored: Callable[[], int]) -> None:
    """Has people write, each to one bot, at a steady rate; returns when all they wrote is stored."""
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=10)
    total, first, began = stored() + number, int(time.time() * 1000), time.monotonic()
    for n in range(number):
        time.sleep(max(0.0, began + n / A_SECOND - time.monotonic()))
        bot, person = bots[n % len(bots)], 1000 + n % PEOPLE
        message = {"message_id": first + n, "date": 1700000000, "text": "Сколько стоит букет из 25 роз?"}
        about = {"chat": {"id": person, "type": "private"}, "from": {"id": person, "is_bot": False, "first_name": "А"}}
        headers = {"Content-Type": "application/json", "X-Telegram-Bot-Api-Secret-Token": bot["secret"]}
        connection.request(
            "POST", bot["path"], json.dumps({"update_id": first + n, "message": message | about}), headers
        )
        answer = connection.getresponse()
        if answer.read() and answer.status != 200:
            raise RuntimeError(f"an update was answered {answer.status}")
    connection.close()
    if not wait_until(lambda: stored() >= total, seconds=GIVE_UP_S):
        raise RuntimeError(f"{stored()} of {total} messages are stored")


def _counted(database: "psycopg.Connection[Any]", sql: str) -> int:
    row = database.execute(sql).fetchone()
    assert row is not None
    return int(row[0])


def _rate(vendor: str, before: int, number: int) -> float:
    """How many messages a second the vendor, who has heard so many before, hears of those that wait: from the first to
    the last.
    """
    _until_heard(vendor, before + 1)
    began = time.perf_counter()
    _until_heard(vendor, before + number)
    return (number - 1) / (time.perf_counter() - began)


def _until_heard(vendor: str, number: int) -> None:
    if not wait_until(lambda: heard(vendor) >= number, seconds=GIVE_UP_S, interval=0.01):
        raise RuntimeError(f"the vendor has heard {heard(vendor)} of {number} messages")


def _ask(environ: Mapping[str, str], *words: str) -> str:
    """The last line of a process of this module."""
    command = [sys.executable, "-m", "bench.messengers", *words]
    done = subprocess.run(command, cwd=PROJECT_ROOT, env=dict(environ), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"bench.messengers failed: {done.stderr[-2000:]}")
    return (done.stdout.strip().splitlines() or [""])[-1]


@contextmanager
def _vendor(environ: Mapping[str, str]) -> Iterator[str]:
    answer = json.dumps({"ok": True, "result": {"message_id": 1}})
    with _process([sys.executable, "-m", "bench.receiver", str(SLOW_MS), answer], environ) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"


@contextmanager
def _process(command: list[str], environ: Mapping[str, str]) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(command, cwd=PROJECT_ROOT, env=dict(environ), stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


# --- The processes ----------------------------------------------------------------------------------------------------


def set_up(vendor_url: str) -> list[Bot]:
    from apps.accounts.models import Account, Widget
    from apps.accounts.rules import digest
    from apps.agents.models import Agent
    from apps.messengers.models import Connection, VendorSettings
    from apps.messengers.rules.providers import WebhookStatus, new_key

    account = Account.objects.create(email="bench@parley.example", name="Bench")
    VendorSettings.objects.create(provider="tg", base=vendor_url)
    bots = []
    for number in range(BOTS):
        widget, key, secret = Widget.objects.create(account=account, name=f"Bench {number}"), new_key(), new_key()
        Agent.objects.create(widget=widget, name="Alice")
        Connection.objects.create(
            widget=widget,
            provider="tg",
            account_id=str(number),
            account_name="Bot",
            token=f"{7000 + number}:{'A' * 35}",
            secret=secret,
            hook_key=key,
            digest=digest(key),
            webhook_status=WebhookStatus.REGISTERED,
        )
        bots.append({"widget_id": widget.pk, "path": f"/hooks/tg/{key}", "secret": secret})
    return bots


def say(messages: int) -> None:
    from apps.agents.models import Agent
    from apps.chats.actions import post_agent_message
    from apps.chats.models import Chat

    agents = dict(Agent.objects.values_list("widget_id", "id"))
    chats = list(Chat.objects.order_by("id").values_list("widget_id", "id"))
    for number in range(messages):
        widget_id, chat_id = chats[number % len(chats)]
        content = {"type": "text", "body": "Букет из 25 роз стоит 4 900 ₽."}
        post_agent_message(widget_id=widget_id, chat_id=chat_id, content=content, agent_id=agents[widget_id])


def plain(url: str, messages: int) -> None:
    from bench.senders import app, post

    body = json.dumps({"chat_id": "1", "text": "Букет из 25 роз стоит 4 900 ₽."})
    with app.connection_for_write() as connection, app.amqp.Producer(connection) as producer:
        for _ in range(messages):
            post.apply_async((url, body), producer=producer)


def main(what: str, *options: str) -> Any:
    if what == "plain":
        return plain(options[0], int(options[1]))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    return set_up(options[0]) if what == "set-up" else say(int(options[0]))


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
