"""The guarded transport of all synchronous calls: one exchange at a time, whoever asks for it.

`single.py` (files, pages, providers) and `sdk.py` (the HTTP library of vendors' SDKs) are its two faces. Three limits
hold whatever the other side does: the connection goes to a vetted address and no other; the exchange ends by the
deadline of its route, however slowly the bytes drip; the head and each chunk of the body have a size limit on the wire.
"""

import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException
from typing import Any

from urllib3 import BaseHTTPResponse, HTTPHeaderDict
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError
from urllib3.exceptions import SSLError as PoolSSLError

from apps.egress.addresses import read_address
from apps.egress.allowlist import AllowList
from apps.egress.errors import EgressRefused
from apps.egress.resolution import admit
from apps.egress.targets import Target
from apps.egress.tls import client_context

CONNECT_SECONDS = 5.0
MAX_HEAD_BYTES = 128 * 1024
MAX_ADDRESSES_TRIED = 4
CHUNK_BYTES = 64 * 1024
# Bytes on the wire for one chunk of body: in pieces of one byte, chunked encoding is six times its content.
MAX_WIRE_BYTES_A_CHUNK = 8 * CHUNK_BYTES

# Their requests have no length where they have no body.
_WITHOUT_BODY = frozenset({"GET", "HEAD"})


class Deadline:
    """The moment by which a whole exchange has ended."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left, more than zero. Raises EgressRefused."""
        left = self._at - time.monotonic()
        if left <= 0:
            raise EgressRefused("timeout")
        return left


@dataclass(slots=True)
class Route:
    """The address of one exchange, its deadline, and how many bytes it may read before it is asked again.

    First those are the head's; then each chunk of body has its own.
    """

    target: Target
    addresses: tuple[str, ...]
    allow: AllowList
    deadline: Deadline
    bytes_left: int = MAX_HEAD_BYTES

    def count(self, received: int) -> None:
        self.bytes_left -= received
        if self.bytes_left < 0:
            raise EgressRefused("too_large")


@contextmanager
def exchange(method: str, route: Route, headers: Mapping[str, str], body: bytes | None) -> "Iterator[RawResponse]":
    """One request and the head of its answer, on a connection of its own, which ends with the block.

    It sends `headers`, with a `User-Agent` where they have none. It takes nothing from the environment (no proxy, no
    credential), follows nothing and tries nothing again. Raises EgressRefused.
    """
    sent = HTTPHeaderDict({"User-Agent": "Parley"})
    for name, value in headers.items():
        sent[name] = value
    sent["Accept-Encoding"] = "identity"
    if body or method not in _WITHOUT_BODY:
        sent["Content-Length"] = str(len(body or b""))
    with closing(_connection_of(route)) as connection:
        try:
            connection.connect()
            # A receiver may hang up on a body that it does not want, and have answered.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.request(
                    method, route.target.path, body=body, headers=sent, preload_content=False, decode_content=False
                )
            response = connection.getresponse()
        except (HTTPError, HTTPException, OSError) as error:
            raise EgressRefused(_reason(error)) from None
        with closing(response):
            yield RawResponse(response, route)


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


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return "tls"
    return "timeout" if isinstance(error, TimeoutError) else "broken_answer"


class RawResponse:
    """The head of an answer, and its body in chunks as they are asked for. `headers` ignore case."""

    def __init__(self, response: BaseHTTPResponse, route: Route) -> None:
        self.status = response.status
        self.headers: Mapping[str, str] = response.headers
        self._response = response
        self._route = route

    def read(self) -> bytes:
        """The next chunk, of at most 64 KiB, as it was sent; none at the end. Raises EgressRefused."""
        try:
            # Not `stream()`: its reader of chunked bodies takes a chunk-size line of any length into memory. And
            # bounded on the wire, since http.client reads a chunk of negative size up to the end of the connection.
            self._route.bytes_left = MAX_WIRE_BYTES_A_CHUNK
            return self._response.read(CHUNK_BYTES, decode_content=False)
        except (HTTPError, HTTPException, OSError, ValueError):
            raise EgressRefused("broken_answer") from None

    def read_some(self) -> bytes:
        """The bytes that have arrived by now, or come next: as `read`, but it does not wait for a whole chunk."""
        try:
            self._route.bytes_left = MAX_WIRE_BYTES_A_CHUNK
            return self._response.read1(CHUNK_BYTES, decode_content=False)
        except (HTTPError, HTTPException, OSError, ValueError):
            raise EgressRefused("broken_answer") from None


class _Bounded:
    """Makes every read and write of a socket end by the route's deadline, however slowly the bytes drip."""

    route: Route | None = None

    def _until_deadline(self) -> None:
        if self.route is not None:
            self.settimeout(self.route.deadline.left())  # type: ignore[attr-defined]

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self._until_deadline()
        try:
            received: int = super().recv_into(*args, **kwargs)  # type: ignore[misc]
        except TimeoutError:
            raise EgressRefused("timeout") from None
        if self.route is not None:
            self.route.count(received)
        return received

    def send(self, *args: Any, **kwargs: Any) -> int:
        self._until_deadline()
        try:
            sent: int = super().send(*args, **kwargs)  # type: ignore[misc]
        except TimeoutError:
            raise EgressRefused("timeout") from None
        return sent

    def sendall(self, *args: Any, **kwargs: Any) -> None:
        self._until_deadline()
        try:
            super().sendall(*args, **kwargs)  # type: ignore[misc]
        except TimeoutError:
            raise EgressRefused("timeout") from None


class _BoundedSocket(_Bounded, socket.socket):
    pass


class _BoundedTLSSocket(_Bounded, ssl.SSLSocket):
    pass


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
        self._route = route

    def _new_conn(self) -> socket.socket:
        return connect(self._route)


class _PinnedHTTPSConnection(HTTPSConnection):
    """The same with TLS, in which the name sent and the certificate's name are the URL's host."""

    def __init__(self, *args: Any, route: Route, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._route = route

    def _new_conn(self) -> socket.socket:
        return connect(self._route)

    def connect(self) -> None:
        try:
            super().connect()
        except TimeoutError:
            raise EgressRefused("timeout") from None
        except (OSError, PoolSSLError):
            raise EgressRefused("tls") from None
        if isinstance(self.sock, _BoundedTLSSocket):
            self.sock.route = self._route


def _connection_of(route: Route) -> HTTPConnection:
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
            connection.settimeout(max(0.001, min(route.deadline.left(), connect_until - time.monotonic())))
            connection.connect((address, route.target.port))
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
            connection.route = route
            return connection
        connection.close()
    raise EgressRefused(reason)


def _check_peer(connection: socket.socket, address: str, route: Route) -> None:
    """The other end must be the vetted address itself: not what a rule of the network stack made of it."""
    peer = connection.getpeername()[0]
    if read_address(peer) != read_address(address):
        raise EgressRefused("private_address")
    admit(route.target, (peer,), route.allow)
