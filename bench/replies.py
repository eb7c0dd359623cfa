"""An AI operator's replies: what one costs a worker beside a bare script, how soon it comes, how many are made at once,
and what posting a visitor's message costs while AI is on and while it is off. The vendor is `manage.py play_model`.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psycopg

from bench.cpu import FOREIGN_LIMIT, Foreign
from bench.databases import own_servers, postgres_seconds
from bench.together import READY
from bench.web import READY_SECONDS, ProcfileProcess
from config.environment import PROJECT_ROOT
from launcher.processes import wait_until
from launcher.servers import EmbeddedServers, free_port

BURSTS, A_SECOND, AT_ONCE, SLOW_S, POSTS = 200, 20.0, 96, 5.0, 1_000
QUIET_MS = 800.0
CPU_GOAL, WAIT_GOAL_MS, AT_ONCE_GOAL, OFF_GOAL, ON_GOAL = 2.5, QUIET_MS + 400, 64, 1.05, 1.15
WIDGETS = 4


@dataclass(frozen=True, slots=True)
class Answered:
    """CPU in milliseconds a reply; how long a question waited for its answer to be stored, in milliseconds."""

    worker_ms: float
    postgres_ms: float
    p50_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class Replies:
    """The cost and time of replies, how many are made at once, and CPU in milliseconds of a message posted."""

    answered: Answered
    bare_cpu_ms: float
    at_once: int
    post_without_ms: float
    post_off_ms: float
    post_on_ms: float
    foreign_cores: float

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT

    @property
    def judged(self) -> list[tuple[str, float, float]]:
        """The figures with a goal: the title, the value, and the most that it may be."""
        return [
            ("worker CPU a reply, to a bare script's", self.answered.worker_ms / self.bare_cpu_ms, CPU_GOAL),
            (f"p95 to the answer, ms, at {A_SECOND:g} bursts a second", self.answered.p95_ms, WAIT_GOAL_MS),
            # At least so many, so its inverse is at most.
            (f"1 / replies at once ({self.at_once}) of a vendor of {SLOW_S:g} s", 1 / self.at_once, 1 / AT_ONCE_GOAL),
            ("CPU of posting while AI is off, to without the app", self.post_off_ms / self.post_without_ms, OFF_GOAL),
            ("CPU of posting while AI is on, to without the app", self.post_on_ms / self.post_without_ms, ON_GOAL),
        ]

    def document(self) -> dict[str, Any]:
        return {**asdict(self), "counts": self.counts}


def measure_replies(bursts: int = BURSTS, at_once: int = AT_ONCE) -> Replies:
    """Raises RuntimeError when a process ends, or a question is not answered."""
    with own_servers() as (servers, environ), Foreign() as foreign:
        port, log = free_port(), servers.home / "log" / "worker.log"
        environ = _calling(port, environ)
        with vendor(port, environ):
            widgets = _ask(environ, "set-up", f"http://127.0.0.1:{port}", WIDGETS)
            with worker_ready(environ, log) as worker:
                asked = Questions(servers, environ, widgets, worker).ask(bursts)
            bare_ms = _ask(environ, "bare", f"http://127.0.0.1:{port}", bursts)
        with vendor(port, environ, "--seconds", f"{SLOW_S:g}"), worker_ready(environ, log):
            most = _ask(environ, "talk", widgets, at_once, 1000)["at_once"]
        on_ms = _ask(environ, "post", widgets[0], POSTS)
        with psycopg.connect(servers.database_url, autocommit=True) as connection:
            connection.execute("UPDATE accounts_widget SET answerers = '{}'")
        off_ms = _ask(environ, "post", widgets[1], POSTS)
        without_ms = _ask({**environ, "PARLEY_WITHOUT_APPS": "apps.ai"}, "post", widgets[2], POSTS)
    return Replies(asked, bare_ms, most, without_ms, off_ms, on_ms, foreign.cores)


class Questions:
    """Widgets whose AI is on, and the worker that answers; it has answered some, and imported the vendor's SDK."""

    def __init__(
        self, servers: EmbeddedServers, environ: Mapping[str, str], widgets: list[int], worker: ProcfileProcess
    ) -> None:
        self._servers, self._environ, self._widgets, self._worker = servers, environ, widgets, worker
        _ask(environ, "talk", widgets, 10, 10)

    def ask(self, bursts: int) -> Answered:
        """Has new visitors ask so many questions at a steady rate, until each is answered."""
        before = self._cpu_seconds()
        waited = _ask(self._environ, "talk", self._widgets, bursts, A_SECOND)["waited_ms"]
        worker_ms, postgres_ms = ((b - a) / bursts * 1000 for a, b in zip(before, self._cpu_seconds(), strict=True))
        return Answered(worker_ms, postgres_ms, waited[len(waited) // 2], waited[int(0.95 * (len(waited) - 1))])

    def _cpu_seconds(self) -> tuple[float, float]:
        return self._worker.cpu_seconds, postgres_seconds(self._servers)


@contextmanager
def questions() -> Iterator[Questions]:
    """Questions on servers of their own, with a vendor that answers at once."""
    with own_servers() as (servers, own):
        port = free_port()
        environ = _calling(port, own)
        with vendor(port, environ):
            widgets = _ask(environ, "set-up", f"http://127.0.0.1:{port}", WIDGETS)
            with worker_ready(environ, servers.home / "log" / "worker.log") as worker:
                yield Questions(servers, environ, widgets, worker)


def _calling(port: int, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of one worker process that may call a vendor of this machine."""
    quiet = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
    return {**environ, **quiet, "EGRESS_ALLOW": f"127.0.0.1:{port}", "WORKER_CONCURRENCY": "1"}


def _ask(environ: Mapping[str, str], *words: Any) -> Any:
    """The answer of the talkers."""
    given = [",".join(map(str, word)) if isinstance(word, list) else str(word) for word in words]
    command = [sys.executable, "-m", "bench.visitors", *given]
    done = subprocess.run(command, cwd=PROJECT_ROOT, env=dict(environ), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the talkers failed: {done.stderr[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


@contextmanager
def worker_ready(environ: Mapping[str, str], log: Path) -> Iterator[ProcfileProcess]:
    """A worker process that takes tasks."""
    log.parent.mkdir(exist_ok=True)
    log.write_text("")
    with ProcfileProcess("worker", environ, log) as worker:
        if not wait_until(lambda: READY in log.read_text(errors="replace"), seconds=READY_SECONDS):
            raise RuntimeError("the worker was not ready in time")
        yield worker


@contextmanager
def vendor(port: int, environ: Mapping[str, str], *options: str) -> Iterator[None]:
    """A vendor of models that is played."""
    command = [sys.executable, "manage.py", "play_model", "--port", str(port), *options]
    installed = {**environ, "PARLEY_WITH_DEMO": "1"}
    with subprocess.Popen(command, cwd=PROJECT_ROOT, env=installed, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.terminate()
