"""Bytes of an answer that wait for their client: in memory while few, then in a temporary file.

An answer needs no disk: what there is no room for, and all of it where no file can be made, is kept in memory.
"""

import logging
import os
import tempfile
import threading
from typing import IO

logger = logging.getLogger(__name__)


class Kept:
    """One thread writes at the end, another reads from anywhere; neither waits for what the other does with the disk.

    A lock that the writer holds would be taken by it again before the reader, which is the event loop, woke up.
    """

    def __init__(self, in_memory: int) -> None:
        """`in_memory` is in bytes."""
        self._in_memory = in_memory
        # They follow each other: what comes first, what is in the file, what there was no room for.
        self._head, self._in_file, self._tail = bytearray(), 0, bytearray()
        self._file: IO[bytes] | None = None
        self._lock = threading.Lock()  # for moments only
        self.has_ended = self.is_closed = False

    def write(self, piece: bytes) -> int:
        """Adds a piece; its size. Called by the writer, like `end`."""
        if self._file is None and not self._tail and len(self._head) + len(piece) <= self._in_memory:
            with self._lock:
                self._head += piece
            return len(piece)
        rest = memoryview(piece)
        if not self._tail:
            rest = self._written_to_file(rest)
        with self._lock:
            self._in_file += len(piece) - len(rest)
            self._tail += rest
        return len(piece)

    def _written_to_file(self, piece: memoryview) -> memoryview:
        """Writes the bytes for which there was no room, and returns the rest.

        Without a buffer, so that nothing is left to be written.
        """
        at = self._in_file
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - until `end` and `close`
            while piece:
                written = os.pwrite(self._file.fileno(), piece, at)
                at, piece = at + written, piece[written:]
        except OSError as error:
            logger.warning("an answer is kept in memory: %s", error)
        return piece

    def end(self) -> None:
        """Nothing more is written."""
        with self._lock:
            self.has_ended = True
            self._close_file_if_done()

    def read(self, start: int, size: int) -> bytes:
        """At most so many bytes from there on; none at the end. Called by the reader, like `close`."""
        with self._lock:
            if start < len(self._head):
                return bytes(self._head[start : start + size])
            start -= len(self._head)
            file, in_file = self._file, self._in_file
            if file is None or start >= in_file:
                start -= in_file
                return bytes(self._tail[start : start + size])
        return os.pread(file.fileno(), min(size, in_file - start), start)

    def close(self) -> None:
        """Nothing more is read."""
        with self._lock:
            self.is_closed = True
            self._close_file_if_done()

    def _close_file_if_done(self) -> None:
        if self._file is not None and self.has_ended and self.is_closed:
            self._file.close()
