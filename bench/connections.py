"""The client's side of HTTP and of websockets, for thousands of connections that must cost little: prepared bytes go
out, and of what comes in only the ends are looked for.
"""

import asyncio
import struct
import time
from collections import deque
from collections.abc import Callable
from typing import Any

# What a connection that was lost is answered with.
LOST = 0
_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_WHOLE, _MASKED = 0x80, 0x80
_UNMASKED = bytes(4)  # a mask that changes nothing
_HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

Then = Callable[[int, bytes], None]


class Callers:
    """HTTP/1.1 to one loopback port over kept connections, used in turn; a call that finds none free waits for one.

    A connection that was lost with a call is replaced.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._opening: set[asyncio.Task[None]] = set()
        self._free: deque[_Connection] = deque()
        self._waiting: deque[tuple[bytes, Then]] = deque()
        self.under_way = 0

    async def open(self, connections: int) -> None:
        loop = asyncio.get_running_loop()
        for _ in range(connections):
            _, connection = await loop.create_connection(lambda: _Connection(self._freed), "127.0.0.1", self._port)
            self._use(connection)

    def call(self, request: bytes, then: Then) -> None:
        """Sends a whole request; `then` is called with its status (LOST: the connection was lost) and its body."""
        self.under_way += 1
        if self._free:
            self._free.popleft().send(request, then)
        else:
            self._waiting.append((request, then))

    async def ask(self, request: bytes) -> tuple[int, bytes]:
        """Status and body of one request."""
        answered: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
        self.call(request, lambda status, body: answered.set_result((status, body)))
        return await answered

    def close(self) -> None:
        for connection in self._free:
            connection.close()

    def _freed(self, connection: "_Connection", *, is_lost: bool) -> None:
        self.under_way -= 1
        if is_lost:
            opening = asyncio.get_running_loop().create_task(self.open(1))
            self._opening.add(opening)
            opening.add_done_callback(self._opening.discard)
        else:
            self._use(connection)

    def _use(self, connection: "_Connection") -> None:
        if self._waiting:
            connection.send(*self._waiting.popleft())
        else:
            self._free.append(connection)


class _Connection(asyncio.Protocol):
    """One connection, with at most one request in flight."""

    __slots__ = ("_answer", "_body_at", "_freed", "_length", "_then", "_transport")

    def __init__(self, freed: Callable[..., None]) -> None:
        self._freed = freed
        self._transport: Any = None
        self._then: Then | None = None
        self._answer, self._length, self._body_at = b"", 0, 0

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def send(self, request: bytes, then: Then) -> None:
        self._answer, self._length = b"", 0
        self._then = then
        if self._transport.is_closing():
            self._end(LOST, b"connection closed")
        else:
            self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._answer = self._answer + data if self._answer else data
        if not self._length:
            end = self._answer.find(b"\r\n\r\n")
            if end < 0:
                return
            self._body_at = end + 4
            _, found, rest = self._answer[:end].lower().partition(b"\r\ncontent-length:")
            self._length = self._body_at + (int(rest.partition(b"\r\n")[0]) if found else 0)
        if len(self._answer) >= self._length:
            self._end(int(self._answer[9:12]), self._answer[self._body_at :])

    def connection_lost(self, error: Exception | None) -> None:
        if self._then is not None:
            self._end(LOST, repr(error).encode())

    def close(self) -> None:
        self._transport.close()

    def _end(self, status: int, body: bytes) -> None:
        then, self._then = self._then, None
        assert then is not None
        then(status, body)
        self._freed(self, is_lost=status == LOST)


class Tab(asyncio.Protocol):
    """A visitor's websocket. `ready` is done when the first frame was answered; `frame` is told of each later one."""

    __slots__ = ("_auth", "_frame", "_is_upgraded", "_path", "_received", "_transport", "is_open", "ready", "tag")

    def __init__(self, path: str, auth: bytes, frame: Callable[["Tab", bytes, float], None], tag: Any) -> None:
        self._path, self._auth, self._frame, self.tag = path, masked(_TEXT, auth), frame, tag
        self._received, self._is_upgraded, self.is_open = b"", False, False
        self._transport: Any = None
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(_HANDSHAKE.format(path=self._path).encode())

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        self._received = self._received + data if self._received else data
        if not self._is_upgraded and not self._upgrade():
            return
        while (frame := self._next()) is not None:
            code, content = frame
            if code == _TEXT and self.is_open:
                self._frame(self, content, now)
            elif code == _TEXT:
                self.is_open = content.startswith(b'{"type":"ready"')
                self._settle(None if self.is_open else RuntimeError(f"a visitor's socket was answered {content!r}"))
            elif code == _PING:
                self._transport.write(masked(_PONG, content))
            elif code == _CLOSE:
                self._transport.close()

    def send(self, frame: bytes) -> None:
        """Sends a frame that `text_frame` has made."""
        if self.is_open:
            self._transport.write(frame)

    def connection_lost(self, error: Exception | None) -> None:
        self.is_open = False
        self._settle(RuntimeError(f"a visitor's socket was closed: {self._received!r} {error!r}"))

    def close(self) -> None:
        self._transport.abort()

    def _upgrade(self) -> bool:
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return False
        if self._received.startswith(b"HTTP/1.1 101 "):
            self._received, self._is_upgraded = self._received[end + 4 :], True
            self._transport.write(self._auth)
        else:
            self._transport.close()
        return self._is_upgraded

    def _next(self) -> tuple[int, bytes] | None:
        """Kind and content of the next frame that has come in whole. The product's are never in parts."""
        received = self._received
        if len(received) < 2:
            return None
        length, start = received[1], 2
        if length == 126:
            length, start = int.from_bytes(received[2:4]), 4
        elif length == 127:
            length, start = int.from_bytes(received[2:10]), 10
        if len(received) < start + length:
            return None
        self._received = received[start + length :]
        return received[0] & 0x0F, received[start : start + length]

    def _settle(self, error: Exception | None) -> None:
        if self.ready.done():
            return
        if error is None:
            self.ready.set_result(None)
        else:
            self.ready.set_exception(error)


def masked(code: int, content: bytes) -> bytes:
    """A client's frame."""
    if len(content) < 126:
        head = struct.pack("!BB", _WHOLE | code, _MASKED | len(content))
    else:
        head = struct.pack("!BBH", _WHOLE | code, _MASKED | 126, len(content))
    return head + _UNMASKED + content


def text_frame(content: bytes) -> bytes:
    """A client's text, for `Tab.send`."""
    return masked(_TEXT, content)
