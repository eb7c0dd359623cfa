"""The pulse of an event loop that serves calls: it shows that the loop turns."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from config.heartbeat import Pulse
from config.version import VERSION

HEALTHY = json.dumps({"status": "ok", "version": VERSION}).encode()
_HEADERS = [
    (b"content-type", b"application/json"),
    (b"content-length", str(len(HEALTHY)).encode()),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]


class Living:
    """An ASGI application whose loop answers `/healthz` itself, and has a pulse from its first call on.

    So the process lives whatever its threads wait for: a database that does not answer, for one.
    """

    def __init__(self, application: Application, role: str, folder: str) -> None:
        self._application, self._role, self._folder = application, role, folder
        self._pulse: Pulse | None = None

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if self._pulse is None:
            self._pulse = Pulse(self._role, self._folder)
            self._pulse.keep_beating_on(asyncio.get_running_loop())
        if scope["type"] == "http" and scope["path"] == "/healthz" and scope["method"] == "GET":
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await send({"type": "http.response.body", "body": HEALTHY})
            return
        await self._application(scope, receive, send)
