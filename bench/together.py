"""Everything at once, for ten minutes (goals P9 and R13): posts, each with a frame and a webhook, reads, idle sockets.

The product's four processes run as the Procfile says, PostgreSQL and Valkey as `make run` starts them, vacuums and
checkpoints included. There is no reference: the goals are times. The same run checks what matters more: that nothing
was lost, doubled, out of order or refused, and that memory stays.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import psycopg

from bench.cpu import FOREIGN_LIMIT, Foreign, tree, tree_seconds
from bench.data import Facts, Size, fill
from bench.databases import own_servers
from bench.traffic import Traffic
from bench.web import PRODUCT, READY_SECONDS, ProcfileProcess, WebServer
from config.environment import PROJECT_ROOT
from launcher.processes import wait_until
from launcher.servers import EmbeddedServers, free_port

REALTIME = "config.asgi:application"
# Milliseconds, the slowest of a hundred left out by five.
GOALS_MS = {"posts": ("P9", 50.0), "frames": ("P9", 100.0), "deliveries": ("P9", 1000.0), "reads": ("R13", 150.0)}
GROWTH_GOAL = 1.1
# Of the product. PostgreSQL's caches fill up for as long as there is something to keep; they are shown.
JUDGED = ("web", "realtime", "worker", "beat")
WARMUP_S, SAMPLE_S, COMPARED_S = 60.0, 5.0, 60.0
SECRET = "whsec_of-the-benchmark-only"
# What a worker says when it takes tasks.
READY = " ready."
TELLING = ("[error ", "[critical ", "ERROR: ", "Traceback (most recent call last)")

_MESSAGES = "SELECT chat_id, array_agg(id ORDER BY id) FROM chats_message WHERE chat_id = ANY (%s) GROUP BY chat_id"
_DELIVERIES = "SELECT guid::text, status, attempts FROM webhooks_delivery WHERE destination_id = %s"
_DUE = """
SELECT count(*), coalesce(extract(epoch FROM max(now() - due_at)), 0)::float8
FROM webhooks_delivery WHERE status = 'pending' AND due_at <= now()"""
_WRITTEN = "SELECT (pg_current_wal_lsn() - '0/0')::float8, pg_database_size(current_database())::float8"
_SESSIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"


@dataclass(frozen=True, slots=True)
class Much:
    """How much of everything: posts and reads a second, open sockets, and for how many seconds."""

    posts: float
    reads: float
    sockets: int
    seconds: float

    @property
    def warmup_seconds(self) -> float:
        return min(WARMUP_S, self.seconds / 4)

    def __str__(self) -> str:
        pace = f"{self.posts:g} posts and {self.reads:g} reads a second"
        return f"{pace}, {self.sockets:,} sockets, {self.seconds:g} seconds"


MUCH = Much(150, 50, 2_000, 600)


@dataclass(frozen=True, slots=True)
class Sample:
    """The service at one moment: KiB and open files by group of processes; deliveries that are due, the oldest's age
    in seconds, and connections to the database.
    """

    at: float
    kib: dict[str, int]
    files: dict[str, int]
    due: int
    oldest_s: float
    connections: int


@dataclass(slots=True)
class Together:
    """The figures of the run.

    Spreads are in milliseconds; `cores` are those that each group kept busy; `wrong` is empty when nothing was lost,
    doubled, out of order, refused or complained about.
    """

    much: Much
    spreads: dict[str, dict[str, float]]
    cores: dict[str, float]
    samples: list[Sample]
    log_lines: dict[str, int]
    foreign_cores: float
    load: float
    wrong: list[str] = field(default_factory=list)
    # What a post, with all that follows it, adds to PostgreSQL's log and to the database, in bytes.
    log_bytes: float = 0.0
    kept_bytes: float = 0.0

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    def first_and_last(self, group: str) -> tuple[float, float]:
        """MiB of a group in the first minute (of a short run, its first quarter) and in the last."""
        span = min(COMPARED_S, self.much.seconds / 4)
        began, ended = self.samples[0].at, self.samples[-1].at
        first = median(each.kib[group] for each in self.samples if each.at <= began + span)
        last = median(each.kib[group] for each in self.samples if each.at >= ended - span)
        return first / 1024, last / 1024

    def growth(self, group: str) -> float:
        """The last minute's memory as times of the first's."""
        first, last = self.first_and_last(group)
        return last / first

    def document(self) -> dict[str, Any]:
        growth = {group: self.growth(group) for group in self.samples[0].kib}
        return {**asdict(self), "growth": growth, "counts": self.counts}


def measure_together(much: Much, size: Size) -> Together:
    """Beside a tenant's data of that size. Raises RuntimeError when a process ends or the load can't be put."""
    with own_servers(quiet=False) as (servers, environ), _metrics_in_memory() as metrics:
        receiver_port = free_port()
        environ |= {
            "EGRESS_ALLOW": f"127.0.0.1:{receiver_port}",
            "PROMETHEUS_MULTIPROC_DIR": metrics,
            "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
        }
        return _measure(much, fill(size, environ), servers, environ, receiver_port)


def _measure(
    much: Much, facts: Facts, servers: EmbeddedServers, environ: Mapping[str, str], receiver_port: int
) -> Together:
    logs = {name: servers.home / "log" / f"{name}.log" for name in JUDGED}
    with ExitStack() as running:
        worker = running.enter_context(ProcfileProcess("worker", environ, logs["worker"]))
        web = running.enter_context(WebServer(PRODUCT, environ, logs["web"]))
        realtime = running.enter_context(WebServer(REALTIME, environ, logs["realtime"], process="realtime"))
        subscription_id, agent_id = _set_up(web, facts, receiver_port)
        # Not before: it has the data's idle chats closed, and nobody is to be told of it.
        beat = running.enter_context(ProcfileProcess("beat", environ, logs["beat"]))
        if not wait_until(lambda: READY in logs["worker"].read_text(errors="replace"), seconds=READY_SECONDS):
            raise RuntimeError("the worker was not ready in time")
        traffic = Traffic(
            web_port=web.port,
            realtime_port=realtime.port,
            receiver_port=receiver_port,
            guid=facts.widget_guid,
            token=facts.token,
            agent_id=agent_id,
            secret=SECRET,
            posts=much.posts,
            reads=much.reads,
            sockets=much.sockets,
            warmup_seconds=much.warmup_seconds,
            seconds=much.seconds,
        )
        processes = dict(zip(JUDGED, (web, realtime, worker, beat), strict=True))
        found = servers.home / "found.json"
        run = _Run(much, processes, servers, running.enter_context(load("bench.traffic", traffic, found)), found)
        together, seen = run.measure()
    together.wrong += _wrong(servers.database_url, subscription_id, seen)
    for name, log in logs.items():
        lines = log.read_text(errors="replace").splitlines()
        together.log_lines[name] = len(lines)
        if telling := [line for line in lines if any(mark in line for mark in TELLING)]:
            together.wrong.append(f"{name} logged {len(telling)} errors, first {telling[0][:300]!r}")
    return together


def _set_up(web: WebServer, facts: Facts, receiver_port: int) -> tuple[int, int]:
    """One subscription, to the receiver, in the place of those that the data has; its id, and that of an agent."""
    headers = {"Authorization": f"Bearer {facts.token}", "Content-Type": "application/json"}

    def ask(method: str, path: str, **body: Any) -> Any:
        sent = json.dumps(body).encode() if body else None
        key = {"X-Service-Idempotency-Key": uuid.uuid4().hex}
        status, answer = web.answer(method, f"/api/v1/{path}", headers | key, sent)
        if status >= 300:
            raise RuntimeError(f"{method} {path} was answered {status}: {answer[:300]!r}")
        return json.loads(answer)["data"] if answer else None

    for subscription in ask("GET", "webhook-subscriptions?limit=100"):
        ask("DELETE", f"webhook-subscriptions/{subscription['id']}")
    url = f"http://127.0.0.1:{receiver_port}/hook"
    created = ask("POST", "webhook-subscriptions", url=url, events=["message.created"], secret=SECRET)
    return int(created["id"]), int(ask("GET", "agents")[0]["id"])


class _Run:
    def __init__(
        self,
        much: Much,
        processes: Mapping[str, ProcfileProcess],
        servers: EmbeddedServers,
        generator: "subprocess.Popen[str]",
        found: Path,
    ) -> None:
        self._much, self._processes, self._servers = much, processes, servers
        self._generator, self._found = generator, found

    def measure(self) -> tuple[Together, dict[str, Any]]:
        """The figures of the run, and those of the generator."""
        self._await_load()
        before, began = self._cpu_seconds(), time.monotonic()
        with psycopg.connect(self._servers.database_url, autocommit=True) as database, Foreign() as foreign:
            log, kept = _written(database)
            samples = list(self._samples(database))
            spent = time.monotonic() - began
            cores = {name: (used - before[name]) / spent for name, used in self._cpu_seconds().items()}
            posts = self._much.posts * spent
            a_post = [(after - before) / posts for after, before in zip(_written(database), (log, kept), strict=True)]
            load = os.getloadavg()[2 if self._much.seconds >= 600 else 0]
        if self._generator.wait() != 0:
            raise RuntimeError("the load failed; its process says why")
        seen = json.loads(self._found.read_bytes())
        spreads = {name: seen[name] for name in (*GOALS_MS, "late")}
        return Together(self._much, spreads, cores, samples, {}, foreign.cores, load, [], *a_post), seen

    def _samples(self, database: "psycopg.Connection[Any]") -> Iterator[Sample]:
        began, every = time.monotonic(), min(SAMPLE_S, self._much.seconds / 8)
        while (at := time.monotonic() - began) < self._much.seconds:
            for process in self._processes.values():
                process.require_alive()
            if self._generator.poll() is not None:
                raise RuntimeError("the load ended early; its process says why")
            groups = self._groups()
            # The shared part of PostgreSQL's memory is one cache of a size that is set.
            kib = {name: sum(_kib(pid, private=name == "PostgreSQL") for pid in pids) for name, pids in groups.items()}
            files = {name: sum(map(_files, pids)) for name, pids in groups.items()}
            due = database.execute(_DUE).fetchone() or (0, 0.0)
            sessions = database.execute(_SESSIONS).fetchone() or (0,)
            yield Sample(at, kib, files, *due, *sessions)
            time.sleep(every)

    def _groups(self) -> dict[str, list[int]]:
        return {name: list(tree(pid)) for name, pid in self._roots().items() if name != "the load"}

    def _roots(self) -> dict[str, int]:
        postgres, valkey = self._servers.postgres.process, self._servers.valkey.process
        assert postgres is not None
        assert valkey is not None
        ours = {name: process.pid for name, process in self._processes.items()}
        return {**ours, "PostgreSQL": postgres.pid, "Valkey": valkey.pid, "the load": self._generator.pid}

    def _cpu_seconds(self) -> dict[str, float]:
        return {name: tree_seconds(pid) for name, pid in self._roots().items()}

    def _await_load(self) -> None:
        assert self._generator.stdout is not None
        if not self._generator.stdout.readline():
            raise RuntimeError("the load could not be put; its process says why")


def _written(database: "psycopg.Connection[Any]") -> tuple[float, float]:
    """Bytes that PostgreSQL has logged ahead (WAL), and that the database takes."""
    log, kept = database.execute(_WRITTEN).fetchone() or (0.0, 0.0)
    return log, kept


def _wrong(database_url: str, subscription_id: int, seen: dict[str, Any]) -> list[str]:
    chat_ids = [int(chat_id) for chat_id in seen["posted"]]
    with psycopg.connect(database_url, autocommit=True) as database:
        stored = dict(database.execute(_MESSAGES, [chat_ids]).fetchall())
        deliveries = database.execute(_DELIVERIES, [subscription_id]).fetchall()
    return differences(stored, deliveries, seen)


def differences(
    stored: Mapping[int, list[int]], deliveries: Sequence[tuple[str, str, int]], seen: Mapping[str, Any]
) -> list[str]:
    """The differences, each in one line: database, callers, sockets and receiver must know of the same messages.

    `stored` has the messages of each chat in order, `deliveries` name, status and attempts of each; `seen` is what the
    load saw.
    """
    posted = {int(chat_id): sorted(ids) for chat_id, ids in seen["posted"].items()}
    undone = [row for row in deliveries if row[1:] != ("delivered", 1)]
    total = sum(map(len, stored.values()))
    other_tabs = [chat_id for chat_id, shown in seen["shown"] if shown != stored.get(chat_id)]
    heard_ids = seen["heard_ids"]
    checks = {
        "answers were not as they must be": seen["refused"],
        "sockets were closed": seen["closed"],
        "chats hold other messages than were answered for": [c for c, ids in posted.items() if stored.get(c) != ids],
        "tabs did not show each message of their chat once and in order": other_tabs,
        f"deliveries, of {len(deliveries):,}, were not made at the first attempt": undone,
        "deliveries were not heard, or not known": {row[0] for row in deliveries} ^ set(seen["heard"]),
        "deliveries were heard again": len(seen["heard"]) - len(set(seen["heard"])),
        f"messages, of {total:,}, were not told of once": total - len(set(heard_ids)) or len(heard_ids) - total,
        "deliveries had no valid signature": seen["unsigned"],
    }
    return [f"{_many(found):,} {what}{_example(found)}" for what, found in checks.items() if found]


def _many(found: Any) -> int:
    if isinstance(found, dict):
        return sum(found.values())
    return found if isinstance(found, int) else len(found)


def _example(found: Any) -> str:
    return "" if isinstance(found, int) else f", first {next(iter(found))!r}"


@contextmanager
def load(module: str, traffic: Any, found: Path) -> Iterator["subprocess.Popen[str]"]:
    """The process that puts a load: it is told the traffic, a dataclass, and writes what it saw into a file."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, found],
        cwd=PROJECT_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    try:
        process.stdin.write(json.dumps(asdict(traffic)) + "\n")
        process.stdin.flush()
        yield process
    finally:
        process.kill()
        process.__exit__(None, None, None)


@contextmanager
def _metrics_in_memory() -> Iterator[str]:
    """A folder where `make run` has the metrics' files, too."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="parley-bench-", dir=memory if memory.is_dir() else None) as folder:
        yield folder


def _kib(pid: int, *, private: bool) -> int:
    """A process's part of the memory (PSS): what it shares with others is counted in parts."""
    lines: Sequence[str] = ()
    with suppress(OSError):  # it ended
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    found = {name: int(value.split()[0]) for name, _, value in (line.partition(":") for line in lines[1:])}
    return found.get("Pss", 0) - (found.get("Pss_Shmem", 0) if private else 0)


def _files(pid: int) -> int:
    try:
        return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:  # it ended
        return 0
