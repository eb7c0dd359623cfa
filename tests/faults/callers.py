"""Callers who keep their connections and try nothing twice, through a proxy that asks each `web` for `/readyz`.

It goes on to another where nobody listens.
"""

import http.client
import json
import select
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from typing import Any

from tests.faults.parts import answers

ASKS_EVERY_S = 0.2


class Proxy:
    """Takes in turn the ports that are ready. It asks each, or is told where to turn to."""

    def __init__(self, *ports: int, asks: bool = True) -> None:
        self._ready = dict.fromkeys(ports, True)
        self._turn = 0
        self._ended = threading.Event()
        asked = ports if asks else ()
        self._threads = [threading.Thread(target=self._ask, args=(port,), daemon=True) for port in asked]
        for thread in self._threads:
            thread.start()

    def turn_to(self, *ports: int) -> None:
        self._ready = dict.fromkeys(ports, True)

    def _ask(self, port: int) -> None:
        while not self._ended.wait(ASKS_EVERY_S):
            self._ready[port] = answers(port, "/readyz")

    def takes(self, port: int) -> bool:
        """Whether it knows that one to be ready."""
        return self._ready[port]

    def is_refused_at(self, port: int) -> None:
        """Nobody listens there, and nothing was sent: another is asked, as nginx does."""
        self._ready[port] = False

    def next(self) -> int:
        ready = [port for port, is_ready in self._ready.items() if is_ready]
        assert ready, "no web is ready"
        self._turn += 1
        return ready[self._turn % len(ready)]

    def end(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()


class Caller:
    """One caller with a kept connection to each port."""

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy
        self._connections: dict[int, http.client.HTTPConnection] = {}
        self.cookies: SimpleCookie = SimpleCookie()

    def call(self, method: str, path: str, authorization: str = "", body: Any = None) -> Any:
        """The JSON of the answer. Fails if there is none, or a refusal; the failure says at which port."""
        port = self._proxy.next()
        connection = self._connections.setdefault(port, http.client.HTTPConnection("127.0.0.1", port, timeout=30))
        if connection.sock is not None and select.select([connection.sock], [], [], 0)[0]:
            connection.close()  # closed by the server, as every pool of connections sees before it sends
        if connection.sock is None:
            try:
                connection.connect()
            except ConnectionRefusedError:
                self._proxy.is_refused_at(port)
                return self.call(method, path, authorization, body)
        headers = {"Content-Type": "application/json", "X-Service-Idempotency-Key": str(uuid.uuid4())}
        headers |= {"Authorization": authorization} if authorization else {}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={morsel.value}" for name, morsel in self.cookies.items())
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read()
            for line in answer.headers.get_all("Set-Cookie") or []:
                self.cookies.load(line)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise AssertionError(f"{method} {path} at {port}: {error!r}") from error
        assert answer.status < 400, f"{method} {path} at {port}: {answer.status} {text!r}"
        return json.loads(text) if text else None

    def close(self) -> None:
        for connection in self._connections.values():
            connection.close()


class Visitor(Caller):
    """Somebody who writes; `sent` are the ids of the messages that were answered for."""

    def __init__(self, proxy: Proxy, guid: str) -> None:
        super().__init__(proxy)
        self._page = f"/widget/{guid}"
        self.token: str = self.call("POST", f"{self._page}/sessions", body={})["data"]["visitor_token"]
        self.sent: list[int] = []

    def say(self) -> None:
        message = {"client_id": str(uuid.uuid4()), "type": "text", "body": "Is it open on Sunday?"}
        answer = self.call("POST", f"{self._page}/messages", f"Visitor {self.token}", message)
        self.sent.append(answer["data"]["id"])


class Crowd:
    """Does what it is given again and again, each in a thread, so many times a second in all; `failures` is why not."""

    def __init__(self, per_s: float, *work: Callable[[], object]) -> None:
        self._every_s = len(work) / per_s
        self._ended = threading.Event()
        self.failures: list[str] = []
        self.done = 0
        self._threads = [threading.Thread(target=self._go_on, args=(one,), daemon=True) for one in work]

    def _go_on(self, work: Callable[[], object]) -> None:
        due = time.monotonic()
        while not self._ended.wait(max(0.0, due - time.monotonic())):
            try:
                work()
                self.done += 1
            except Exception as failure:
                self.failures.append(f"{time.monotonic():.3f} {failure!r}"[:1000])
            due = max(due + self._every_s, time.monotonic() - 1)

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join(60)


@contextmanager
def busy(per_s: float, *work: Callable[[], object]) -> Iterator[Crowd]:
    """Work goes on until the end of the block."""
    crowd = Crowd(per_s, *work)
    crowd.start()
    try:
        yield crowd
    finally:
        crowd.end()


@contextmanager
def proxy_to(*ports: int) -> Iterator[Proxy]:
    proxy = Proxy(*ports)
    try:
        yield proxy
    finally:
        proxy.end()
