"""The web server speaks HTTP/1 only: of HTTP/2 in the clear, one unfinished body would hold its worker for good."""

import socket
from contextlib import ExitStack

import pytest

from tests.run.service import Service

pytestmark = pytest.mark.e2e

# More than the web processes have threads.
CONNECTIONS = 8


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload


def unfinished_post(path: str) -> bytes:
    """What a client with prior knowledge of HTTP/2 sends, up to the middle of a body of 100 bytes."""

    def literal(index: bytes, value: str) -> bytes:
        return index + bytes([len(value)]) + value.encode()

    headers = b"\x83\x86" + literal(b"\x04", path) + literal(b"\x01", "localhost")  # POST, http, the path, the host
    headers += literal(b"\x0f\x10", "application/json") + literal(b"\x0f\x0d", "100")  # content-type, content-length
    settings, post, data = frame(4, 0, 0, b""), frame(1, 4, 1, headers), frame(0, 0, 1, b'{"name": ')
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings + post + data


def test_http2_is_refused_and_the_workers_go_on(running_service: Service) -> None:
    service = running_service
    guid = service.demo["accounts"][0]["widgets"][0]["guid"]
    with ExitStack() as connections:
        for _ in range(CONNECTIONS):
            connection = connections.enter_context(socket.create_connection(("127.0.0.1", service.port), timeout=10))
            connection.sendall(unfinished_post(f"/widget/{guid}/sessions"))
            assert connection.recv(65_536).startswith(b"HTTP/1.1 400 ")
            assert connection.recv(65_536) == b"", "closed"
        assert [service.get("/healthz")[0] for _ in range(CONNECTIONS)] == [200] * CONNECTIONS
