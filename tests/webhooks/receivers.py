"""Real HTTP receivers on loopback."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.waits import AT_MOST_S

Answerer = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Heard:
    """One request as it came in; `at` in seconds since the epoch."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float = field(default_factory=time.time, compare=False)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class HookReceiver:
    """`with HookReceiver() as hook`: takes POSTs at `hook.url` and keeps them in `hook.heard`.

    `answers` are the statuses of the first answers, the last one stays; while `hold()` is in force no answer
    is given, and none sooner than `delay_s` after the request.
    """

    def __init__(self, *answers: int, headers: dict[str, str] | None = None, delay_s: float = 0) -> None:
        self.heard: list[Heard] = []
        self._answers = list(answers) or [200]
        self._headers = headers or {}
        self._delay_s = delay_s
        self._may_answer = threading.Event()
        self._may_answer.set()
        self._changed = threading.Condition()

    def __enter__(self) -> Self:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = receiver._take(Heard(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                receiver._may_answer.wait()
                time.sleep(receiver._delay_s)
                self.send_response(status)
                for name, value in receiver._headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_GET(self) -> None:
                receiver._take(Heard("GET " + self.path, {}, b""))
                self.send_error(405)

            def log_message(self, format: str, *args: Any) -> None:
                """Quiet."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A caller that hung up is part of some tests."""

        self._server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
        self._server.shutdown()
        self._server.server_close()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def hold(self) -> None:
        self._may_answer.clear()

    def release(self) -> None:
        self._may_answer.set()

    def wait_for(self, count: int, seconds: float = AT_MOST_S) -> list[Heard]:
        """What was heard, as soon as it is `count` requests; fails after `seconds`."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.heard) >= count, seconds), f"heard {len(self.heard)}"
            return list(self.heard)

    def _take(self, heard: Heard) -> int:
        with self._changed:
            self.heard.append(heard)
            status = self._answers[min(len(self.heard), len(self._answers)) - 1]
            self._changed.notify_all()
        return status


def wait_until(condition: Callable[[], bool], seconds: float = AT_MOST_S) -> None:
    """Returns as soon as the condition holds; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.01)
