"""Processes under measurement: the product's as the Procfile runs them, and a web server that is a reference under the
same settings.
"""

import http.client
import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from honcho.environ import parse_procfile

from bench.cpu import tree, tree_seconds
from config.environment import PROJECT_ROOT
from launcher.processes import dying_with_me, kill_group, wait_until, with_virtualenv
from launcher.servers import free_port

PRODUCT, REFERENCE = "config.web:application", "bench.reference:served"
# What each process of the Procfile runs.
_PRODUCTS = {"web": PRODUCT, "realtime": "config.asgi:application"}
READY_SECONDS, ANSWER_SECONDS = 60.0, 30.0
# What the processes take from the shell; the last two say whose product it is (bench/beside.py).
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "PYTHONPATH", "PYTHONSAFEPATH")


class ProcfileProcess:
    """A process of the Procfile, as a context manager. Its output goes to a log."""

    def __init__(self, process: str, environ: Mapping[str, str], log: Path) -> None:
        self._command = parse_procfile((PROJECT_ROOT / "Procfile").read_text()).processes[process]
        self._environ = with_virtualenv(dict(environ))
        self._log = log

    def __enter__(self) -> Self:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                ["sh", "-c", self._command],
                cwd=PROJECT_ROOT,
                env=self._environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=dying_with_me(signal.SIGTERM),
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        kill_group(self._process.pid)

    def require_alive(self) -> None:
        """Raises RuntimeError when the process has ended."""
        if self._process.poll() is not None:
            lines = self._log.read_text(errors="replace").strip().splitlines() or ["it said nothing"]
            raise RuntimeError(f"a process of the product ended: {lines[-1]}")

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def cpu_seconds(self) -> float:
        """The CPU that its processes have used so far."""
        return tree_seconds(self._process.pid)

    @property
    def pids(self) -> list[int]:
        """Its processes."""
        return list(tree(self._process.pid))


class WebServer(ProcfileProcess):
    """A process of the Procfile that serves one of the two programs on a free loopback port; entered, it answers."""

    def __init__(self, program: str, environ: Mapping[str, str], log: Path, *, process: str = "web") -> None:
        self.port = free_port()
        ports = {"PORT": str(self.port), "REALTIME_PORT": str(self.port)}
        super().__init__(process, {**environ, **ports}, log)
        self._command = self._command.replace(_PRODUCTS[process], program)
        if program not in self._command:
            raise RuntimeError(f"the Procfile's {process} process does not run {_PRODUCTS[process]}")

    def __enter__(self) -> Self:
        super().__enter__()
        if not wait_until(self._answers, seconds=READY_SECONDS, interval=0.05):
            self._end()
            raise RuntimeError(f"the web server does not answer; see {self._log}")
        return self

    def _answers(self) -> bool:
        self.require_alive()
        try:
            return self.answer("GET", "/healthz")[0] < 500
        except (OSError, http.client.HTTPException):
            return False

    def answer(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes | None = None
    ) -> tuple[int, bytes]:
        """Status and body of one request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()


def bench_environ(home: Path, database_url: str, redis_url: str) -> dict[str, str]:
    """The environment of both servers: as `make run` sets it, with a rate limit that stops neither."""
    metrics = home / "metrics"
    metrics.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {
        **kept,
        "PARLEY_HOME": str(home),
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "SECRET_KEY": "bench-only-7d1e40b6c2f84a559e0b3f6a1d7c8e92f5b4a3c6d1e0",
        "FIELD_ENCRYPTION_KEYS": "YmVuY2gtb25seS1iZW5jaC1vbmx5LWJlbmNoLW9ubHk=",
        "API_RATE_LIMIT": "10000000",
        "VISITOR_RATE_LIMIT": "10000000",
        "AI_REPLY_LIMIT": "1000000",
        "SOCKETS_PER_ADDRESS": "1000000",
        "PROMETHEUS_MULTIPROC_DIR": str(metrics),
        "LOG_FORMAT": "console",
    }
