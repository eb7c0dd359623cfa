"""How long a start takes (goal P8): `make run` behind its installation, and the import of the web process."""

import http.client
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench.cpu import FOREIGN_LIMIT, Foreign
from config.environment import PROJECT_ROOT
from launcher.processes import dying_with_me, end_processes, server_processes, supervised_processes, wait_until
from launcher.servers import free_port

GIVE_UP_SECONDS = 90.0
IMPORTS = 3
_TIMED_IMPORT = "import time; t = time.perf_counter(); import config.web; print(time.perf_counter() - t)"


@dataclass(frozen=True, slots=True)
class Start:
    """One figure in seconds with its goal."""

    name: str
    title: str
    seconds: float
    goal: float
    foreign_cores: float

    @property
    def counts(self) -> bool:
        """Whether the machine was quiet enough."""
        return self.foreign_cores <= FOREIGN_LIMIT


def measure_starts() -> list[Start]:
    """The first start from an empty PARLEY_HOME, and the second one from what the first left."""
    with tempfile.TemporaryDirectory(prefix="parley-bench-") as folder:
        return [
            _start(Path(folder), "first-start", "make run to its first answer, first time", 20.0),
            _start(Path(folder), "second-start", "make run to its first answer, second time", 8.0),
        ]


def measure_import(environ: Mapping[str, str]) -> Start:
    """The median time that a fresh interpreter takes to import the web process's program."""
    seconds = []
    with Foreign() as foreign:
        for _ in range(IMPORTS):
            command = [sys.executable, "-c", _TIMED_IMPORT]
            done = subprocess.run(
                command, cwd=PROJECT_ROOT, env=dict(environ), check=True, capture_output=True, text=True
            )
            seconds.append(float(done.stdout))
    return Start("import", "import of the web process", median(seconds), 1.5, foreign.cores)


def _start(home: Path, name: str, title: str, goal: float) -> Start:
    """Starts the service, waits for its first answer and ends it."""
    port = free_port()
    outside = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    environ = {**outside, "PARLEY_HOME": str(home), "PORT": str(port), "REALTIME_PORT": str(free_port())}
    output = home.with_name(f"{home.name}.output")
    try:
        with output.open("wb") as log, Foreign() as foreign:
            began = time.monotonic()
            process = subprocess.Popen(
                [sys.executable, "-m", "launcher.run"],
                cwd=PROJECT_ROOT,
                env=environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=dying_with_me(signal.SIGTERM),
            )
            wait_until(lambda: process.poll() is not None or _answers(port), seconds=GIVE_UP_SECONDS)
            seconds = time.monotonic() - began
        answered = _answers(port)
        _end(process, home)
        if not answered:
            lines = output.read_text(errors="replace").strip().splitlines() or ["it said nothing"]
            raise RuntimeError(f"`make run` did not answer within {seconds:.0f} seconds: {lines[-1]}")
    finally:
        output.unlink(missing_ok=True)
    return Start(name, title, seconds, goal, foreign.cores)


def _end(process: "subprocess.Popen[bytes]", home: Path) -> None:
    process.terminate()
    try:
        process.wait(timeout=40)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    home = home.resolve()
    left = [*server_processes("postgres", home / "postgres"), *server_processes("valkey-server", home / "valkey")]
    end_processes([*supervised_processes(home), *left], ask=signal.SIGKILL)


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
