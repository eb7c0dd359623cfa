"""Bytes of an answer that wait for their client: in memory while few, then in a temporary file.

An answer needs no disk: what there is no room for, and all of it where no file can be made, is kept in memory.
"""

import logging
import os
import tempfile
from typing import IO

logger = logging.getLogger(__name__)


class Kept:
    """Written at the end, read from anywhere; not safe for threads. `in_memory` is in bytes."""

    def __init__(self, in_memory: int) -> None:
        self._in_memory = in_memory
        # They follow each other: what comes first, what is in the file, what there was no room for.
        self._head, self._in_file, self._tail = bytearray(), 0, bytearray()
        self._file: IO[bytes] | None = None
        self.closed = False

    def write(self, piece: bytes) -> int:
        """Adds a piece; its size."""
        if self._file is None and not self._tail and len(self._head) + len(piece) <= self._in_memory:
            self._head += piece
        else:
            self._tail += piece if self._tail else self._beyond_file(memoryview(piece))
        return len(piece)

    def _beyond_file(self, piece: memoryview) -> memoryview:
        """Adds to the file; what there was no room for. Without a buffer, so that nothing is left to be written."""
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - until `close`
            while piece:
                written = os.pwrite(self._file.fileno(), piece, self._in_file)
                self._in_file, piece = self._in_file + written, piece[written:]
        except OSError as error:
            logger.warning("an answer is kept in memory: %s", error)
        return piece

    def read(self, start: int, size: int) -> bytes:
        """At most so many bytes from there on; none at the end."""
        if start < len(self._head):
            return bytes(self._head[start : start + size])
        start -= len(self._head)
        if self._file is not None and start < self._in_file:
            return os.pread(self._file.fileno(), min(size, self._in_file - start), start)
        start -= self._in_file
        return bytes(self._tail[start : start + size])

    def close(self) -> None:
        self.closed = True
        if self._file is not None:
            self._file.close()
