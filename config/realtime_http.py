"""HTTP as the realtime process speaks it: a connection that does not say what it wants is closed.

uvicorn waits for the first request of a connection without end; its own deadline begins after an answer.
"""

import asyncio
import resource
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

REQUEST_WITHIN_S = 15.0
# Of the files that the process may have open, those that are left to everything but clients: servers, files, logs.
OTHER_FILES = 100


def most_connections() -> int:
    """How many clients may be connected: at least half of all the files that may be open."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(files // 2, files - OTHER_FILES)


class HttpProtocol(HttpToolsProtocol):
    """uvicorn's, with a deadline for the whole head of the first request, slowly sent ones among them.

    When there are as many connections as may be, a new one takes the place of one that asks for nothing.
    """

    _silent: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        if len(self.connections) >= most_connections():
            self._make_room()
        super().connection_made(transport)
        self._silent = self.loop.call_later(REQUEST_WITHIN_S, transport.abort)

    def _make_room(self) -> None:
        http = (other for other in self.connections if isinstance(other, HttpToolsProtocol))
        idle = (other for other in http if other.cycle is None or other.cycle.response_complete)
        if (one := next(idle, None)) is not None:
            self.connections.discard(one)
            one.transport.abort()

    def on_headers_complete(self) -> None:
        self._heard()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._heard()
        super().connection_lost(exc)

    def _heard(self) -> None:
        if self._silent is not None:
            self._silent.cancel()
            self._silent = None
