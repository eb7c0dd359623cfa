"""Answers on their way out: made by a thread, sent by the event loop at the client's pace."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

from config.serving.kept import Kept

logger = logging.getLogger(__name__)

# Bytes of an answer (or a body) that are kept in memory, the rest in a temporary file; and that are sent at a time.
IN_MEMORY, PIECE = 256 * 1024, 64 * 1024

Headers = list[tuple[bytes, bytes]]


class BrokenOff(Exception):
    """A stream failed on its way; its connection is closed without its end, so that the client knows."""


@dataclass(slots=True)
class Answer:
    """The application's answer: bytes, a file, or a stream that a thread is still writing."""

    status: int
    headers: Headers
    content: "bytes | FileToSend | Stream"

    def header(self, name: bytes) -> bytes | None:
        """The value of a header, by its name in lower case."""
        return next((value for key, value in self.headers if key.lower() == name), None)

    def close(self) -> None:
        """Closes the content; it is not read on."""
        if not isinstance(self.content, bytes):
            self.content.close()


def plain(status: int, text: str) -> Answer:
    """A refusal by the server itself; the connection ends with it."""
    headers = [
        (b"content-type", b"text/plain"),
        (b"content-length", str(len(text)).encode()),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    return Answer(status, headers, text.encode())


class FileToSend:
    """`wsgi.file_wrapper` (PEP 3333): a file, which is sent without a thread if it is this machine's."""

    def __init__(self, file: IO[bytes], block_size: int = PIECE) -> None:
        self._file = file

    @property
    def is_local(self) -> bool:
        """Whether reading it never waits for a remote host."""
        try:
            self._file.fileno()
        except (AttributeError, OSError):
            return False
        return True

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self._file.read(PIECE), b"")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece

    def close(self) -> None:
        self._file.close()


class Stream:
    """Bytes that a thread writes as fast as it can and the loop reads at the client's pace.

    Written bytes are in memory up to IN_MEMORY, and beyond in a temporary file, if there is room for it.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self._more = loop, asyncio.Event()
        self._kept = Kept(IN_MEMORY)
        self._written = self._read = 0
        self._is_broken = False

    def fill(self, pieces: Iterable[bytes]) -> None:
        """Writes all of it, unless the reader has gone; in the thread."""
        try:
            for piece in pieces:
                if self._kept.is_closed:
                    return
                self._written += self._kept.write(piece)
                self._tell()
        except Exception:
            logger.exception("a stream broke off")
            self._is_broken = True
        finally:
            self._kept.end()
            self._tell()
            if (close := getattr(pieces, "close", None)) is not None:
                close()

    def _tell(self) -> None:
        if not self._more.is_set():
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._more.set)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            self._more.clear()
            has_ended = self._kept.has_ended  # before the look, which then finds all that was written
            if piece := self._kept.read(self._read, PIECE):
                self._read += len(piece)
                yield piece
            elif has_ended:
                break
            else:
                await self._more.wait()
        if self._is_broken:
            raise BrokenOff

    async def length(self) -> int:
        """How long it is, once it has ended."""
        while not self._kept.has_ended:
            self._more.clear()
            if not self._kept.has_ended:
                await self._more.wait()
        return self._written

    def close(self) -> None:
        """The thread that writes it stops at its next piece."""
        self._kept.close()
