"""HTTP as the realtime process speaks it: a connection that does not say what it wants is closed.

uvicorn waits for the first request of a connection without end; its own deadline begins after an answer.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

REQUEST_WITHIN_S = 15.0


class HttpProtocol(HttpToolsProtocol):
    """uvicorn's, with a deadline for the whole head of the first request, slowly sent ones among them."""

    _silent: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._silent = self.loop.call_later(REQUEST_WITHIN_S, transport.abort)

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
