"""The idle sweep beside one bare SQL statement that does the same (goal P6).

Each sweep runs on a fresh copy of one database, so that both find the same bytes, and in a process of its own. Product
and reference take turns. The figure that counts is the CPU of all processes: PostgreSQL's, Valkey's and the sweeping
one's.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import psycopg

from bench.cases import DifferentAnswers
from bench.cpu import FOREIGN_LIMIT, Foreign, tree_seconds
from bench.databases import own_servers
from bench.sweeper import Swept
from config.environment import PROJECT_ROOT
from launcher.servers import EmbeddedServers

DUE = 100_000
RATIO_GOAL, LOCK_GOAL_MS = 1.5, 100.0
PRODUCT, REFERENCE = "product", "reference"

# What the two must leave alike: the chats, and (but for its name) what is to be told of them.
_LEFT = """
SELECT (SELECT count(*) FROM chats_chat WHERE status = 'expired' AND expired_at <= now() AND version = 2),
       (SELECT count(*) FROM chats_chat),
       (SELECT count(*) FROM webhooks_delivery d JOIN webhooks_event e ON e.id = d.event_id
        WHERE d.status = 'pending' AND d.due_at <= now()),
       (SELECT md5(string_agg((body::jsonb - 'id')::text || type || widget_id, '' ORDER BY (body::jsonb - 'id')::text))
        FROM webhooks_event WHERE body::jsonb ->> 'id' = guid::text)"""


@dataclass(frozen=True, slots=True)
class Round:
    """One sweep. CPU and wall time in seconds, the longest transaction in milliseconds."""

    client: float
    postgres: float
    valkey: float
    seconds: float
    longest_ms: float
    foreign_cores: float

    @property
    def cpu(self) -> float:
        return self.client + self.postgres + self.valkey


@dataclass(frozen=True, slots=True)
class Sweep:
    """The rounds of one kind of sweep."""

    name: str
    title: str
    chats: int
    product: list[Round]
    reference: list[Round]

    @property
    def ratios(self) -> list[float]:
        """CPU of all processes, product to reference, round by round."""
        return [ours.cpu / theirs.cpu for ours, theirs in zip(self.product, self.reference, strict=True)]

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    @property
    def longest_ms(self) -> float:
        """The longest that any transaction of the product held its locks, of all rounds."""
        return max(round_.longest_ms for round_ in self.product)

    @property
    def foreign_cores(self) -> float:
        return median(round_.foreign_cores for round_ in (*self.product, *self.reference))

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    def document(self) -> dict[str, Any]:
        return {
            "sweep": self.name,
            "chats": self.chats,
            "ratio": self.ratio,
            "ratios": self.ratios,
            "ratio_goal": RATIO_GOAL,
            "longest_ms": self.longest_ms,
            "lock_goal_ms": LOCK_GOAL_MS,
            "foreign_cores": self.foreign_cores,
            "counts": self.counts,
            "product": [asdict(round_) for round_ in self.product],
            "reference": [asdict(round_) for round_ in self.reference],
        }


def measure_sweeps(chats: int, rounds: int) -> list[Sweep]:
    """Sweeps so many due chats: with closings that no webhook tells (as a service is installed), and with one receiver.

    Raises DifferentAnswers when product and reference do not leave the same behind.
    """
    with own_servers() as (servers, environ):
        _run("data", str(chats), environ=environ)
        bench = _Bench(servers, environ, chats)
        quiet = bench.measure("quiet", "closings nobody is told of", rounds)
        with bench.connect() as connection:
            connection.execute("UPDATE webhooks_eventswitch SET enabled = true WHERE name = 'chat.closed'")
        return [quiet, bench.measure("told", "closings told to one receiver", rounds)]


class _Bench:
    def __init__(self, servers: EmbeddedServers, environ: Mapping[str, str], chats: int) -> None:
        self._servers, self._environ, self._chats = servers, environ, chats

    def connect(self, database: str | None = None) -> "psycopg.Connection[Any]":
        url = self._servers.database_url
        return psycopg.connect(_of_database(url, database) if database else url, autocommit=True)

    def measure(self, name: str, title: str, rounds: int) -> Sweep:
        product, reference = [], []
        for _ in range(rounds):
            ours, left_by_us = self._round(PRODUCT)
            theirs, left_by_them = self._round(REFERENCE)
            if left_by_us != left_by_them or left_by_us[0] != self._chats:
                raise DifferentAnswers(f"the sweep left {left_by_us}, the reference {left_by_them}")
            product.append(ours)
            reference.append(theirs)
        return Sweep(name, title, self._chats, product, reference)

    def _round(self, who: str) -> tuple[Round, tuple[Any, ...]]:
        """One sweep of a copy, and what it left."""
        with self._copy() as database:
            environ = {**self._environ, "DATABASE_URL": _of_database(self._servers.database_url, database)}
            figures = self._sweep(who, environ)
            with self.connect(database) as connection:
                left = connection.execute(_LEFT).fetchone()
        assert left is not None
        return figures, left

    @contextmanager
    def _copy(self) -> Iterator[str]:
        """A copy of the database by another name. Everything is on disk before it is used."""
        name = "sweep"
        maintenance = _of_database(self._servers.database_url, "postgres")
        with psycopg.connect(maintenance, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {_database_of(self._servers.database_url)}")
            try:
                connection.execute("CHECKPOINT")
                yield name
            finally:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def _sweep(self, who: str, environ: Mapping[str, str]) -> Round:
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.sweeper", who],
            cwd=PROJECT_ROOT,
            env=dict(environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        with process:
            assert process.stdin is not None
            assert process.stdout is not None
            if process.stdout.readline() != "ready\n":
                raise RuntimeError(f"the {who}'s sweep did not start")
            before = self._cpu_seconds(process.pid)
            with Foreign() as foreign:
                process.stdin.write("sweep\n")
                process.stdin.flush()
                told = process.stdout.readline()
            after = self._cpu_seconds(process.pid)
        if not told:
            raise RuntimeError(f"the {who}'s sweep failed")
        swept = Swept(**json.loads(told))
        client, postgres, valkey = (b - a for a, b in zip(before, after, strict=True))
        return Round(client, postgres, valkey, swept.seconds, swept.longest_ms, foreign.cores)

    def _cpu_seconds(self, pid: int) -> tuple[float, float, float]:
        servers = (self._servers.postgres.process, self._servers.valkey.process)
        postgres, valkey = (tree_seconds(process.pid) if process else 0.0 for process in servers)
        return tree_seconds(pid), postgres, valkey


def _run(*arguments: str, environ: Mapping[str, str]) -> None:
    subprocess.run([sys.executable, "-m", "bench.sweeper", *arguments], cwd=PROJECT_ROOT, env=dict(environ), check=True)


def _database_of(url: str) -> str:
    return urlsplit(url).path.removeprefix("/")


def _of_database(url: str, name: str) -> str:
    """The address of another database of the same server."""
    return urlsplit(url)._replace(path=f"/{name}").geturl()
