"""A bucket on loopback: a small server that speaks S3, checks every signature (SigV4), and may be made to be odd."""

import hashlib
import hmac
import os
import re
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qsl, quote, unquote, urlsplit

KEY_ID, SECRET, REGION, NAME = "AKIATESTTESTTEST", "s3cr3t/Planted+0123456789abcdefghijklmn", "eu-central-1", "files"
AUTHORIZATION = re.compile(r"AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})")

Oddity = Callable[["Handler"], None]


class Bucket(ThreadingHTTPServer):
    """Objects by key. `odd` is what becomes of every request instead of an answer, until it is None again."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.objects: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.odd: Oddity | None = None
        self.well = threading.Event()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def url(self) -> str:
        """What STORAGE_URL is for it."""
        return f"s3://{NAME}/parley?endpoint={self.endpoint}&addressing=path&region={REGION}"

    def heal(self) -> None:
        """It answers in order from now on, also what it has kept waiting."""
        self.odd = None
        self.well.set()

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.heal()
        self.shutdown()
        self.server_close()

    def handle_error(self, *_: Any) -> None:
        """Who hangs up, or is hung up on, is no failure."""


class Handler(BaseHTTPRequestHandler):
    server: Bucket
    protocol_version = "HTTP/1.1"

    def _answered(self) -> None:
        self.server.asked.append(f"{self.command} {urlsplit(self.path).path}")
        if self.server.odd is not None:
            self.server.odd(self)
        else:
            self.answer_in_order()

    do_GET = do_HEAD = do_PUT = do_DELETE = do_POST = _answered

    def answer_in_order(self) -> None:
        """As S3 would."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = unquote(urlsplit(self.path).path)
        code = self._refusal(body)
        if code is not None:
            self.refuse(403, code)
        elif not path.startswith(f"/{NAME}/"):
            self.refuse(404, "NoSuchBucket")
        else:
            self._do(path.removeprefix(f"/{NAME}/"), body)

    def _do(self, key: str, body: bytes) -> None:
        objects = self.server.objects
        if self.command == "PUT":
            objects[key] = body
            self.answer(200, headers={"ETag": f'"{hashlib.md5(body).hexdigest()}"'})
        elif self.command == "DELETE":
            objects.pop(key, None)
            self.answer(204)
        elif key not in objects:
            self.refuse(404, "NoSuchKey")
        else:
            self._give(objects[key])

    def _give(self, content: bytes) -> None:
        said = {name: value for name, value in self._query() if name.startswith("response-")}
        headers = {name.removeprefix("response-").title(): value for name, value in said.items()}
        headers = {"Content-Type": "binary/octet-stream", "Accept-Ranges": "bytes", **headers}
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if asked is None:
            self.answer(200, content, headers)
            return
        first, last = int(asked[1]), min(int(asked[2] or len(content)), len(content) - 1)
        headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
        self.answer(206, content[first : last + 1], headers)

    def answer(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuse(self, status: int, code: str) -> None:
        self.close_connection = True
        document = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>No.</Message></Error>"
        self.answer(status, document.encode(), {"Content-Type": "application/xml"})

    # The signature, as "Authenticating Requests (AWS Signature Version 4)" of S3's reference has it.

    def _query(self) -> list[tuple[str, str]]:
        return parse_qsl(urlsplit(self.path).query, keep_blank_values=True)

    def _refusal(self, body: bytes) -> str | None:
        query = dict(self._query())
        if "X-Amz-Signature" in query:
            credential, signed, given = (
                query[f"X-Amz-{name}"] for name in ("Credential", "SignedHeaders", "Signature")
            )
            at, payload = query["X-Amz-Date"], "UNSIGNED-PAYLOAD"
            age = datetime.now(UTC) - datetime.strptime(at, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
            if not timedelta(-60) < age <= timedelta(seconds=int(query["X-Amz-Expires"])):
                return "AccessDenied"
        elif found := AUTHORIZATION.fullmatch(self.headers.get("Authorization", "")):
            credential, signed, given = found.groups()
            at, payload = self.headers["X-Amz-Date"], self.headers["X-Amz-Content-SHA256"]
            if payload != hashlib.sha256(body).hexdigest():
                return "XAmzContentSHA256Mismatch"
        else:
            return "AccessDenied"
        if not credential.startswith(f"{KEY_ID}/"):
            return "InvalidAccessKeyId"
        scope = credential.partition("/")[2]
        expected = _hmac(_key(scope), _to_sign(at, scope, self._canonical(signed.split(";"), payload))).hex()
        return None if hmac.compare_digest(expected, given) else "SignatureDoesNotMatch"

    def _canonical(self, signed: list[str], payload: str) -> str:
        query = [(name, value) for name, value in self._query() if name != "X-Amz-Signature"]
        parts = [
            self.command,
            urlsplit(self.path).path,
            "&".join(sorted(f"{quote(name, safe='-_.~')}={quote(value, safe='-_.~')}" for name, value in query)),
            *(f"{name}:{' '.join(self.headers[name].split())}" for name in signed),
            "",
            ";".join(signed),
            payload,
        ]
        return "\n".join(parts)

    def log_message(self, *_: Any) -> None:
        """Not to the test's output."""


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")


def _key(scope: str) -> bytes:
    key = b"AWS4" + SECRET.encode()
    for part in scope.split("/"):
        key = _hmac(key, part)
    return key


def _to_sign(at: str, scope: str, canonical: str) -> str:
    return "\n".join(["AWS4-HMAC-SHA256", at, scope, hashlib.sha256(canonical.encode()).hexdigest()])


# Oddities.


def refuses(status: int, code: str) -> Oddity:
    """Answers everything with that error, before it has read a body."""
    return lambda handler: handler.refuse(status, code)


def resets(handler: Handler) -> None:
    """Breaks the connection off."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.close_connection = True
    os.close(handler.connection.detach())


def is_silent(handler: Handler) -> None:
    """Takes what is sent, and never answers."""
    handler.close_connection = True
    handler.server.well.wait(60)


def drips(handler: Handler) -> None:
    """Answers a header without end, a byte at a time, each in time for any limit on a single read."""
    handler.close_connection = True
    with suppress(OSError):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
        while not handler.server.well.wait(0.02):
            handler.wfile.write(b"x")


def breaks_off(handler: Handler) -> None:
    """Ends amidst what it gives."""
    handler.close_connection = True
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")


def talks_html(handler: Handler) -> None:
    """Something in front of it answers in its place."""
    handler.close_connection = True
    handler.answer(502, b"<html><h1>Bad Gateway</h1></html>", {"Content-Type": "text/html"})
