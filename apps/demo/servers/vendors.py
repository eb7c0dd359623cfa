"""The base of all vendors of messengers: it keeps calls, misbehaves when it is told to, and calls back."""

import json
import re
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

from apps.demo.servers.played import PlayedRequest, PlayedServer, Says

Answer = tuple[int, Any]


@dataclass(frozen=True, slots=True)
class PlayedCall(PlayedRequest):
    """One call that a vendor got; `path` is without the vendor's code and the query."""

    vendor: str
    query: dict[str, str]

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

    def file(self, name: str) -> bytes | None:
        """The bytes of a file of a multipart form; None without one of that name."""
        return next((found[2] for found in _PARTS.finditer(self.raw) if found[1].decode() == name), None)

    def file_name(self, name: str) -> str:
        """The name that a file of a multipart form is given; empty without one."""
        found: list[tuple[bytes, bytes]] = _NAMED.findall(self.raw)
        return next((given.decode("utf-8", "replace") for field, given in found if field.decode() == name), "")


_NAMED = re.compile(rb'name="([^"]+)"; filename="([^"]*)"')
_PARTS = re.compile(rb'name="([^"]+)"(?:; filename="[^"]*")?(?:\r\n[^\r\n]+)*\r\n\r\n(.*?)\r\n--', re.DOTALL)


@dataclass(slots=True)
class PlayedFault:
    """How a vendor misbehaves, so many times: an answer, after so many seconds."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    times: int = 1


@dataclass(slots=True)
class KeptMessage:
    """A message that a bot has sent; `is_old` once its vendor changes it no more."""

    text: str
    is_old: bool = False


Deliver = Callable[[str, dict[str, str], bytes], tuple[int, str]]


class PlayedMessengers(PlayedServer):
    """The base of all messengers' vendors, each below its code. `deliver(url, headers, body)` calls back for one."""

    def __init__(self, port: int = 0) -> None:
        super().__init__(port)
        self.asked: list[PlayedCall] = []
        self.deliver: Deliver | None = None
        self.hooks: dict[tuple[str, str], dict[str, Any]] = {}  # by vendor and credential
        self.updates: dict[str, list[dict[str, Any]]] = defaultdict(list)  # Telegram's, by bot
        self.rejected: set[str] = set()
        self.files: dict[str, bytes] = {}
        self._faults: list[tuple[str, str, PlayedFault]] = []
        self._ids = count(1000)
        self._said: dict[tuple[str, str], int] = {}
        self.kept: dict[tuple[str, str], KeptMessage] = {}  # what bots have sent, by vendor and id
        self._lock = threading.Lock()

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

    def keep(self, vendor: str, number: object, text: object) -> None:
        """Remembers a message that a bot has sent, to be edited and deleted."""
        with self._lock:
            self.kept.setdefault((vendor, str(number)), KeptMessage(str(text or "")))

    def forget(self, vendor: str, number: object) -> None:
        """The person deletes a message in their messenger."""
        with self._lock:
            self.kept.pop((vendor, str(number)), None)

    def texts(self, vendor: str) -> list[str]:
        """The texts of what a vendor's bots have sent, as people see them now."""
        with self._lock:
            return [one.text for (of, _), one in self.kept.items() if of == vendor]

    def grow_old(self) -> None:
        """So much time passes that no vendor changes what was sent before."""
        with self._lock:
            for one in self.kept.values():
                one.is_old = True

    def next_id(self) -> int:
        """A number that nothing else has."""
        return next(self._ids)

    def hear(self, request: PlayedRequest) -> Says:
        parts = urlsplit(request.path)
        _, vendor, rest = ([*parts.path.split("/", 2), ""])[:3]
        query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        call = PlayedCall(request.method, f"/{rest}", request.headers, request.raw, vendor, query)
        fault = self._noted(call)
        if fault is not None:
            if fault.wait_s:
                time.sleep(fault.wait_s)
            if fault.body is not None:
                return Says(fault.body, fault.status, fault.headers)
        speak = getattr(self, f"_{vendor}", None)
        status, body = speak(call) if speak else (404, {})
        return Says(body, status)

    def _noted(self, call: PlayedCall) -> PlayedFault | None:
        """Keeps the call; the fault that is due for it, if any."""
        with self._lock:
            self.asked.append(call)
            for vendor, path, fault in self._faults:
                if fault.times > 0 and vendor == call.vendor and path in call.path:
                    fault.times -= 1
                    return fault
        return None

    def _call_back(self, url: str, document: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        if self.deliver is not None:
            sent = {"Content-Type": "application/json", **(headers or {})}
            self.deliver(url, sent, json.dumps(document).encode())


def bearer(call: PlayedCall) -> str:
    """The bearer token of a call; empty without one."""
    return call.headers.get("authorization", "").removeprefix("Bearer ")


def called_back(url: str, headers: dict[str, str], body: bytes) -> tuple[int, str]:
    """A vendor's call to a callback address on this machine; 0 for one that does not answer."""
    request = Request(url, data=body, headers=headers, method="POST")  # noqa: S310 - an address of our own
    try:
        with urlopen(request, timeout=5) as answer:  # noqa: S310
            return answer.status, answer.read().decode()
    except OSError:
        return 0, ""
