"""Webhook deliveries beside a bare poster of the same bodies, and beside one Celery task a delivery (goal P5).

Guard, lease, log row and retries are on, as always. Every way has a process of its own and the same receiver, which
counts; they take turns. The queue of each is filled before its clock starts. The figure that counts is the CPU of the
delivering processes; PostgreSQL's is shown.
"""

import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import psycopg

from bench.cpu import FOREIGN_LIMIT, Foreign, stopped, tree_seconds
from bench.databases import own_servers
from config.environment import PROJECT_ROOT
from launcher.servers import EmbeddedServers

DELIVERIES, PLAIN_DELIVERIES = 10_000, 400
CPU_GOAL, RATE_GOAL = 2.5, 20.0
SLOW_MS = 50
GIVE_UP_SECONDS = 300.0
PRODUCT, POSTER, PLAIN = "product", "poster", "plain"
POSTERS = [sys.executable, "-m", "bench.senders"]
WORKER = [sys.executable, "-m", "celery", "--quiet", "-A", "bench.senders", "worker", "--concurrency", "2"]
WORKER += ["--without-gossip", "--without-mingle", "--loglevel", "error"]


@dataclass(frozen=True, slots=True)
class Round:
    """One way's run. CPU in seconds for 1,000 deliveries."""

    deliveries: int
    seconds: float
    cpu: float
    postgres: float
    foreign_cores: float

    @property
    def rate(self) -> float:
        return self.deliveries / self.seconds


@dataclass(frozen=True, slots=True)
class Deliveries:
    """The rounds of all ways at a receiver that answers after so many milliseconds."""

    delay_ms: int
    ways: dict[str, list[Round]]

    @property
    def cpu_ratio(self) -> float:
        """The product's CPU as times of the bare poster's."""
        pairs = zip(self.ways[PRODUCT], self.ways[POSTER], strict=True)
        return median(ours.cpu / theirs.cpu for ours, theirs in pairs)

    @property
    def rate_ratio(self) -> float:
        """The product's deliveries a second as times of the plain way's."""
        pairs = zip(self.ways[PRODUCT], self.ways[PLAIN], strict=True)
        return median(ours.rate / theirs.rate for ours, theirs in pairs)

    @property
    def foreign_cores(self) -> float:
        return median(round_.foreign_cores for rounds in self.ways.values() for round_ in rounds)

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    def document(self) -> dict[str, Any]:
        return {
            "delay_ms": self.delay_ms,
            "cpu_ratio": self.cpu_ratio,
            "rate_ratio": self.rate_ratio,
            "foreign_cores": self.foreign_cores,
            "counts": self.counts,
            "ways": {way: [asdict(round_) for round_ in rounds] for way, rounds in self.ways.items()},
        }


def measure_deliveries(deliveries: int, rounds: int) -> list[Deliveries]:
    """So many deliveries (a 25th of it by the plain way) to a receiver that answers at once, and to a slow one."""
    with own_servers() as (servers, environ):
        environ |= {
            "EGRESS_ALLOW": "127.0.0.1",
            "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
        }
        return [_Bench(servers, environ, delay_ms).measure(deliveries, rounds) for delay_ms in (0, SLOW_MS)]


class _Bench:
    def __init__(self, servers: EmbeddedServers, environ: Mapping[str, str], delay_ms: int) -> None:
        self._servers, self._environ, self._delay_ms = servers, dict(environ), delay_ms

    def measure(self, deliveries: int, rounds: int) -> Deliveries:
        ways: dict[str, list[Round]] = {PRODUCT: [], POSTER: [], PLAIN: []}
        few = max(10, deliveries * PLAIN_DELIVERIES // DELIVERIES // 10 * 10)
        with self._receiver() as url, self._process(WORKER) as worker:
            for _ in range(rounds):
                subprocess.run(
                    [*POSTERS, "data", url, str(deliveries)], cwd=PROJECT_ROOT, env=self._environ, check=True
                )
                for way, many in ((PRODUCT, deliveries), (POSTER, deliveries), (PLAIN, few)):
                    ways[way].append(self._round(way, url, many, worker))
        return Deliveries(self._delay_ms, ways)

    def _round(self, way: str, url: str, deliveries: int, worker: "subprocess.Popen[str]") -> Round:
        with self._process([*POSTERS, way, str(deliveries)]) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            if process.stdout.readline() != "ready\n":
                raise RuntimeError(f"the deliveries' {way} did not start")
            delivering = worker.pid if way == PLAIN else process.pid
            before, heard_before = self._cpu_seconds(delivering), heard(url)
            with Foreign() as foreign:
                if way == PLAIN:  # its queue is filled before the clock starts, as the product's outbox is
                    with stopped(worker.pid):
                        _go(process)
                        process.stdout.readline()
                    began = time.perf_counter()
                else:
                    began = time.perf_counter()
                    _go(process)
                self._wait(url, heard_before + deliveries, way)
                seconds = time.perf_counter() - began
            after = self._cpu_seconds(delivering)
        cpu, postgres = ((b - a) * 1000 / deliveries for a, b in zip(before, after, strict=True))
        return Round(deliveries, seconds, cpu, postgres, foreign.cores)

    def _wait(self, url: str, total: int, way: str) -> None:
        """Returns when all is heard; of the product, when all is written as well."""
        deadline = time.monotonic() + GIVE_UP_SECONDS
        pending = "SELECT EXISTS (SELECT FROM webhooks_delivery WHERE status = 'pending')"
        with psycopg.connect(self._servers.database_url, autocommit=True) as connection:
            while heard(url) < total or (way == PRODUCT and connection.execute(pending).fetchone() == (True,)):
                if time.monotonic() > deadline:
                    raise RuntimeError(f"the deliveries' {way} did not end within {GIVE_UP_SECONDS:.0f} seconds")
                time.sleep(0.01)

    def _cpu_seconds(self, pid: int) -> tuple[float, float]:
        postgres = self._servers.postgres.process
        return tree_seconds(pid), tree_seconds(postgres.pid) if postgres else 0.0

    @contextmanager
    def _receiver(self) -> Iterator[str]:
        with self._process([sys.executable, "-m", "bench.receiver", str(self._delay_ms)]) as process:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"

    @contextmanager
    def _process(self, command: list[str]) -> Iterator["subprocess.Popen[str]"]:
        """A process that is told to end at the end, and has no choice."""
        process = subprocess.Popen(
            command, cwd=PROJECT_ROOT, env=self._environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()


def _go(process: "subprocess.Popen[str]") -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def heard(url: str) -> int:
    """How many deliveries the receiver has counted."""
    with urllib.request.urlopen(url, timeout=10) as answer:
        return int(answer.read())
