"""Processes of the Procfile on the test's own database, one by one."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from typing import IO

import psutil
from honcho.environ import parse_procfile

from config.environment import PROJECT_ROOT
from launcher.processes import dying_with_me, kill_group, wait_until, with_virtualenv
from launcher.servers import free_port
from tests.e2e.http import call
from tests.faults.odd_valkey import odd_valkey
from tests.realtime.process import database_url


@contextmanager
def running(name: str, output: IO[bytes], **environ: str) -> Iterator["subprocess.Popen[bytes]"]:
    """The process of that name, started by its line, with these changes to the environment; told to end at the end."""
    command = parse_procfile((PROJECT_ROOT / "Procfile").read_text()).processes[name]
    changes = {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "config.settings", **environ}
    process = subprocess.Popen(
        ["sh", "-c", command],
        cwd=PROJECT_ROOT,
        env=with_virtualenv({**os.environ, **changes}),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=dying_with_me(signal.SIGTERM),
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        kill_group(process.pid)


@contextmanager
def ready_web() -> Iterator[tuple[int, psutil.Process]]:
    """A web process that answers, with a Valkey of its own: its port, and the process. It hashes as in production."""
    port = free_port()
    with odd_valkey() as valkey, TemporaryFile() as output:
        environ = {
            "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
            "PORT": str(port),
            "REDIS_URL": valkey.url,
            "API_RATE_LIMIT": "1000000",
            "VISITOR_RATE_LIMIT": "1000000",
        }
        with running("web", output, **environ) as process:
            assert wait_until(lambda: _answers(port) or process.poll() is not None, seconds=60), "it does not answer"
            assert process.poll() is None, written(output)
            yield port, psutil.Process(process.pid)


def _answers(port: int) -> bool:
    with suppress(OSError):
        return call("GET", f"http://127.0.0.1:{port}/healthz") is not None
    return False


def written(output: IO[bytes]) -> bytes:
    """What a process has written so far."""
    return os.pread(output.fileno(), 10_000_000, 0)
