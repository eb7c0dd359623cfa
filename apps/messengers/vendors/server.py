"""The server that all vendors share: it keeps what it was asked, misbehaves when it is told to, and calls back."""

import json
import re
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

Answer = tuple[int, Any]


@dataclass(frozen=True, slots=True)
class PlayedCall:
    """One call that a vendor got. `path` is without the vendor's code; names of `headers` are in small letters."""

    vendor: str
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        """The fields of a JSON document or a form; of a multipart form their texts."""
        kind = self.headers.get("content-type", "")
        if kind.startswith("application/json"):
            document = json.loads(self.raw or b"{}")
            return document if isinstance(document, dict) else {}
        if kind.startswith("multipart/"):
            return {name.decode(): text.decode("utf-8", "replace") for name, text in _PARTS.findall(self.raw)}
        return {name: values[0] for name, values in parse_qs(self.raw.decode(), keep_blank_values=True).items()}


_PARTS = re.compile(rb'name="([^"]+)"(?:; filename="[^"]*")?(?:\r\n[^\r\n]+)*\r\n\r\n(.*?)\r\n--', re.DOTALL)


@dataclass(slots=True)
class PlayedFault:
    """How a vendor misbehaves, so many times: an answer, after so many seconds."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    times: int = 1


Deliver = Callable[[str, dict[str, str], bytes], tuple[int, str]]


class PlayedServer:
    """The base of all fake vendors. `deliver(url, headers, body)` is how a vendor calls back."""

    def __init__(self, port: int = 0) -> None:
        self.asked: list[PlayedCall] = []
        self.deliver: Deliver | None = None
        self.hooks: dict[tuple[str, str], dict[str, Any]] = {}  # by vendor and credential
        self.updates: dict[str, list[dict[str, Any]]] = defaultdict(list)  # Telegram's, by bot
        self.rejected: set[str] = set()
        self.files: dict[str, bytes] = {}
        self._faults: list[tuple[str, str, PlayedFault]] = []
        self._ids = count(1000)
        self._said: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()
        vendors = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                parts = urlsplit(self.path)
                _, vendor, rest = ([*parts.path.split("/", 2), ""])[:3]
                query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
                asked = PlayedCall(vendor, self.command, f"/{rest}", query, headers, raw)
                status, body, more = vendors._heard(asked)
                sent = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **more}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                with suppress(ConnectionError):
                    self.wfile.write(sent)

            do_GET = do_POST = do_DELETE = do_PUT = handle_one

            def log_message(self, *_: Any) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.host = f"127.0.0.1:{self._server.server_port}"
        self.url = f"http://{self.host}"

    def base(self, vendor: str) -> str:
        """The base of one vendor, for `messenger_vendor --base`."""
        return f"{self.url}/{vendor}"

    def will(self, vendor: str, path: str, fault: PlayedFault) -> None:
        """Has calls of a vendor whose path contains that misbehave, so many times."""
        with self._lock:
            self._faults.append((vendor, path, fault))

    def asked_of(self, vendor: str, path: str = "") -> list[PlayedCall]:
        """The calls of a vendor whose path contains that, in order."""
        with self._lock:
            return [one for one in self.asked if one.vendor == vendor and path in one.path]

    def next_id(self) -> int:
        """A number that nothing else has."""
        return next(self._ids)

    def _heard(self, asked: PlayedCall) -> tuple[int, Any, dict[str, str]]:
        with self._lock:
            self.asked.append(asked)
            fault = None
            for vendor, path, each in self._faults:
                if each.times > 0 and vendor == asked.vendor and path in asked.path:
                    each.times -= 1
                    fault = each
                    break
        if fault is not None:
            if fault.wait_s:
                time.sleep(fault.wait_s)
            if fault.body is not None:
                return fault.status, fault.body, fault.headers
        speak = getattr(self, f"_{asked.vendor}", None)
        status, body = speak(asked) if speak else (404, {})
        return status, body, {}

    def _call_back(self, url: str, document: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        if self.deliver is not None:
            sent = {"Content-Type": "application/json", **(headers or {})}
            self.deliver(url, sent, json.dumps(document).encode())

    def serve(self) -> None:
        """Answers until it is interrupted."""
        with self._server:
            self._server.serve_forever()

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def called_back(url: str, headers: dict[str, str], body: bytes) -> tuple[int, str]:
    """A vendor's call to a callback address on this machine; 0 for one that does not answer."""
    request = Request(url, data=body, headers=headers, method="POST")  # noqa: S310 - an address of our own
    try:
        with urlopen(request, timeout=5) as answer:  # noqa: S310
            return answer.status, answer.read().decode()
    except OSError:
        return 0, ""
