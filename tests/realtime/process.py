"""The realtime process, for real: uvicorn with the project's ASGI application, on the test's database and Redis."""

import os
import re
import shlex
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from tempfile import TemporaryFile
from typing import Self
from urllib.parse import urlsplit

from config.environment import PROJECT_ROOT
from launcher.processes import dying_with_me, wait_until
from launcher.servers import free_port

START_SECONDS = 30.0
PRODUCT = "config.asgi:application"


class RealtimeProcess:
    """One process on a port of its own, started by the Procfile's line; `start` may be called again after `kill`."""

    def __init__(self, application: str = PRODUCT, **environ: str) -> None:
        self._application = application
        self.port = free_port()
        self._environ = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", **environ}
        self._environ |= {"REALTIME_PORT": str(self.port), "VISITOR_RATE_LIMIT": "1000000"} | environ
        self._output = TemporaryFile()  # noqa: SIM115 - as long as the process
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def output(self) -> str:
        self._output.seek(0)
        return self._output.read().decode(errors="replace")

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Starts the process and returns when it answers."""
        self._process = subprocess.Popen(
            self._command(self._environ),
            cwd=PROJECT_ROOT,
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            preexec_fn=dying_with_me(signal.SIGKILL),
        )
        ready = wait_until(lambda: self._process.poll() is not None or self._answers(), seconds=START_SECONDS)  # type: ignore[union-attr]
        assert ready, self.output
        assert self._process.poll() is None, self.output

    def stop(self) -> None:
        """Ends the process in order, else by force."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def _answers(self) -> bool:
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=2) as answer:
            return bool(answer.status == 200)
        return False

    def _command(self, environ: Mapping[str, str]) -> list[str]:
        """The Procfile's line with its variables filled in."""
        words = procfile_words("realtime", environ)
        assert words[0] == "uvicorn", words
        return [sys.executable, "-m", *(self._application if word == PRODUCT else word for word in words)]


def database_url() -> str:
    """The address of the test's database, for a process of its own."""
    from django.conf import settings  # set up after this file is read
    from django.db import connection

    return urlsplit(settings.DATABASE_URL)._replace(path="/" + connection.settings_dict["NAME"]).geturl()


def procfile_words(process: str, environ: Mapping[str, str]) -> list[str]:
    """The Procfile's line of a process after its `exec`, each `${NAME:-default}` filled in."""
    lines = dict(line.split(": ", 1) for line in (PROJECT_ROOT / "Procfile").read_text().splitlines() if line)
    filled = re.sub(r"\$\{(\w+):-([^}]*)\}", lambda found: environ.get(found[1], found[2]), lines[process])
    words = shlex.split(filled)
    assert words[0] == "exec", words
    return words[1:]
