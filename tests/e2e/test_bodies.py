"""Bodies through the real web server: in chunks, cut off, and larger than anything takes."""

import socket
import uuid
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
import requests

from tests.run.service import Service

pytestmark = pytest.mark.e2e

MB = 1024 * 1024
FORM = b'--b\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n\r\n%s\r\n--b--\r\n'


def in_chunks(body: bytes, size: int = 65_536) -> Iterator[bytes]:
    """Makes `requests` send a body in chunks, without a length."""
    return (body[start : start + size] for start in range(0, len(body), size))


def test_bodies_come_in_either_framing_and_too_large_ones_are_answered(running_service: Service) -> None:
    demo = running_service.demo
    widget = demo["accounts"][0]["widgets"][0]
    contact = f"/api/v1/contacts/{widget['path_ids']['contact']}"

    def headers(kind: str) -> dict[str, str]:
        token = widget["tokens"]["all"]
        key = uuid.uuid4().hex
        return {"Authorization": f"Bearer {token}", "X-Service-Idempotency-Key": key, "Content-Type": kind}

    def send(method: str, path: str, body: object, kind: str = "application/json") -> requests.Response:
        return requests.request(method, running_service.url + path, data=body, headers=headers(kind), timeout=30)

    def name() -> str:
        return str(requests.get(running_service.url + contact, headers=headers(""), timeout=30).json()["data"]["name"])

    changed = send("PATCH", contact, in_chunks(b'{"name": "In chunks"}', 4))
    assert (changed.status_code, name()) == (200, "In chunks")
    assert send("PATCH", contact, in_chunks(b"{", 1)).json()["code"] == "invalid_json"
    kept = send("POST", "/api/v1/files", in_chunks(FORM % (b"a.txt", b"z" * MB)), "multipart/form-data; boundary=b")
    assert (kept.status_code, kept.json()["data"]["size"]) == (201, MB)

    for size in (2 * MB, 30 * MB):
        for body in (bytes(size), in_chunks(bytes(size))):
            refused = send("PATCH", contact, body)
            assert (refused.status_code, refused.json()["code"]) == (413, "body_too_large")
    refused = send("POST", "/api/v1/files", in_chunks(FORM % (b"a", bytes(11 * MB))), "multipart/form-data; boundary=b")
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["file"])
    refused = send("POST", "/api/v1/no-such-thing", b"{}")
    assert refused.json()["code"] == "not_found"

    address = urlsplit(running_service.url)
    lines = [f"PATCH {contact} HTTP/1.1", f"Host: {address.netloc}", "Content-Length: 100"]
    lines += [f"{header}: {value}" for header, value in headers("application/json").items()]
    with socket.create_connection((str(address.hostname), address.port or 80), timeout=30) as connection:
        connection.sendall("\r\n".join([*lines, "", '{"name": "Cut off"}']).encode())
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(65_536) == b"", "a body that is cut off is not answered"
    assert name() == "In chunks"
