"""Talks with servers that users named, by a protocol of the standard library: its socket, its deadlines and budgets.

Limits hold against a hostile server, too: a talk goes to a vetted address and no other, ends by its deadline as a whole
and each step of it by its own, and reads no more bytes and lines than it was given. `imap.py` and `smtp.py` speak over
it.
"""

import socket
from typing import Any, Protocol

from apps.egress.allowlist import configured_allow_list
from apps.egress.bulkhead import refuse_in_transaction
from apps.egress.errors import EgressRefused
from apps.egress.resolution import LOOKUP_SECONDS, Lookup, resolve, system_lookup
from apps.egress.routes import Deadline, Route
from apps.egress.targets import Target, parse_target
from apps.egress.transport import bounded_context, connect

STEP_BYTES = 1024 * 1024
STEP_LINES = 20_000


class Server(Protocol):
    """A server as its user described it. `uses_tls`: from the first byte; `starts_tls`: by a command."""

    @property
    def host(self) -> str: ...
    @property
    def port(self) -> int: ...
    @property
    def user(self) -> str: ...
    @property
    def password(self) -> str: ...
    @property
    def uses_tls(self) -> bool: ...
    @property
    def starts_tls(self) -> bool: ...


def server_url(server: Server) -> str:
    """The server as a URL that is vetted like any other; without TLS it is one of plain http."""
    host = f"[{server.host}]" if ":" in server.host else server.host
    return f"{'https' if server.uses_tls or server.starts_tls else 'http'}://{host}:{server.port}/"


class _TwoDeadlines(Deadline):
    """The moment by which the step under way has ended, and the whole talk at the latest."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.step = Deadline(seconds)

    def left(self) -> float:
        return min(super().left(), self.step.left())


class ServerTalk:
    """A connection to a server for `seconds` in all, name look-ups included, that reads `max_bytes` at most.

    Each step has `step_seconds`, and reads 1 MiB and 20,000 lines, unless it is given more. The caller closes the
    connection. Outside of transactions. Raises InvalidUrl and EgressRefused, also from the socket.
    """

    def __init__(
        self,
        server: Server,
        *,
        seconds: float,
        step_seconds: float,
        max_bytes: int,
        lookup: Lookup = system_lookup,
    ) -> None:
        refuse_in_transaction()
        self._server, self._step_seconds, self._max_bytes = server, step_seconds, max_bytes
        allow = configured_allow_list()
        self._clock = _TwoDeadlines(seconds)
        target = parse_target(server_url(server), allow)
        timeout = min(LOOKUP_SECONDS, self._clock.left())
        self._route = _TalkRoute(
            target, resolve(target, allow=allow, lookup=lookup, timeout=timeout), allow, self._clock
        )
        self._lines_left = STEP_LINES
        self.next_step()

    @property
    def target(self) -> Target:
        return self._route.target

    @property
    def bytes_left(self) -> int:
        """How many bytes the whole talk may still read."""
        return self._max_bytes - self._route.received

    def open(self) -> socket.socket:
        """The connection, by TLS where the server speaks it from the first byte."""
        opened = connect(self._route)
        return self.secured(opened) if self._server.uses_tls else opened

    def secured(self, opened: socket.socket) -> socket.socket:
        """The same connection, now by TLS with the server's name. Raises EgressRefused; then it is closed."""
        try:
            opened.settimeout(self._clock.left())
            secured = bounded_context().wrap_socket(opened, server_hostname=self._route.target.host)
        except TimeoutError:
            raise EgressRefused("timeout") from None
        except OSError:
            raise EgressRefused("tls") from None
        finally:
            opened.close()  # of a socket that is wrapped nothing is left here
        secured.route = self._route  # type: ignore[attr-defined] # it is one of the context's class
        return secured

    def next_step(self, *, max_bytes: int = STEP_BYTES) -> None:
        """Begins a step, such as a command and its answer, with a time and a budget of its own."""
        self._clock.step = Deadline(self._step_seconds)
        self._route.bytes_left = min(max_bytes, self.bytes_left)
        self._lines_left = STEP_LINES

    def shorten(self, step_seconds: float) -> None:
        """Gives the steps to come no more than so many seconds."""
        self._step_seconds = min(self._step_seconds, step_seconds)

    def expect(self, size: int) -> None:
        """Refuses so many bytes to come, before room is made for them."""
        if size > self._route.bytes_left:
            raise EgressRefused("too_large")

    def count_line(self) -> None:
        self._lines_left -= 1
        if self._lines_left < 0:
            raise EgressRefused("too_large")


class _TalkRoute(Route):
    """A route that knows how much came by it in all."""

    received = 0

    def count(self, received: int) -> None:
        self.received += received
        super().count(received)


class Securing:
    """Stands for the TLS context that a client of the standard library wants at STARTTLS."""

    def __init__(self, talk: ServerTalk) -> None:
        self._talk = talk

    def wrap_socket(self, opened: socket.socket, **_: Any) -> socket.socket:
        return self._talk.secured(opened)
