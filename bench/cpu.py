"""CPU time of process trees, memory, and other programs' share of the machine, from Linux's /proc; and processes that
stand still for a while.
"""

import os
import signal
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
# Over so many cores of foreign load, a run does not count.
FOREIGN_LIMIT = 0.15
# States of processes that are stopped, dead or waited for.
STANDING = "TtXZ"


def tree_seconds(root: int) -> float:
    """User and system seconds that a process and its descendants have used, ended and awaited ones included.

    A process that is gone counts nothing.
    """
    return sum(tree(root).values())


def tree(root: int) -> dict[int, float]:
    """A process and its descendants, by id, with the seconds that each and those it has awaited have used."""
    children: dict[int, list[int]] = defaultdict(list)
    used: dict[int, float] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name, in brackets, may hold spaces; from behind it, field 0 is the state.
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        pid = int(path.parent.name)
        children[int(fields[1])].append(pid)
        used[pid] = sum(map(int, fields[11:15])) / TICKS_PER_SECOND
    found: dict[int, float] = {}
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        if pid in used:
            found[pid] = used[pid]
        waiting += children[pid]
    return found


@contextmanager
def stopped(root: int) -> Iterator[None]:
    """A process and its descendants stand still during the block, in which a queue of theirs is filled."""
    pids = list(tree(root))
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        while any(_state(pid) not in STANDING for pid in pids):
            time.sleep(0.001)
        yield
    finally:
        for pid in reversed(pids):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def _state(pid: int) -> str:
    """The letter of a process's state; that of a dead one once it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "X"


def memory(pid: int, name: str) -> int:
    """KiB of a process, by the name of a line in its status."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def machine_seconds() -> float:
    """Seconds that all cores together have been busy for processes, ours or not, or been taken by a host machine."""
    with Path("/proc/stat").open() as file:
        user, nice, system, _idle, _iowait, _irq, _softirq, steal = map(int, file.readline().split()[1:9])
    return (user + nice + system + steal) / TICKS_PER_SECOND


@dataclass(slots=True)
class Foreign:
    """Measures, as a context manager, how many cores everybody but this process and its descendants keeps busy."""

    cores: float = 0.0
    _began: float = 0.0
    _machine: float = 0.0
    _own: float = 0.0

    def __enter__(self) -> Self:
        self._began, self._machine, self._own = time.monotonic(), machine_seconds(), tree_seconds(os.getpid())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        machine, own = machine_seconds() - self._machine, tree_seconds(os.getpid()) - self._own
        self.cores = max(0.0, (machine - own) / max(time.monotonic() - self._began, 1e-9))
