"""The whole service, and what befalls it: parts are killed, stopped or emptied, and its supervisor brings them back."""

import json
import os
import signal
import subprocess
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import psycopg
import redis
from honcho.environ import parse_procfile

from apps.webhooks.actions.deliveries import LEASE_S
from config.environment import PROJECT_ROOT, STATE_FILE_NAME
from launcher.processes import dying_with_me, kill_group, with_virtualenv
from launcher.servers import PostgresServer
from tests.e2e.http import call
from tests.faults.scale import SCALE
from tests.run.service import Service
from tests.webhooks.receivers import Heard, HookReceiver

# The deliveries' column that names whom they go to.
TO = "destination_id"
HELD = f"SELECT id FROM webhooks_delivery WHERE {TO} = ANY (%s) AND claim_id IS NOT NULL AND lease_until > now()"


@dataclass(frozen=True, slots=True)
class Sent:
    """A delivery as the database has it. Times in seconds since the epoch."""

    guid: str
    key: str
    body: str
    status: str
    attempts: int
    created_at: float


@dataclass(frozen=True, slots=True)
class Account:
    """What the database says was to be delivered, beside what receivers heard."""

    deliveries: Sequence[Sent]
    heard: dict[str, list[Heard]]

    @property
    def lost(self) -> list[Sent]:
        return [one for one in self.deliveries if one.guid not in self.heard]

    @property
    def unknown(self) -> set[str]:
        """What was heard of which the database knows nothing."""
        return self.heard.keys() - {one.guid for one in self.deliveries}

    @property
    def repeats(self) -> int:
        return sum(len(times) - 1 for times in self.heard.values())

    @property
    def altered(self) -> list[Sent]:
        """Deliveries that were heard with another key or other bytes than the database has, even once."""
        return [
            one
            for one in self.deliveries
            for times in self.heard.get(one.guid, [])
            if (times.headers["x-service-idempotency-key"], times.body) != (one.key, one.body.encode())
        ]

    def latencies(self) -> list[float]:
        """Seconds from the commit (its transaction's start, to be exact) to the first attempt."""
        return [self.heard[one.guid][0].at - one.created_at for one in self.deliveries if one.guid in self.heard]


def p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


class Fleet:
    """A `make run`, already running, with one widget that visitors talk at."""

    def __init__(self, service: Service, environment: Mapping[str, str]) -> None:
        self.service, self._environment = service, environment
        self.database_url = PostgresServer(service.home, durable=True).url
        self.held = 0  # by those that were killed or stopped, at that moment
        parts = {"web", "worker", "beat", "postgres"} | ({"valkey"} if "REDIS_URL" not in environment else set())
        service.until(lambda: parts <= set(service.leaders()), "the processes")
        service.until(lambda: self._workers_that_came() > 0, "a worker that takes tasks", 60)
        widget = service.demo["accounts"][0]["widgets"][0]
        self.guid: str = widget["guid"]
        self.base = f"{service.url}/widget/{self.guid}"
        self.authorization = f"Bearer {widget['tokens']['all']}"
        self._watched: list[int] = []

    def _api(self, method: str, path: str, body: Any = None) -> Any:
        return call(method, f"{self.service.url}/api/v1/{path}", self.authorization, body)

    @contextmanager
    def subscribed(
        self, *receivers: HookReceiver, each: int = 1, events: Sequence[str] = ("message.created",)
    ) -> Iterator[list[int]]:
        """Subscribes each receiver that many times; the subscriptions' ids. They are deleted at the end.

        Whatever else the service has to deliver is no concern of the test.
        """
        ids: list[int] = []
        for receiver in receivers:
            for n in range(each):
                body = {"url": f"{receiver.url}/{n}", "events": list(events)}
                ids.append(int(self._api("POST", "webhook-subscriptions", body)["data"]["id"]))
        try:
            yield self.watch(*ids)
        finally:
            for id_ in ids:
                self._api("DELETE", f"webhook-subscriptions/{id_}")

    def watch(self, *subscriptions: int) -> list[int]:
        """These are the subscriptions that the test is about."""
        self._watched = list(subscriptions)
        return self._watched

    # --- What the database says -----------------------------------------------------------------------------------

    def ask(self, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """The rows of one statement that may be run twice; waits for a PostgreSQL that is being started again."""
        deadline = time.monotonic() + 30
        while True:
            try:
                with psycopg.connect(self.database_url, autocommit=True, connect_timeout=5) as connection:
                    cursor = connection.execute(sql, parameters)
                    return [] if cursor.description is None else cursor.fetchall()
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                threading.Event().wait(0.05)

    def account(self, subscriptions: Sequence[int], *receivers: HookReceiver) -> Account:
        rows = self.ask(
            "SELECT d.guid::text, e.guid::text, e.body, d.status, d.attempts, extract(epoch FROM e.created_at)::float8"
            " FROM webhooks_delivery d JOIN webhooks_event e ON e.id = d.event_id"
            f" WHERE d.{TO} = ANY (%s)",
            list(subscriptions),
        )
        heard: dict[str, list[Heard]] = defaultdict(list)
        for receiver in receivers:
            for one in list(receiver.heard):
                heard[one.headers["x-service-delivery"]].append(one)
        return Account([Sent(*row) for row in rows], heard)

    def message_ids(self, subscription: int) -> set[int]:
        """The messages that a subscription was to be told of."""
        rows = self.ask(
            "SELECT (e.body::jsonb -> 'data' ->> 'message_id')::bigint FROM webhooks_delivery d"
            f" JOIN webhooks_event e ON e.id = d.event_id WHERE d.{TO} = %s",
            subscription,
        )
        return {id_ for (id_,) in rows}

    def oldest_due_s(self) -> float:
        """How long the oldest delivery has been due that is not done, held by a worker or not."""
        ((seconds,),) = self.ask(
            "SELECT coalesce(extract(epoch FROM max(now() - due_at)), 0)::float8 FROM webhooks_delivery"
            f" WHERE {TO} = ANY (%s) AND status = 'pending' AND due_at <= now()",
            self._watched,
        )
        return float(seconds)

    def settle(self, subscriptions: Sequence[int], seconds: float = 90.0) -> None:
        """Returns when none of their deliveries is pending."""
        pending = f"SELECT 1 FROM webhooks_delivery WHERE {TO} = ANY (%s) AND status = 'pending' LIMIT 1"
        self.service.until(lambda: not self.ask(pending, list(subscriptions)), "every delivery done", seconds)

    def until_recovered(self, seconds: float = 90.0) -> float:
        """Seconds, at least 3, until the oldest due delivery is under 2 s old."""
        began = time.monotonic()

        self.service.until(lambda: self.oldest_due_s() < 2 and time.monotonic() - began >= 3, "recovery", seconds)
        return time.monotonic() - began

    def wait_passes(self, subscription: int, attempt: int, count: int) -> None:
        """Nothing keeps the next attempt waiting but time: lets it pass, once so many have their outcome written."""
        if SCALE.is_long:
            return
        tried = f"SELECT count(*) FROM webhooks_delivery WHERE {TO} = %s AND attempts = %s"
        self.service.until(lambda: self.ask(tried, subscription, attempt) == [(count,)], "the outcomes")
        self.ask(f"UPDATE webhooks_delivery SET due_at = now() WHERE {TO} = %s", subscription)

    # --- What befalls it ------------------------------------------------------------------------------------------

    def kill(self, name: str) -> None:
        """`kill -9` of a part with all its processes; returns when another has taken its place and does its work.

        One that is not yet there again is not worth a kill.
        """
        victim, workers_before = self.service.leaders()[name], self._workers_that_came()
        if name in ("postgres", "valkey"):
            victim.kill()
        else:
            os.killpg(victim.pid, signal.SIGKILL)
        if name == "worker":
            self._end_claims()

        def is_replaced() -> bool:
            successor = self.service.leaders().get(name)
            if successor is None or successor.pid == victim.pid:
                return False
            if name == "web":
                return self.service.get("/healthz")[0] == 200
            return name != "worker" or self._workers_that_came() > workers_before

        self.service.until(is_replaced, f"another {name}", 60)

    def _workers_that_came(self) -> int:
        return self.service.output.count(" ready. ")

    def flush_redis(self) -> None:
        state = json.loads((self.service.home / STATE_FILE_NAME).read_text())
        with redis.Redis.from_url(state["REDIS_URL"]) as client:
            client.flushall()

    def stop_worker_beyond_its_lease(self, receiver: HookReceiver) -> None:
        """Stops the worker amidst posts to that receiver; another worker makes them, then the first one goes on."""
        worker = self.service.leaders()["worker"]
        receiver.hold()
        self.service.until(lambda: bool(self.ask(HELD, self._watched)), "posts under way")
        os.killpg(worker.pid, signal.SIGSTOP)
        stopped_ids = self._end_claims()
        receiver.release()
        with self.another("worker"):
            pending = "SELECT 1 FROM webhooks_delivery WHERE id = ANY (%s) AND status = 'pending' LIMIT 1"
            self.service.until(lambda: not self.ask(pending, stopped_ids), "what it held", LEASE_S + 30)
            os.killpg(worker.pid, signal.SIGCONT)

    def _end_claims(self) -> list[int]:
        """Counts what workers that are gone or stopped hold; its ids.

        Nothing holds it from now on but time, which the short form lets pass, in the same statement: a claim that the
        database was still making is neither counted nor ended.
        """
        if SCALE.is_long:
            rows = self.ask(HELD, self._watched)
        else:
            rows = self.ask(
                f"UPDATE webhooks_delivery SET lease_until = now() WHERE id IN ({HELD}) RETURNING id", self._watched
            )
        self.held += len(rows)
        return [id_ for (id_,) in rows]

    @contextmanager
    def another(self, name: str) -> Iterator[None]:
        """One more process of that name of the Procfile than the supervised one; told to end at the end."""
        command = parse_procfile((PROJECT_ROOT / "Procfile").read_text()).processes[name]
        with NamedTemporaryFile() as output:
            process = subprocess.Popen(
                ["sh", "-c", command],
                cwd=PROJECT_ROOT,
                env=with_virtualenv({**self.service.environ, **self._environment}),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=dying_with_me(signal.SIGTERM),
            )
            try:
                if name == "worker":  # it delivers before it takes tasks, and is not to end amidst its start
                    self.service.until(lambda: b" ready." in Path(output.name).read_bytes(), "another worker", 60)
                yield
            finally:
                process.terminate()
                try:
                    process.wait(timeout=30)
                finally:
                    kill_group(process.pid)
