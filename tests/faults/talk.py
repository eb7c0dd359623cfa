"""Visitors who talk to a service that is being killed: what they say is stored once, however often they try."""

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.e2e.http import Refused, call


def say(base: str, authorization: str, body: str) -> int:
    """Posts a message, again and again under one client_id until it is stored; its id."""
    document = {"client_id": str(uuid.uuid4()), "type": "text", "body": body}
    deadline = time.monotonic() + 60
    while True:
        try:
            return int(call("POST", f"{base}/messages", authorization, document)["data"]["id"])
        except Refused as refused:
            if refused.status != 503:
                raise
        except (OSError, ValueError):  # nobody is there at the moment, or was there until the end of the answer
            pass
        assert time.monotonic() < deadline, "nobody stored the message within a minute"
        threading.Event().wait(0.05)


def stored(base: str, authorization: str) -> list[int]:
    """The ids of all messages of the visitor's chat."""
    ids: list[int] = []
    while True:
        after_id = ids[-1] if ids else 0
        page: list[Any] = call("GET", f"{base}/messages?limit=100&after_id={after_id}", authorization)["data"]
        if not page:
            return ids
        ids += [message["id"] for message in page]


class Visitors:
    """Several visitors at once, in threads; `sent` are the messages that were answered for."""

    def __init__(self, base: str, count: int, per_s: float) -> None:
        self._base, self._every_s = base, count / per_s
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._talk, daemon=True) for _ in range(count)]
        self.sent: list[int] = []
        self.failures: list[BaseException] = []

    def _talk(self) -> None:
        try:
            token = call("POST", f"{self._base}/sessions", body={})["data"]["visitor_token"]
            due = time.monotonic()
            while not self._ended.wait(max(0.0, due - time.monotonic())):
                self.sent.append(say(self._base, f"Visitor {token}", "Is it open on Sunday?"))
                due = max(due + self._every_s, time.monotonic() - 1)
        except BaseException as failure:
            self.failures.append(failure)
            raise

    def wait_for(self, messages: int, seconds: float = 120.0) -> None:
        """Returns once so many are sent."""
        deadline = time.monotonic() + seconds
        while len(self.sent) < messages:
            assert not self.failures, self.failures
            assert time.monotonic() < deadline, f"only {len(self.sent)} messages within {seconds:.0f} s"
            threading.Event().wait(0.02)

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join(90)
        assert not self.failures, self.failures


@contextmanager
def talking(base: str, *, visitors: int, per_s: float) -> Iterator[Visitors]:
    """Visitors who together say `per_s` messages a second until the end of the block."""
    crowd = Visitors(base, visitors, per_s)
    crowd.start()
    try:
        yield crowd
    finally:
        crowd.end()
