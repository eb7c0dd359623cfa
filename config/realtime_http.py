"""HTTP as the realtime process speaks it: a connection that does not say what it wants is closed.

uvicorn waits for the first request of a connection without end; its own deadline begins after an answer.
"""

import asyncio
import re
import resource
from typing import Any

import orjson
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from apps.core.errors import MALFORMED_REQUEST

REQUEST_WITHIN_S = 15.0
# Bytes of a request line and its headers; and of those among them whose parameters Django takes apart, with a parser
# whose time grows with their square (its `parse_header_parameters`: of 60 kB with one quote it is ten seconds).
HEAD_BYTES, PARAMETERS_BYTES = 64 * 1024, 1024
WITH_PARAMETERS = frozenset({b"content-type", b"accept"})
_NO_ASCII = re.compile(rb"[\x80-\xff]")
_TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
# Of the files that the process may have open, those that are left to everything but clients: servers, files, logs.
OTHER_FILES = 100


def most_connections() -> int:
    """How many clients may be connected: at least half of all the files that may be open."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(files // 2, files - OTHER_FILES)


def with_escaped_target(data: bytes) -> bytes:
    """A request whose first line is in ASCII: the other bytes of its target as `%` and two digits."""
    line, end, rest = data.partition(b"\n")
    return _NO_ASCII.sub(lambda found: b"%%%02X" % found[0][0], line) + end + rest


def malformed() -> bytes:
    """The refusal of what is no HTTP: a problem, after which the connection is closed."""
    problem = MALFORMED_REQUEST.example | {"instance": "/"}
    body = orjson.dumps(problem)
    head = f"content-type: application/problem+json\r\ncontent-length: {len(body)}\r\ncache-control: no-store\r\n"
    return b"HTTP/1.1 400 Bad Request\r\n" + head.encode() + b"connection: close\r\n\r\n" + body


class HttpProtocol(HttpToolsProtocol):
    """uvicorn's, with a deadline for the whole head of the first request, slowly sent ones among them, and a bound for
    how long one may be; what is longer is answered 400, or 431 before its line has ended. A request without a host is
    answered 400 as well. Refusals are problems. Other characters than ASCII in a target, as some clients send them, are
    escaped.

    When there are as many connections as may be, a new one takes the place of one that asks for nothing.
    """

    _silent: asyncio.TimerHandle | None = None
    _in_head = False
    _head = 0  # bytes that came since a head began, parsed or not
    _size = _size_of_parameters = 0  # of what is parsed
    _hosts = 0  # how many lines name the host

    def connection_made(self, transport: Any) -> None:
        if len(self.connections) >= most_connections():
            self._make_room()
        super().connection_made(transport)
        self._silent = self.loop.call_later(REQUEST_WITHIN_S, transport.abort)

    def _make_room(self) -> None:
        http = (other for other in self.connections if isinstance(other, HttpToolsProtocol))
        idle = (other for other in http if getattr(other.cycle, "response_complete", True))
        if (one := next(idle, None)) is not None:
            self.connections.discard(one)
            one.transport.abort()

    def data_received(self, data: bytes) -> None:
        if not data.isascii() and self._begins_request():
            data = with_escaped_target(data)
        super().data_received(data)
        if self._in_head and not self.transport.is_closing():
            self._head += len(data)
            if self._head > HEAD_BYTES:
                self.transport.write(_TOO_LONG)
                self.transport.close()

    def _begins_request(self) -> bool:
        """Whether a request begins with the next byte."""
        return not self._in_head and getattr(self.cycle, "response_complete", True)

    def send_400_response(self, msg: str) -> None:
        self.transport.write(malformed())
        self.transport.close()

    def on_message_begin(self) -> None:
        self._in_head = True
        self._head = self._size = self._size_of_parameters = self._hosts = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value))
        self._hosts += name.lower() == b"host"
        if name.lower() in WITH_PARAMETERS:
            self._size_of_parameters += len(value)
            if self._size_of_parameters > PARAMETERS_BYTES:
                raise ValueError("a header is too long")
        super().on_header(name, value)

    def _count(self, size: int) -> None:
        self._size += size
        if self._size > HEAD_BYTES:
            raise ValueError("the head is too long")

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._heard()
        if self._hosts > 1 or (self._hosts == 0 and self.parser.get_http_version() != "1.0"):
            raise ValueError("the head does not name one host (RFC 9112, 3.2)")
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._heard()
        super().connection_lost(exc)

    def _heard(self) -> None:
        if self._silent is not None:
            self._silent.cancel()
            self._silent = None
