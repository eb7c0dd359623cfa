"""The body of a request on its way in, gathered on the event loop."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from config.serving.answers import IN_MEMORY

# A body may pause for IDLE_S, and has to come at LEAST_RATE bytes a second on the whole, with GRACE_S to begin with.
IDLE_S, GRACE_S, LEAST_RATE = 15.0, 30.0, 8 * 1024

CHUNKED = "HTTP_TRANSFER_ENCODING"  # its one value that the server lets through

Receive = Callable[[], Awaitable[dict[str, Any]]]


class Disconnected(Exception):
    """The client has gone before its body had come."""


class TooSlow(Exception):
    """A body came slower than it may."""


class Body:
    """The body of one request, in memory while it is short, else in a temporary file."""

    def __init__(self, environ: dict[str, Any], receive: Receive) -> None:
        self._environ, self._receive = environ, receive
        length = environ.get("CONTENT_LENGTH")
        self.announced = int(length) if length else None
        self.is_whole = self.announced is None and CHUNKED not in environ
        self._pieces: IO[bytes] = BytesIO()
        self._size = 0

    async def gather(self, at_most: int) -> bool:
        """Waits for the body; whether it is whole now.

        A body that is announced with more than `at_most` bytes is not read at all; of chunks no more than a piece
        beyond is. Raises TooSlow, Disconnected, and OSError when it can't be kept.
        """
        if self.is_whole or (self.announced or 0) > at_most:
            return self.is_whole
        clock = asyncio.get_running_loop().time
        began = clock()
        while self._size <= at_most:
            left = began + GRACE_S + self._size / LEAST_RATE - clock()
            if self._take(await self._next_message(min(IDLE_S, left))):
                return True
        return False

    async def _next_message(self, seconds: float) -> dict[str, Any]:
        try:
            async with asyncio.timeout(seconds):
                message = await self._receive()
        except TimeoutError:
            raise TooSlow from None
        if message["type"] == "http.disconnect":
            raise Disconnected
        return message

    def _take(self, message: dict[str, Any]) -> bool:
        self.is_whole = not message["more_body"]
        if not self._size and self.is_whole:
            self._pieces = BytesIO(message["body"])
        elif not self._size:
            self._pieces = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed with the request
            self._pieces.write(message["body"])
        else:
            self._pieces.write(message["body"])
        self._size += len(message["body"])
        return self.is_whole

    def give(self) -> None:
        """Hands what has come to the application, with its length, which is not known beforehand of chunks."""
        self._pieces.seek(0)
        self._environ["wsgi.input"] = self._pieces
        if self._environ.pop(CHUNKED, None) is not None:
            self._environ["CONTENT_LENGTH"] = str(self._size)

    def close(self) -> None:
        with suppress(OSError):  # what there was no room for is tried once more
            self._pieces.close()
