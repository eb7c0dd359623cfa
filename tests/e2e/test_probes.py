"""Probes of the real processes behind https and a proxy: by address, over http, with any Host or none."""

import socket

import pytest
from django.conf import settings

from apps.extraction import active_layers
from tests.run.service import Service

pytestmark = pytest.mark.e2e

HOSTS = ["127.0.0.1", "10.1.2.3:8000", "pod-4711", None]


def probe(port: int, path: str, host: str | None, headers: str = "") -> tuple[int, bytes]:
    """Status and body of a GET as simple a probe sends it: HTTP/1.0 if there is no Host."""
    version, host_line = ("1.0", "") if host is None else ("1.1", f"Host: {host}\r\nConnection: close\r\n")
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(f"GET {path} HTTP/{version}\r\n{host_line}{headers}\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), body


@pytest.mark.slow
def test_they_need_no_host_and_no_https(stopped_service: Service) -> None:
    service = stopped_service
    service.start(
        PUBLIC_URL="https://chat.example.com",
        REALTIME_URL="wss://chat.example.com",
        TRUSTED_PROXIES="1",
        METRICS_TOKEN="scrape-me",
    )
    layers = {
        f'parley_sandbox_active{{layer="{layer}"}} {float(holds)}'.encode()
        for layer, holds in active_layers()._asdict().items()
    }
    token = "Authorization: Bearer scrape-me\r\n"
    for port in (service.port, service.realtime_port):
        for host in HOSTS:
            assert probe(port, "/healthz", host) == (
                200,
                f'{{"status": "ok", "version": "{settings.VERSION}"}}'.encode(),
            )
            status, body = probe(port, "/readyz", host)
            assert (status, b'"redis": "ok"' in body) == (200, True)
            status, body = probe(port, "/metrics", host, token)
            assert (status, b"parley_redis_errors_total" in body) == (200, True)
            assert {line for line in body.splitlines() if line.startswith(b"parley_sandbox_active")} == layers
            assert probe(port, "/metrics", host)[0] == 404
    assert probe(service.port, "/admin/login/", "pod-4711")[0] == 400, "nothing else is as lenient"
    assert probe(service.port, "/admin/login/", "chat.example.com")[0] == 301
