"""Many outbound calls at once, over one aiohttp session: deliveries of webhooks, messages to messengers."""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.connector import AddrInfoType
from yarl import URL

from apps.egress.addresses import is_public
from apps.egress.allowlist import AllowList, configured_allow_list
from apps.egress.errors import EgressRefused
from apps.egress.resolution import LOOKUP_SECONDS, Lookup, admit, resolve_async, system_lookup
from apps.egress.single import Response
from apps.egress.targets import DEFAULT_PORTS, Target, parse_target
from apps.egress.tls import shared_client_context

if TYPE_CHECKING:
    from aiohttp.connector import Connection

CONNECT_SECONDS = 5.0
TOTAL_SECONDS = 15.0
MAX_ANSWER_BYTES = 16 * 1024
AT_ONCE_BYTES = 64 * 1024
# Answers of status 1xx before the one that counts. Reading them is work, which others wait for.
MAX_INTERIM = 10
# A vetted look-up serves the connections opened in the next few seconds, so that a burst asks the resolver once.
VETTED_FOR_SECONDS = 5
# Shorter than the idle time after which common servers hang up: a delivery must not meet a connection just closing.
KEEP_ALIVE_SECONDS = 1.5


@dataclass(frozen=True, slots=True)
class DeliveryResponse:
    """A receiver's answer: the status, and the start of the body as text (undecodable bytes and NUL replaced)."""

    status: int
    excerpt: str


class GuardedSession:
    """`async with GuardedSession() as session`: calls addresses that users gave, each connection vetted.

    Keep one for a worker's life; it belongs to one event loop. Connections are kept alive for a moment (`keep_s`) and
    reused, which keeps them at the address that was vetted when they were opened. Proxies of the environment, cookies,
    redirects and decompression are off.
    """

    def __init__(self, *, lookup: Lookup = system_lookup, keep_s: float = KEEP_ALIVE_SECONDS) -> None:
        self._allow = configured_allow_list()
        self._lookup = lookup
        self._keep_s = keep_s
        self._sessions: dict[str, aiohttp.ClientSession] = {}

    async def __aenter__(self) -> Self:
        # Apart by scheme, since what an address may be depends on it and a connector does not tell its resolver.
        self._sessions = {scheme: self._open_session(scheme) for scheme in DEFAULT_PORTS}
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for session in self._sessions.values():
            await session.close()
        self._sessions = {}

    def _open_session(self, scheme: str) -> aiohttp.ClientSession:
        guard = _Guard(scheme, self._allow, self._lookup)
        connector = aiohttp.TCPConnector(
            resolver=guard,
            socket_factory=guard.open_socket,
            ssl=shared_client_context(),
            ttl_dns_cache=VETTED_FOR_SECONDS,
            keepalive_timeout=self._keep_s,
            limit=0,
        )
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"User-Agent": "Parley", "Accept": "*/*", "Accept-Encoding": "identity"},
            auto_decompress=False,
            trust_env=False,
            response_class=_FewInterim,
        )

    async def post(
        self,
        url: str,
        body: bytes,
        headers: Mapping[str, str],
        *,
        connect_timeout: float = CONNECT_SECONDS,
        total_timeout: float = TOTAL_SECONDS,
        max_answer_bytes: int = MAX_ANSWER_BYTES,
    ) -> DeliveryResponse:
        """POSTs `body` and reads at most `max_answer_bytes` of the answer, within `total_timeout` seconds in all.

        Any status is an answer, a redirect's too, and whatever becomes of the body behind it. Raises InvalidUrl for a
        URL that cannot be called and EgressRefused for all else; `is_permanent` says whether trying again makes sense.
        """
        session, address = self._where(url)
        with _refusals() as refused:
            async with session.post(
                address,
                data=body,
                headers=headers,
                allow_redirects=False,
                timeout=_timeout(connect_timeout, total_timeout),
            ) as answer:
                return DeliveryResponse(answer.status, await _read_excerpt(answer, max_answer_bytes))
        # Raised out here, so that no cause or context carries the URL, which may hold a secret, into a log.
        raise EgressRefused(refused[0])

    async def fetch(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
        timeout: float = TOTAL_SECONDS,
        max_bytes: int,
    ) -> Response:
        """One call, answered whole, as `egress.fetch`: at most `timeout` seconds in all and `max_bytes` of body.

        Any status is an answer, also a redirect. Raises InvalidUrl and EgressRefused.
        """
        session, address = self._where(url)
        with _refusals() as refused:
            async with session.request(
                method,
                address,
                data=BytesIO(body) if body and len(body) > AT_ONCE_BYTES else body,
                headers=headers,
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=timeout, connect=min(CONNECT_SECONDS, timeout)),
            ) as answer:
                return Response(answer.status, answer.headers, await _read_whole(answer, max_bytes), url)
        raise EgressRefused(refused[0])

    def _where(self, url: str) -> tuple[aiohttp.ClientSession, URL]:
        """The session that calls a URL, and the URL as it reads it. Raises InvalidUrl and EgressRefused."""
        if not self._sessions:
            raise RuntimeError("use GuardedSession with `async with`")
        scheme, address = _read(url, self._allow)
        return self._sessions[scheme], address


@contextmanager
def _refusals() -> Iterator[list[str]]:
    """Takes the errors of a call, and tells why it was refused."""
    refused: list[str] = []
    try:
        yield refused
    except TimeoutError:
        refused.append("timeout")
    except aiohttp.ClientSSLError:
        refused.append("tls")
    except aiohttp.ClientConnectorError as error:
        refused.append("private_address" if isinstance(error.os_error, _NotVetted) else "connect_failed")
    except (aiohttp.ClientError, OSError):
        refused.append("broken_answer")


class _FewInterim(aiohttp.ClientResponse):
    """aiohttp's, which reads at most MAX_INTERIM interim answers, not as many as come within the deadline."""

    async def start(self, connection: "Connection") -> aiohttp.ClientResponse:
        protocol, left = connection.protocol, MAX_INTERIM + 1
        assert protocol is not None  # noqa: S101 - it was connected just now
        read = protocol.read

        async def read_few() -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise aiohttp.ServerDisconnectedError("too many interim answers")
            return await read()

        protocol.read = read_few  # type: ignore[method-assign]
        try:
            return await super().start(connection)
        finally:
            del protocol.read


async def _read_excerpt(answer: aiohttp.ClientResponse, max_bytes: int) -> str:
    """The start of the body; what is longer is not read to its end: the connection is closed instead.

    So it is where the rest does not come, or breaks off: the receiver has answered by its status.
    """
    received = bytearray()
    try:
        async for chunk in answer.content.iter_any():
            received += chunk
            if len(received) > max_bytes:
                answer.close()
                break
    except (TimeoutError, aiohttp.ClientError, OSError):
        answer.close()
    return received[:max_bytes].decode(errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}")


async def _read_whole(answer: aiohttp.ClientResponse, max_bytes: int) -> bytes:
    """The body, as it is. Raises EgressRefused: too_large, encoded_body."""
    if answer.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
        raise EgressRefused("encoded_body")
    pieces, left = [], max_bytes
    while piece := await answer.content.read(AT_ONCE_BYTES):
        left -= len(piece)
        if left < 0:
            answer.close()
            raise EgressRefused("too_large")
        pieces.append(piece)
    return b"".join(pieces)


class _NotVetted(OSError):
    """A socket was asked for towards an address that no check let through."""


class _Guard(AbstractResolver):
    """Vets the addresses of every name, and every address once more at the moment a socket is opened towards it.

    The second check covers addresses that stand in the URL itself, for which a connector asks no resolver, and
    whatever a connector may have cached.
    """

    def __init__(self, scheme: str, allow: AllowList, lookup: Lookup) -> None:
        self._scheme = scheme
        self._allow = allow
        self._lookup = lookup
        self._permitted_by_name: set[tuple[str, int]] = set()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        target = Target(f"{self._scheme}://{host}:{port}/", self._scheme, host, port, is_literal=False)
        addresses = await resolve_async(target, allow=self._allow, lookup=self._lookup, timeout=LOOKUP_SECONDS)
        for address in addresses:
            if self._allow.permits(host, port, address):
                self._permitted_by_name.add((address, port))
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST,
            )
            for address in addresses
        ]

    def open_socket(self, address_info: AddrInfoType) -> socket.socket:
        family, kind, protocol, _, socket_address = address_info
        address, port = str(socket_address[0]), int(socket_address[1])
        is_permitted = (address, port) in self._permitted_by_name or self._allow.permits(address, port, address)
        if not (is_permitted or (self._scheme == "https" and is_public(address))):
            raise _NotVetted
        return socket.socket(family, kind, protocol)

    async def close(self) -> None:
        """Nothing is held."""


@lru_cache(maxsize=4096)
def _read(url: str, allow: AllowList) -> tuple[str, URL]:
    """The scheme and the parsed URL, read once for all deliveries to it. Raises InvalidUrl and EgressRefused."""
    target = parse_target(url, allow)
    if target.is_literal:
        admit(target, (target.host,), allow)
    return target.scheme, URL(target.url, encoded=True)


@lru_cache(maxsize=256)
def _timeout(connect: float, total: float) -> aiohttp.ClientTimeout:
    return aiohttp.ClientTimeout(total=total, connect=connect)
