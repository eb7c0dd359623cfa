"""Messengers: the cost of an update, from Telegram's call to the stored message, beside a bare program behind the same
web server; and how many messages of operators a second leave for a vendor, beside one Celery task for each.

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
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import django
import psycopg
import redis

from bench.cpu import FOREIGN_LIMIT, Foreign
from bench.databases import own_servers
from bench.deliveries import SLOW_MS, WORKER, heard
from bench.reference import HOOK_KEY
from bench.replies import worker_ready
from bench.web import PRODUCT, REFERENCE, WebServer
from config.environment import PROJECT_ROOT
from launcher.processes import wait_until

BOTS, PEOPLE, UPDATES, A_SECOND = 4, 40, 400, 40.0
SENDS, PLAIN_SENDS = 400, 200
CPU_GOAL, RATE_GOAL = 4.0, 10.0
GIVE_UP_S = 120.0

Bot = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Messengers:
    """CPU in milliseconds an update, of web and worker, and messages a second to a vendor that takes SLOW_MS."""

    web_ms: float
    worker_ms: float
    bare_cpu_ms: float
    sends_a_second: float
    plain_sends_a_second: float
    foreign_cores: float

    @property
    def cpu_ms(self) -> float:
        return self.web_ms + self.worker_ms

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    @property
    def judged(self) -> list[tuple[str, float, float]]:
        """The figures with a goal: the title, the value, and the most that it may be."""
        times = self.sends_a_second / self.plain_sends_a_second
        return [
            ("CPU of an update, to a bare program's", self.cpu_ms / self.bare_cpu_ms, CPU_GOAL),
            # At least so many times, so its inverse is at most.
            (f"1 / sends, as times of one Celery task each ({times:.1f})", 1 / times, 1 / RATE_GOAL),
        ]

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "counts": self.counts}


def measure_messengers() -> Messengers:
    """Raises RuntimeError when a process ends, or a message is not stored or sent."""
    with own_servers() as (servers, environ), Foreign() as foreign, _vendor(environ) as vendor:
        environ |= {"EGRESS_ALLOW": "127.0.0.1", "WORKER_CONCURRENCY": "2"}
        environ["PYTHONWARNINGS"] = "ignore:You're running the worker with superuser privileges"
        log = servers.home / "log" / "worker.log"
        bots: list[Bot] = json.loads(_ask(environ, "set-up", vendor))
        with psycopg.connect(servers.database_url, autocommit=True) as database, worker_ready(environ, log) as worker:
            with WebServer(PRODUCT, environ, servers.home / "log" / "web.log") as web:
                stored = partial(_stored, database)
                _post_updates(web, bots, 2 * PEOPLE, stored)
                before = web.cpu_seconds, worker.cpu_seconds
                _post_updates(web, bots, UPDATES, stored)
                after = web.cpu_seconds, worker.cpu_seconds
            _ask(environ, "say", str(PEOPLE))  # the workers have loaded what sends
            _until_heard(vendor, PEOPLE)
            sends = _rate(vendor, SENDS, lambda: _ask(environ, "say", str(SENDS)))
        with psycopg.connect(servers.database_url, autocommit=True) as database:
            bare_ms = _bare_ms(environ, bots, database)
        with _process(WORKER, environ):
            plain = _rate(vendor, PLAIN_SENDS, lambda: _ask(environ, "plain", vendor, str(PLAIN_SENDS)))
    web_ms, worker_ms = ((b - a) / UPDATES * 1000 for a, b in zip(before, after, strict=True))
    return Messengers(web_ms, worker_ms, bare_ms, sends, plain, foreign.cores)


def _bare_ms(environ: Mapping[str, str], bots: list[Bot], database: "psycopg.Connection[Any]") -> float:
    with redis.Redis.from_url(environ["REDIS_URL"]) as client:
        for bot in bots:
            client.set(HOOK_KEY + bot["path"].rpartition("/")[2], json.dumps([bot["widget_id"], bot["secret"]]))
    with WebServer(REFERENCE, environ, Path(os.devnull)) as web:
        _post_updates(web, bots, 2 * PEOPLE, partial(_stored, database))
        before = web.cpu_seconds
        _post_updates(web, bots, UPDATES, partial(_stored, database))
        return (web.cpu_seconds - before) / UPDATES * 1000


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


def _stored(database: "psycopg.Connection[Any]") -> int:
    """How many messages of people there are."""
    row = database.execute("SELECT count(*) FROM chats_message WHERE sender_kind = 'client'").fetchone()
    assert row is not None
    return int(row[0])


def _rate(vendor: str, number: int, begin: Callable[[], object]) -> float:
    """How many messages a second the vendor hears of so many, from the first to the last."""
    before = heard(vendor)
    with _started(begin):
        _until_heard(vendor, before + 1)
        began = time.perf_counter()
        _until_heard(vendor, before + number)
        return (number - 1) / (time.perf_counter() - began)


@contextmanager
def _started(begin: Callable[[], object]) -> Iterator[None]:
    thread = Thread(target=begin)
    thread.start()
    try:
        yield
    finally:
        thread.join()


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
