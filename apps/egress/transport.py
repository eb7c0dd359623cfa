"""The guarded transport of all synchronous calls: one exchange at a time, whoever asks for it.

`single.py` (files, pages, providers) and `sdk.py` (the HTTP library of vendors' SDKs) are its two faces. Three limits
hold whatever the other side does: the connection goes to a vetted address and no other; the exchange ends by the
deadline of its route, however slowly the bytes drip; the head and each chunk of the body have a size limit on the wire.
A connection may be kept for its owner's next exchange (`kept.py`), which brings a route of its own.
"""

import errno
import io
import os
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cache
from http.client import HTTPException
from typing import Any

from urllib3 import BaseHTTPResponse, HTTPHeaderDict
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError
from urllib3.exceptions import SSLError as PoolSSLError

from apps.egress import kept
from apps.egress.addresses import read_address
from apps.egress.errors import EgressRefused
from apps.egress.loops import READABLE, WRITABLE, is_on_loop, until_ready
from apps.egress.resolution import admit
from apps.egress.routes import Deadline, Route
from apps.egress.tls import client_context

CONNECT_SECONDS = 5.0
MAX_ADDRESSES_TRIED = 4
CHUNK_BYTES = 64 * 1024
# Bytes on the wire for one chunk of body: in pieces of one byte, chunked encoding is six times its content.
MAX_WIRE_BYTES_A_CHUNK = 8 * CHUNK_BYTES

# Their requests have no length where they have no body.
_WITHOUT_BODY = frozenset({"GET", "HEAD"})
# The errors of a connection that the other side has closed.
_CLOSED = (ConnectionError, ssl.SSLEOFError, ssl.SSLZeroReturnError)


@contextmanager
def exchange(
    method: str, route: Route, headers: Mapping[str, str], body: bytes | None, *, owner: bytes | None = None
) -> "Iterator[RawResponse]":
    """One request and the head of its answer, on a connection of its own, which ends with the block.

    It sends `headers`, with a `User-Agent` where they have none. It takes nothing from the environment (no proxy, no
    credential) and follows nothing. With an `owner` the connection is kept for the owner's next exchange with the host,
    if the answer was read to its end and nothing came behind it. Nothing is sent twice, but on a kept connection that
    the server closed before a byte of its answer: then it was closing, and a new one is opened. Raises EgressRefused.
    """
    sent = HTTPHeaderDict({"User-Agent": "Parley"})
    for name, value in headers.items():
        sent[name] = value
    sent["Accept-Encoding"] = "identity"
    if body or method not in _WITHOUT_BODY:
        sent["Content-Length"] = str(len(body or b""))
    connection, response = _begin(method, route, sent, body, owner)
    is_kept = False
    try:
        with closing(response):
            answer = RawResponse(response, route)
            yield answer
        is_kept = answer.is_whole and connection.is_reusable
    finally:
        if owner is not None and is_kept:
            kept.connections.keep(owner, route.target, route.connected_to, route.allow, connection)
        else:
            connection.close()


def _begin(
    method: str, route: Route, headers: HTTPHeaderDict, body: bytes | None, owner: bytes | None
) -> "tuple[_PinnedHTTPConnection, BaseHTTPResponse]":
    """A connection on which the request went out, and the head of its answer."""
    if owner is not None:
        connection = kept.connections.take(owner, route.target, route.addresses, route.allow)
        if isinstance(connection, _PinnedHTTPConnection):
            connection.follow(route)
            try:
                return connection, _ask(connection, method, headers, body)
            except _HungUp:
                pass  # it was closing while it was idle
    connection = _connection_of(route)
    return connection, _ask(connection, method, headers, body)


def _ask(
    connection: "_PinnedHTTPConnection", method: str, headers: HTTPHeaderDict, body: bytes | None
) -> BaseHTTPResponse:
    """The head of an answer. Raises EgressRefused, _HungUp before a byte of it; then the connection is closed."""
    with ExitStack() as unless_answered:
        unless_answered.callback(connection.close)
        try:
            if connection.sock is None:
                connection.connect()
            path = connection.route.target.path
            # A receiver may hang up on a body that it does not want, and have answered.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.request(
                    method, path, body=body, headers=headers, preload_content=False, decode_content=False
                )
            response = connection.getresponse()
        except (HTTPError, HTTPException, OSError) as error:
            if isinstance(error, _CLOSED) and not connection.route.has_received:
                raise _HungUp(_reason(error)) from None
            raise EgressRefused(_reason(error)) from None
        unless_answered.pop_all()
        return response


def certificate_end(route: Route) -> float:
    """The end of the certificate that the route's server shows, in seconds since the epoch; nothing is sent to it.

    Raises EgressRefused: `tls` for a certificate that is not valid for the host, now.
    """
    with closing(_connection_of(route)) as connection:
        connection.connect()
        shown = connection.sock.getpeercert() if isinstance(connection.sock, ssl.SSLSocket) else None
    if not shown:
        raise EgressRefused("not_https")
    return ssl.cert_time_to_seconds(str(shown["notAfter"]))


class _HungUp(EgressRefused):
    """The server closed the connection before a byte of its answer."""


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return "tls"
    return "timeout" if isinstance(error, TimeoutError) else "broken_answer"


class RawResponse:
    """The head of an answer, and its body in chunks as they are asked for. `headers` ignore case.

    `is_whole` once the body was read to its end.
    """

    def __init__(self, response: BaseHTTPResponse, route: Route) -> None:
        self.status = response.status
        self.headers: Mapping[str, str] = response.headers
        self.is_whole = False
        self._response = response
        self._route = route

    def read(self) -> bytes:
        """The next chunk, of at most 64 KiB, as it was sent; none at the end. Raises EgressRefused."""
        # Not `stream()`: its reader of chunked bodies takes a chunk-size line of any length into memory.
        return self._bounded(self._response.read)

    def read_some(self) -> bytes:
        """The bytes that have arrived by now, or come next: as `read`, but it does not wait for a whole chunk."""
        return self._bounded(self._response.read1)

    def _bounded(self, read: Callable[..., bytes]) -> bytes:
        """Bounded on the wire, since http.client reads a chunk of negative size up to the end of the connection."""
        self._route.bytes_left = MAX_WIRE_BYTES_A_CHUNK
        try:
            chunk = read(CHUNK_BYTES, decode_content=False)
        except (HTTPError, HTTPException, OSError, ValueError):
            raise EgressRefused("broken_answer") from None
        self.is_whole = not chunk and self._response.closed
        return chunk


class _AnswerBytes(socket.SocketIO):
    is_over = False

    def __init__(self, bounded: "_Bounded") -> None:
        super().__init__(bounded, "r")  # type: ignore[arg-type]
        self.bounded = bounded

    def readinto(self, buffer: Any) -> int | None:
        return 0 if self.is_over else super().readinto(buffer)


class _AnswerReader(io.BufferedReader):
    """http.client reads an answer from it and closes it behind the answer: then it notes whether more was there."""

    def close(self) -> None:
        raw = self.raw
        if not self.closed and isinstance(raw, _AnswerBytes):
            raw.is_over = True  # so that nothing is waited for
            raw.bounded.has_more = raw.bounded.has_more or bool(self.peek(1))
        super().close()


class _Bounded:
    """Makes every read and write of a socket end by the route's deadline, however slowly the bytes drip."""

    route: Route | None = None
    has_more = False
    """Whether bytes came behind an answer, which nobody has read."""

    def makefile(self, mode: str = "r", buffering: int | None = None, **kwargs: Any) -> Any:
        if mode != "rb" or buffering is not None:
            return super().makefile(mode, buffering, **kwargs)  # type: ignore[misc]
        self._io_refs += 1  # type: ignore[attr-defined]
        return _AnswerReader(_AnswerBytes(self))

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        received: int = self._in_time(super().recv_into, READABLE, *args, **kwargs)  # type: ignore[misc]
        if self.route is not None:
            self.route.count(received)
        return received

    def send(self, *args: Any, **kwargs: Any) -> int:
        sent: int = self._in_time(super().send, WRITABLE, *args, **kwargs)  # type: ignore[misc]
        return sent

    def sendall(self, data: Any, *args: Any) -> None:
        if not is_on_loop():
            self._in_time(super().sendall, WRITABLE, data, *args)  # type: ignore[misc]
            return
        left = memoryview(data).cast("B")
        while left:
            left = left[self.send(left, *args) :]

    def _in_time(self, move: Callable[..., Any], events: int, *args: Any, **kwargs: Any) -> Any:
        """The result of `move`, by the route's deadline. Raises EgressRefused."""
        try:
            if self.route is None:
                return move(*args, **kwargs)
            if not is_on_loop():
                self.settimeout(self.route.deadline.left())  # type: ignore[attr-defined]
                return move(*args, **kwargs)
            return _on_loop(self, self.route.deadline, move, events, *args, **kwargs)
        except TimeoutError:
            raise EgressRefused("timeout") from None


def _on_loop(
    opened: Any, deadline: "Deadline", move: Callable[..., Any], events: int, *args: Any, **kwargs: Any
) -> Any:
    """The result of `move` once the socket is ready for it. Raises TimeoutError and EgressRefused."""
    opened.settimeout(0.0)
    while True:
        left = deadline.left()
        try:
            return move(*args, **kwargs)
        except ssl.SSLWantReadError:
            until_ready(opened, READABLE, left)
        except ssl.SSLWantWriteError:
            until_ready(opened, WRITABLE, left)
        except BlockingIOError:
            until_ready(opened, events, left)


class _BoundedSocket(_Bounded, socket.socket):
    pass


class _BoundedTLSSocket(_Bounded, ssl.SSLSocket):
    def do_handshake(self, block: bool = False) -> None:
        """Shakes hands within the time that the socket has for each step."""
        seconds = self.gettimeout()
        if not seconds or not is_on_loop():
            super().do_handshake(block)
            return
        _on_loop(self, Deadline(seconds), super().do_handshake, READABLE)
        self.settimeout(seconds)


@cache
def bounded_context() -> ssl.SSLContext:
    """The TLS context whose sockets obey a route, once it is set (`route`)."""
    context = client_context()
    context.sslsocket_class = _BoundedTLSSocket
    return context


class _PinnedHTTPConnection(HTTPConnection):
    """Connects to the route's vetted addresses, whatever the host name says by now."""

    def __init__(self, *args: Any, route: Route, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.route = route

    def follow(self, route: Route) -> None:
        """Goes on with the exchange of another route to the same target, as it is connected."""
        route.connected_to = self.route.connected_to
        opened: Any = self.sock
        self.route = opened.route = route

    @property
    def is_reusable(self) -> bool:
        """Whether the server lets another request follow, and sent nothing behind its answer."""
        return isinstance(self.sock, _Bounded) and not self.sock.has_more

    def _new_conn(self) -> socket.socket:
        return connect(self.route)


class _PinnedHTTPSConnection(_PinnedHTTPConnection, HTTPSConnection):
    """The same with TLS, in which the name sent and the certificate's name are the URL's host."""

    def connect(self) -> None:
        try:
            super().connect()
        except TimeoutError:
            raise EgressRefused("timeout") from None
        except (OSError, PoolSSLError):
            raise EgressRefused("tls") from None
        if isinstance(self.sock, _BoundedTLSSocket):
            self.sock.route = self.route


def _connection_of(route: Route) -> _PinnedHTTPConnection:
    host, port, seconds = route.target.host, route.target.port, route.deadline.left()
    if route.target.scheme == "http":
        return _PinnedHTTPConnection(host, port, timeout=seconds, route=route)
    context = bounded_context()
    return _PinnedHTTPSConnection(
        host, port, timeout=seconds, cert_reqs="CERT_REQUIRED", ssl_context=context, route=route
    )


def connect(route: Route) -> socket.socket:
    """A connection to the first vetted address that accepts one. Raises EgressRefused."""
    reason = "connect_failed"
    connect_until = time.monotonic() + CONNECT_SECONDS
    for address in route.addresses[:MAX_ADDRESSES_TRIED]:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        connection = _BoundedSocket(family, socket.SOCK_STREAM)
        try:
            seconds = max(0.001, min(route.deadline.left(), connect_until - time.monotonic()))
            _connect(connection, (address, route.target.port), seconds)
            _check_peer(connection, address, route)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.settimeout(route.deadline.left())
        except TimeoutError:
            reason = "timeout"
        except OSError:
            reason = "connect_failed"
        except EgressRefused:
            connection.close()
            raise
        else:
            connection.route, route.connected_to = route, address
            return connection
        connection.close()
    raise EgressRefused(reason)


def _connect(connection: socket.socket, address: tuple[str, int], seconds: float) -> None:
    """Connects within so many seconds. Raises OSError, TimeoutError among them."""
    if not is_on_loop():
        connection.settimeout(seconds)
        connection.connect(address)
        return
    connection.settimeout(0.0)
    code = connection.connect_ex(address)
    if code == errno.EINPROGRESS:
        until_ready(connection, WRITABLE, seconds)
        code = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if code:
        raise OSError(code, os.strerror(code))


def _check_peer(connection: socket.socket, address: str, route: Route) -> None:
    """The other end must be the vetted address itself: not what a rule of the network stack made of it."""
    peer = connection.getpeername()[0]
    if read_address(peer) != read_address(address):
        raise EgressRefused("private_address")
    admit(route.target, (peer,), route.allow)
