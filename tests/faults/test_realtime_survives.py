"""Sockets outlive Redis, PostgreSQL and their own process: nothing is lost or shown twice."""

import threading
from contextlib import suppress

import pytest
from websockets.exceptions import WebSocketException

from tests.e2e.http import call
from tests.faults.talk import say, stored
from tests.realtime.tab import Tab
from tests.run.service import Service

pytestmark = [pytest.mark.faults, pytest.mark.e2e]

TABS, MESSAGES = 20, 200


class ResumingTab(threading.Thread):
    """A visitor's tab that comes back whenever it is cut off, and goes on after the last message it was shown."""

    def __init__(self, url: str, guid: str, token: str) -> None:
        super().__init__(daemon=True)
        self._where, self._token = (url, guid), token
        self.shown: list[int] = []
        self.openings = 0
        self._ended = threading.Event()

    def run(self) -> None:
        while not self._ended.is_set():
            with suppress(OSError, WebSocketException, TimeoutError), Tab(*self._where) as tab:
                tab.auth(self._token, self.shown[-1] if self.shown else 0)
                self.openings += 1
                self._listen(tab)
            self._ended.wait(0.1)

    def _listen(self, tab: Tab) -> None:
        while not self._ended.is_set():
            with suppress(TimeoutError):
                frame = tab.next(0.5)
                if frame["type"] == "message.created":
                    self.shown.append(frame["data"]["id"])

    def end(self) -> None:
        self._ended.set()
        self.join(15)


def kill(service: Service, name: str) -> None:
    """Kills one of the service's processes, and returns when another has taken its place."""
    victim = service.leaders()[name]
    victim.kill()

    def is_replaced() -> bool:
        successor = service.leaders().get(name)
        return successor is not None and successor.pid != victim.pid

    service.until(is_replaced, f"another {name}")


def test_every_tab_shows_every_message_once_in_order_whatever_is_killed(running_service: Service) -> None:
    service = running_service
    service.until(lambda: {"postgres", "valkey", "realtime"} <= set(service.leaders()), "the processes")
    guid = service.demo["accounts"][0]["widgets"][0]["guid"]
    base = f"{service.url}/widget/{guid}"
    token = call("POST", f"{base}/sessions", body={})["data"]["visitor_token"]
    tabs = [ResumingTab(service.realtime_url, guid, token) for _ in range(TABS)]
    realtime = service.leaders()["realtime"].pid
    try:
        for tab in tabs:
            tab.start()
        service.until(lambda: all(tab.openings for tab in tabs), "open tabs")
        killed_at = {40: "valkey", 80: "postgres", 120: "realtime", 160: "valkey"}
        sent = []
        for n in range(MESSAGES):
            if victim := killed_at.get(n):
                if victim == "realtime":
                    assert service.leaders()["realtime"].pid == realtime, "the process ended with Redis or PostgreSQL"
                    assert {tab.openings for tab in tabs} == {1}, "sockets closed with Redis or PostgreSQL"
                kill(service, victim)
            sent.append(say(base, f"Visitor {token}", f"message {n}"))
        service.until(lambda: all(len(tab.shown) >= MESSAGES for tab in tabs), "every message in every tab", 10)
        assert stored(base, f"Visitor {token}") == sent
        assert [tab.shown for tab in tabs] == [sent] * TABS
        assert {tab.openings for tab in tabs} == {2}
    finally:
        for tab in tabs:
            tab.end()
