"""Processes of the Procfile on the test's own database, one by one."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from honcho.environ import parse_procfile

from config.environment import PROJECT_ROOT
from launcher.processes import dying_with_me, kill_group, with_virtualenv


@contextmanager
def running(name: str, output: IO[bytes], **environ: str) -> Iterator["subprocess.Popen[bytes]"]:
    """The process of that name, started by its line, with these changes to the environment; told to end at the end."""
    command = parse_procfile((PROJECT_ROOT / "Procfile").read_text()).processes[name]
    database = urlsplit(settings.DATABASE_URL)._replace(path="/" + connection.settings_dict["NAME"]).geturl()
    changes = {"DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "config.settings", **environ}
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


def written(output: IO[bytes]) -> bytes:
    """What a process has written so far."""
    return os.pread(output.fileno(), 10_000_000, 0)
