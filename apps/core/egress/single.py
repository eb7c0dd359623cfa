"""Single outbound calls, over `requests`: files by URL, web pages for the knowledge base, providers' calls.

Four limits hold whatever the other side does: the connection goes to a vetted address and no other; the whole exchange,
redirects and name look-ups included, ends by one deadline; the head and the body have a size limit each; and a body is
taken only as it is (no content encoding, so nothing can inflate).
"""

import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any
from urllib.parse import urljoin

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import HTTPError
from urllib3.exceptions import SSLError as PoolSSLError

from apps.core.egress.addresses import read_address
from apps.core.egress.allowlist import AllowList, configured_allow_list
from apps.core.egress.bulkhead import refuse_in_transaction
from apps.core.egress.errors import EgressRefused, InvalidUrl
from apps.core.egress.resolution import LOOKUP_SECONDS, Lookup, admit, resolve, system_lookup
from apps.core.egress.targets import Target, parse_target
from apps.core.egress.tls import client_context

TOTAL_SECONDS = 15.0
CONNECT_SECONDS = 5.0
MAX_HEAD_BYTES = 128 * 1024
MAX_ADDRESSES_TRIED = 4
CHUNK_BYTES = 64 * 1024
# Bytes on the wire for one chunk of body: in pieces of one byte, chunked encoding is six times its content.
MAX_WIRE_BYTES_A_CHUNK = 8 * CHUNK_BYTES

_REDIRECTS = frozenset(
    {
        HTTPStatus.MOVED_PERMANENTLY,
        HTTPStatus.FOUND,
        HTTPStatus.SEE_OTHER,
        HTTPStatus.TEMPORARY_REDIRECT,
        HTTPStatus.PERMANENT_REDIRECT,
    }
)
# Headers that may follow a redirect to another origin. Everything else may be a credential.
_HEADERS_FOR_OTHER_ORIGINS = frozenset({"accept", "accept-language", "user-agent"})


@dataclass(frozen=True, slots=True)
class Response:
    """A whole answer. `headers` ignore case; `url` is where the answer came from."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str


def fetch(
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
    timeout: float = TOTAL_SECONDS,
    max_bytes: int,
    redirects: int = 0,
    lookup: Lookup = system_lookup,
) -> Response:
    """One call, answered whole: at most `timeout` seconds in all and `max_bytes` of body.

    Any status is an answer, also a redirect beyond `redirects`. Raises InvalidUrl and EgressRefused.
    """
    with open_stream(
        method,
        url,
        headers=headers,
        body=body,
        timeout=timeout,
        max_bytes=max_bytes,
        redirects=redirects,
        lookup=lookup,
    ) as stream:
        return Response(stream.status, stream.headers, b"".join(stream), stream.url)


@contextmanager
def open_stream(
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
    timeout: float = TOTAL_SECONDS,
    max_bytes: int,
    redirects: int = 0,
    lookup: Lookup = system_lookup,
) -> "Iterator[Stream]":
    """One call, its body in chunks as they come. The deadline runs on while the caller works on a chunk.

    At most `redirects` redirects are followed (GET and HEAD only), each to a URL read, resolved and checked like the
    first; to another origin no header goes along that may be a credential. Raises InvalidUrl for the URL given and
    EgressRefused for all else, from here or from reading the stream, and RuntimeError inside a transaction.
    """
    refuse_in_transaction()
    if redirects and method not in ("GET", "HEAD"):
        raise ValueError("only GET and HEAD may follow redirects")
    deadline = _Deadline(timeout)
    allow = configured_allow_list()
    target = parse_target(url, allow)
    sent_headers = dict(headers or {})
    while True:
        addresses = resolve(target, allow=allow, lookup=lookup, timeout=min(LOOKUP_SECONDS, deadline.left()))
        route = _Route(target, addresses, allow, deadline)
        with _exchange(method, route, sent_headers, body) as answer:
            location = answer.headers.get("Location")
            if answer.status_code not in _REDIRECTS or location is None or redirects == 0:
                yield Stream(answer, route, max_bytes)
                return
        redirects -= 1
        following = _follow(target, location, allow)
        if following.origin != target.origin:
            sent_headers = {
                name: value for name, value in sent_headers.items() if name.lower() in _HEADERS_FOR_OTHER_ORIGINS
            }
        target = following


class Stream:
    """An answer under way: `status`, `headers` (ignoring case), `url`, and the body as an iterator of chunks."""

    def __init__(self, answer: requests.Response, route: "_Route", max_bytes: int) -> None:
        self.status = answer.status_code
        self.headers: Mapping[str, str] = answer.headers
        self.url = route.target.url
        self._raw = answer.raw
        self._route = route
        self._max_bytes = max_bytes

    def __iter__(self) -> Iterator[bytes]:
        """Chunks of at most 64 KiB. Raises EgressRefused: too_large, encoded_body, timeout, broken_answer."""
        if self.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
            raise EgressRefused("encoded_body")
        declared = self.headers.get("Content-Length", "")
        if declared.isdecimal() and int(declared[:20]) > self._max_bytes:
            raise EgressRefused("too_large")
        received = 0
        while chunk := self._read():
            received += len(chunk)
            if received > self._max_bytes:
                raise EgressRefused("too_large")
            yield chunk

    def _read(self) -> bytes:
        try:
            # Not raw.stream(): its reader of chunked bodies takes a chunk-size line of any length into memory. And
            # bounded on the wire, since http.client reads a chunk of negative size up to the end of the connection.
            self._route.bytes_left = MAX_WIRE_BYTES_A_CHUNK
            data: bytes = self._raw.read(CHUNK_BYTES, decode_content=False)
        except (HTTPError, OSError, ValueError):
            raise EgressRefused("broken_answer") from None
        return data


def _follow(target: Target, location: str, allow: AllowList) -> Target:
    try:
        return parse_target(urljoin(target.url, location), allow)
    except ValueError:
        raise EgressRefused("bad_redirect") from None
    except InvalidUrl as error:
        raise EgressRefused("not_https" if error.reason == "not_https" else "bad_redirect") from None


@contextmanager
def _exchange(
    method: str, route: "_Route", headers: Mapping[str, str], body: bytes | None
) -> Iterator[requests.Response]:
    """One request and the head of its answer, on a connection of its own."""
    with _Session() as session:
        session.trust_env = False
        session.headers = requests.structures.CaseInsensitiveDict({"User-Agent": "Parley"})
        session.mount(f"{route.target.scheme}://", _PinnedAdapter(route))
        request = session.prepare_request(
            requests.Request(method, route.target.url, headers={**headers, "Accept-Encoding": "identity"}, data=body)
        )
        try:
            answer = session.send(request, stream=True, allow_redirects=False, timeout=route.deadline.left())
        except requests.RequestException as error:
            raise EgressRefused(_reason(error)) from None
        except (HTTPError, OSError):
            raise EgressRefused("broken_answer") from None
        with answer:
            yield answer


def _reason(error: requests.RequestException) -> str:
    if isinstance(error, requests.exceptions.SSLError):
        return "tls"
    if isinstance(error, requests.Timeout):
        return "timeout"
    return "broken_answer"


class _Deadline:
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
class _Route:
    """The addresses to which one exchange may connect, its deadline, and how many bytes it may read before it is asked
    again.

    First those are the head's; then each chunk of body has its own.
    """

    target: Target
    addresses: tuple[str, ...]
    allow: AllowList
    deadline: _Deadline
    bytes_left: int = MAX_HEAD_BYTES

    def count(self, received: int) -> None:
        self.bytes_left -= received
        if self.bytes_left < 0:
            raise EgressRefused("too_large")


class _Bounded:
    """Makes every read and write of a socket end by the route's deadline, however slowly the bytes drip."""

    route: _Route | None = None

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
def _context() -> ssl.SSLContext:
    context = client_context()
    context.sslsocket_class = _BoundedTLSSocket
    return context


class _PinnedHTTPConnection(HTTPConnection):
    """Connects to the route's vetted addresses, whatever the host name says by now."""

    def __init__(self, *args: Any, route: _Route, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._route = route

    def _new_conn(self) -> socket.socket:
        return _connect(self._route)


class _PinnedHTTPSConnection(HTTPSConnection):
    """The same with TLS, in which the name sent and the certificate's name are the URL's host."""

    def __init__(self, *args: Any, route: _Route, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._route = route

    def _new_conn(self) -> socket.socket:
        return _connect(self._route)

    def connect(self) -> None:
        try:
            super().connect()
        except TimeoutError:
            raise EgressRefused("timeout") from None
        except (OSError, PoolSSLError):
            raise EgressRefused("tls") from None
        if isinstance(self.sock, _BoundedTLSSocket):
            self.sock.route = self._route


class _PinnedHTTPPool(HTTPConnectionPool):
    ConnectionCls = _PinnedHTTPConnection


class _PinnedHTTPSPool(HTTPSConnectionPool):
    ConnectionCls = _PinnedHTTPSConnection


class _Session(requests.Session):
    def get_redirect_target(self, resp: requests.Response) -> None:
        """None: otherwise requests, also with redirects off, reads and inflates a redirect's whole body first."""


class _PinnedAdapter(HTTPAdapter):
    """Sends every request of its session over one route."""

    def __init__(self, route: _Route) -> None:
        super().__init__(max_retries=0)
        host, port = route.target.host, route.target.port
        self._pool: HTTPConnectionPool
        if route.target.scheme == "https":
            self._pool = _PinnedHTTPSPool(host, port, cert_reqs="CERT_REQUIRED", ssl_context=_context(), route=route)
        else:
            self._pool = _PinnedHTTPPool(host, port, route=route)

    def get_connection_with_tls_context(self, *_: Any, **__: Any) -> HTTPConnectionPool:
        return self._pool

    def cert_verify(self, *_: Any, **__: Any) -> None:
        """Nothing to set: the pool's context already requires a certificate, and reading the roots is slow."""

    def close(self) -> None:
        self._pool.close()
        super().close()


def _connect(route: _Route) -> socket.socket:
    """A connection to the first vetted address that accepts one. Raises EgressRefused."""
    refusal = EgressRefused("connect_failed")
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
            refusal = EgressRefused("timeout")
        except OSError:
            refusal = EgressRefused("connect_failed")
        except EgressRefused:
            connection.close()
            raise
        else:
            connection.route = route
            return connection
        connection.close()
    raise refusal


def _check_peer(connection: socket.socket, address: str, route: _Route) -> None:
    """The other end must be the vetted address itself: not what a rule of the network stack made of it."""
    peer = connection.getpeername()[0]
    if read_address(peer) != read_address(address):
        raise EgressRefused("private_address")
    admit(route.target, (peer,), route.allow)
