"""The files in which the figures of Prometheus are kept between the processes of a machine; a full disk can't harm
them.

`prometheus_client` has each process map a file of PROMETHEUS_MULTIPROC_DIR into its memory, and makes the file a hole:
writing into it ends the process (SIGBUS) where the disk has no room by then. Here a file is written whole before it is
mapped, so its room is taken. If that fails (no room, no right, no folder), the figures stay in the process's own
memory: no request is refused, one line is logged, and they are in a file once one can be made.
"""

import logging
import mmap
import struct
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from prometheus_client import values
from prometheus_client.mmap_dict import MmapedDict

logger = logging.getLogger(__name__)

FIRST_BYTES = 64 * 1024
CHECKED_EVERY_S = 10.0
# The bytes of a new figure beside its key.
_ENTRY_BYTES = 64
# A file begins with how much of it is used, these bytes included.
_USED = struct.Struct("i4x")


class Figures(MmapedDict):
    """The figures of one kind of a process, at a file that other processes read, or in memory alone.

    Not safe for threads; `prometheus_client` calls it under its lock.
    """

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        self._path = Path(filename)
        self._positions: dict[str, int] = {}
        self._inode = 0
        self._is_shared = True
        self._keep(self._of_predecessor() or _USED.pack(_USED.size).ljust(FIRST_BYTES, b"\0"))
        (self._used,) = _USED.unpack_from(self._m)
        self._positions = {key: at for key, _, _, at in self._read_all_values()}  # type: ignore[no-untyped-call]

    def write_value(self, key: str, value: float, timestamp: float | None) -> None:
        if time.monotonic() >= self._check_at:
            self._check()
        super().write_value(key, value, timestamp)  # type: ignore[no-untyped-call]

    def close(self) -> None:
        self._m.close()

    def _init_value(self, key: str) -> None:
        if self._used + len(key.encode()) + _ENTRY_BYTES > self._capacity:
            self._keep(self._m[:] + bytes(self._capacity))
        super()._init_value(key)  # type: ignore[no-untyped-call]

    def _of_predecessor(self) -> bytes | None:
        """Goes on with the figures that a process of the same number left behind."""
        with suppress(OSError):
            content = self._path.read_bytes()
            if len(content) >= FIRST_BYTES and _USED.size <= _USED.unpack_from(content)[0] <= len(content):
                return content
        return None

    def _check(self) -> None:
        """Makes the file if it is missing: there was no room for it, or it was deleted."""
        self._check_at = time.monotonic() + CHECKED_EVERY_S
        try:
            is_there = self._is_shared and self._path.stat().st_ino == self._inode
        except OSError:
            is_there = False
        if not is_there:
            self._keep(self._m[:])

    def _keep(self, content: bytes) -> None:
        """Goes on with this content: in a file that is written whole, else in memory."""
        self._check_at = time.monotonic() + CHECKED_EVERY_S
        was_shared = self._is_shared
        try:
            self._m, self._inode = _written(self._path, content)
            self._is_shared = True
        except OSError as error:
            self._m = mmap.mmap(-1, len(content))
            self._m[:] = content
            self._is_shared = False
            if was_shared:
                logger.warning("the metrics of this process are kept to itself for now: %s", error)
        self._capacity = len(content)


def _written(path: Path, content: bytes) -> tuple[mmap.mmap, int]:
    """A file with that content, mapped, and its number; under its name only once it is whole."""
    unfinished = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with unfinished.open("w+b") as file:
            file.write(content)
            file.flush()
            mapped, inode = mmap.mmap(file.fileno(), len(content)), unfinished.stat().st_ino
        unfinished.replace(path)
    except OSError:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise
    return mapped, inode


def keep_safely() -> None:
    """Has `prometheus_client` keep the figures like this; to be called before the first of them is made."""
    seam: Any = values
    seam.MmapedDict = Figures
