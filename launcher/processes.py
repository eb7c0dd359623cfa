"""Operating-system processes: children that die with their parent, and what an earlier run left behind."""

import ctypes
import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO

import psutil

# Every process that a supervisor starts carries this variable with its PARLEY_HOME; grandchildren inherit it, also
# those that leave the process group.
SUPERVISED_HOME = "PARLEY_SUPERVISED_HOME"

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(parent: int, death_signal: signal.Signals) -> None:
    """Asks the kernel to send `death_signal` to this process when the thread that started it ends (Linux only)."""
    if _libc is None:
        return
    _libc.prctl(_PR_SET_PDEATHSIG, int(death_signal))
    if os.getppid() != parent:
        os.kill(os.getpid(), death_signal)


def dying_with_me(death_signal: signal.Signals) -> Callable[[], None]:
    """A `preexec_fn`. Start the child from a thread that lives as long as the child should."""
    return partial(die_with_parent, os.getpid(), death_signal)


def spawn_server(
    command: Sequence[str],
    *,
    log: IO[bytes],
    death_signal: signal.Signals,
    user: int | None = None,
    config: IO[bytes] | None = None,
) -> "subprocess.Popen[bytes]":
    """Starts a server in a session of its own, with a bare environment, writing to `log`; `config` is its stdin."""
    return subprocess.Popen(
        list(command),
        env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"},
        cwd="/",
        stdin=config or subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        user=user,
        group=None if user is None else user_group(user),
        extra_groups=None if user is None else [],
        preexec_fn=dying_with_me(death_signal),
    )


def system_user(name: str) -> int:
    """The number of the system user called `name`, who is made if absent (as root)."""
    with suppress(KeyError):
        return pwd.getpwnam(name).pw_uid
    subprocess.run(
        ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", name],
        check=True,
        capture_output=True,
    )
    return pwd.getpwnam(name).pw_uid


def user_group(user: int) -> int:
    return pwd.getpwuid(user).pw_gid


def kill_group(leader: int) -> None:
    """Kills what is left of the process group that `leader` leads or led."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def supervised_processes(home: Path) -> list[psutil.Process]:
    """Every process, but this one, that a supervisor of `home` started, directly or not."""
    return _matching(lambda process: process.environ().get(SUPERVISED_HOME) == str(home))


def server_processes(name: str, folder: Path) -> list[psutil.Process]:
    """Every process called `name` that works in `folder`."""
    return _matching(lambda process: process.name() == name and Path(process.cwd()) == folder)


def _matching(condition: Callable[[psutil.Process], bool]) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and condition(process):
                found.append(process)
        except (psutil.Error, OSError):
            continue  # it ended meanwhile, or belongs to somebody else
    return found


def processor_seconds(leader: int) -> float:
    """The processor time that the process and its children have used so far."""
    seconds = 0.0
    with suppress(psutil.Error):
        process = psutil.Process(leader)
        for one in (process, *process.children(recursive=True)):
            with suppress(psutil.Error):
                times = one.cpu_times()
                seconds += times.user + times.system
    return seconds


def end_processes(
    processes: Iterable[psutil.Process], *, ask: signal.Signals = signal.SIGTERM, seconds: float = 10.0
) -> None:
    """Asks each to end with a signal, and kills those that are alive after `seconds`."""
    asked = list(processes)
    for process in asked:
        _signal(process, ask)
    _, alive = psutil.wait_procs(asked, timeout=seconds)
    for process in alive:
        _signal(process, signal.SIGKILL)
    psutil.wait_procs(alive, timeout=5)


def _signal(process: psutil.Process, number: signal.Signals) -> None:
    with suppress(psutil.Error):
        process.send_signal(number)


def wait_until(condition: Callable[[], bool], *, seconds: float, interval: float = 0.02) -> bool:
    """True as soon as the condition holds, False when it does not within `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(interval)
    return True


def with_virtualenv(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment with this interpreter's programs (uvicorn, celery, …) first on PATH."""
    programs = str(Path(sys.executable).parent)
    return {**environ, "PATH": os.pathsep.join([programs, environ.get("PATH", os.defpath)])}
