"""The web process's endpoints over HTTP, in the test's own process, and the official client of MCP for them."""

import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import httpx2
from django.db import connections
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from config.direct import DirectApplication


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Nothing."""


class _Server(ThreadingMixIn, WSGIServer):
    """Each call in a thread, whose connection ends with it."""

    daemon_threads = False
    block_on_close = True

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            connections.close_all()


@contextmanager
def served() -> Iterator[str]:
    """The address of the endpoints. What the test commits they see: `django_db(transaction=True)`."""
    direct = DirectApplication(everything_else=lambda environ, start_response: [])
    with make_server("127.0.0.1", 0, direct, server_class=_Server, handler_class=_Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@asynccontextmanager
async def connected(url: str, token: str, *, agent: str | None = None, mode: str = "auto") -> AsyncIterator[Client]:
    """The official client at `POST /mcp`. `mode`: "auto" finds the newest protocol, "legacy" begins by handshake."""
    headers = {"Authorization": f"Bearer {token}", **({"X-Service-Agent": agent} if agent else {})}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(f"{url}/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:
            yield client
