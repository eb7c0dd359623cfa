"""The sign of life that a process gives: a file of its own, whose time moves for as long as the process does its work.

Supervisors of processes look at it (`config/alive.py`). It is moved by what must not be stuck: the event loop, or a
thread that keeps an eye on the main one. Moving it is quick and never fails: if the file can't be made or touched, as
on a full disk, there is no pulse, which says nothing of the process.

The file is named after the process's role and number, and locked while the process lives, so that a reused number is
not taken for it.
"""

import asyncio
import fcntl
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

EVERY_S = 2.0
# How long a main loop may be at one thing. A PostgreSQL or Redis that does not answer is given up long before.
STUCK_S = 120.0


class Pulse:
    """The pulse of this process. With an empty `folder` it gives none."""

    def __init__(self, role: str, folder: str) -> None:
        self._path = Path(folder, f"{role}.{os.getpid()}") if folder else None
        self._lock: int | None = None
        if self._path is not None:
            self._make(self._path)

    def beat(self) -> None:
        """Moves it."""
        if self._path is None:
            return
        try:
            os.utime(self._path)
        except FileNotFoundError:
            self._make(self._path)
        except OSError:
            return

    def keep_beating_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """Moves it every two seconds from the event loop, on which this is called."""
        if self._path is not None:
            self.beat()
            loop.call_later(EVERY_S, self.keep_beating_on, loop)

    def keep_beating(self, unless: Callable[[], bool] = lambda: False) -> None:
        """Moves it every two seconds from a thread of its own, but not while `unless` holds."""
        if self._path is not None:
            threading.Thread(target=self._beat_on, args=(unless,), name="pulse", daemon=True).start()

    def _beat_on(self, unless: Callable[[], bool]) -> None:
        while True:
            if not unless():
                self.beat()
            time.sleep(EVERY_S)

    def _make(self, path: Path) -> None:
        """Puts a new file, locked from the start, in the place of one that another process of that number left."""
        unfinished = path.with_name(f".{path.name}")
        with suppress(OSError):
            descriptor = os.open(unfinished, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                unfinished.rename(path)
            except OSError:
                os.close(descriptor)
                return
            if self._lock is not None:
                os.close(self._lock)
            self._lock = descriptor


class Progress:
    """Whether a loop goes round, as it tells itself, or tries to connect. `clock` gives seconds that only grow."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._made_at: float | None = None

    def made(self) -> None:
        self._made_at = self._clock()

    def is_overdue(self) -> bool:
        """Whether the loop, once it has begun, has been at one thing for more than STUCK_S."""
        made_at = self._made_at
        return made_at is not None and self._clock() - made_at > STUCK_S


# That of this process's main thread.
MAIN_LOOP = Progress()


def moments(role: str, folder: Path) -> dict[int, int]:
    """When each living process of that role moved its pulse last: its number, and nanoseconds of the file's clock.

    Files of dead processes are removed.
    """
    found = {}
    for path in folder.glob(f"{role}.*"):
        with suppress(OSError, ValueError), path.open("rb") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except (BlockingIOError, PermissionError):
                found[int(path.suffix[1:])] = os.fstat(file.fileno()).st_mtime_ns
            else:
                path.unlink(missing_ok=True)
    return found


def can_be_given(folder: Path) -> bool:
    """Whether files can be made and touched there now."""
    probe = folder / ".probe"
    try:
        probe.unlink(missing_ok=True)
        probe.touch()
        os.utime(probe)
    except OSError:
        return False
    return True
