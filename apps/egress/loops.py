"""Loops on which much work waits at once for hosts outside, in one thread each.

The work is written like any other and runs as a greenlet. The loop goes on with other work while a call of this app
waits for a socket or a resolver, and comes back when the wait is over; outside of a loop the thread itself waits.
Nothing else switches: between two waits work has its thread, and that thread's connection to the database, for itself.
"""

import logging
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from typing import Any, TypeVar

from greenlet import getcurrent, greenlet

from apps.egress.bulkhead import refuse_in_transaction

logger = logging.getLogger(__name__)

READABLE, WRITABLE = EVENT_READ, EVENT_WRITE

Value = TypeVar("Value")

_threads = threading.local()


class _Wait:
    """A piece of work that waits, until a moment of the monotonic clock at the longest."""

    def __init__(self, until: float, source: socket.socket | None) -> None:
        self.work, self.until, self.source = getcurrent(), until, source
        self.is_over = False


class WaitingLoop:
    """A thread's loop. `add` and `end` are called by any thread, `run` by the one whose loop it is."""

    def __init__(self) -> None:
        self._selector = DefaultSelector()
        self._woken, self._wakes = socket.socketpair()
        self._selector.register(self._woken, EVENT_READ)
        for one in (self._woken, self._wakes):
            one.setblocking(False)
        self._given: deque[Callable[[], object] | _Wait] = deque()
        self._waits: set[_Wait] = set()
        self._hub = getcurrent()
        self._ends = False
        self._under_way = 0

    @property
    def load(self) -> int:
        """How many pieces of work have not ended."""
        return self._under_way + len(self._given)

    def add(self, work: Callable[[], object]) -> None:
        """Has the work begun soon. It is to raise nothing; an error is logged."""
        self._give(work)

    def end(self) -> None:
        """Has `run` return once all work has ended."""
        self._ends = True
        self._wake()

    def run(self, *, idle: Callable[[], object], idle_s: float) -> None:
        """Works until the end; `idle` is called after `idle_s` in which nothing went on, however much waits."""
        self._hub, _threads.loop = getcurrent(), self
        is_idle = True
        while not self._ends or self.load:
            has_moved = self._turn(None if is_idle else idle_s)
            if not has_moved and not is_idle:
                idle()
            is_idle = not has_moved
        del _threads.loop
        idle()
        for one in (self._selector, self._woken, self._wakes):
            one.close()

    @staticmethod
    def pause(seconds: float) -> None:
        """Waits so long."""
        loop = _current()
        if loop is None:
            time.sleep(seconds)
        else:
            loop._wait(time.monotonic() + seconds)

    def _turn(self, longest_s: float | None) -> bool:
        """Waits for the next thing and goes on with it; returns whether any went on in time."""
        now = time.monotonic()
        until = min((one.until for one in self._waits), default=float("inf"))
        limits = [limit for limit in (until - now if self._waits else None, longest_s) if limit is not None]
        events = self._selector.select(max(0.0, min(limits)) if limits else None)
        has_moved = False
        for key, _ in events:
            if key.data is None:
                self._read_wakes()
            else:
                has_moved = self._go_on(key.data, in_time=True) or has_moved
        while self._given:
            given = self._given.popleft()
            has_moved = (
                self._go_on(given, in_time=True) if isinstance(given, _Wait) else self._begin(given)
            ) or has_moved
        now = time.monotonic()
        for one in [one for one in self._waits if one.until <= now]:
            has_moved = self._go_on(one, in_time=False) or has_moved
        return has_moved

    def _begin(self, work: Callable[[], object]) -> bool:
        begun = greenlet(self._worked)
        begun.gr_context = copy_context()  # its language and the like are gone with it
        self._under_way += 1
        begun.switch(work)
        return True

    def _worked(self, work: Callable[[], object]) -> None:
        try:
            work()
        except Exception:
            logger.exception("work on a loop failed")
        finally:
            self._under_way -= 1

    def _go_on(self, wait: _Wait, *, in_time: bool) -> bool:
        if wait.is_over:
            return False
        wait.is_over = True
        self._waits.discard(wait)
        if wait.source is not None:
            self._selector.unregister(wait.source)
        wait.work.switch(in_time)
        return True

    def _wait(self, until: float, source: socket.socket | None = None, events: int = 0) -> bool:
        """Has the loop go on with other work until the socket is ready; returns whether it was in time."""
        refuse_in_transaction()
        wait = _Wait(until, source)
        self._waits.add(wait)
        if source is not None:
            self._selector.register(source, events, wait)
        return bool(self._hub.switch())

    def _wait_for(self, future: "Future[Any]", until: float) -> None:
        refuse_in_transaction()
        wait = _Wait(until, None)
        self._waits.add(wait)
        future.add_done_callback(lambda _: self._give(wait))
        self._hub.switch()

    def _give(self, given: Callable[[], object] | _Wait) -> None:
        self._given.append(given)
        self._wake()

    def _wake(self) -> None:
        with suppress(OSError):  # it is being woken, or has ended
            self._wakes.send(b"x")

    def _read_wakes(self) -> None:
        with suppress(BlockingIOError):
            self._woken.recv(4096)


def _current() -> WaitingLoop | None:
    """The loop whose work runs now."""
    loop: WaitingLoop | None = getattr(_threads, "loop", None)
    return None if loop is None or getcurrent() is loop._hub else loop


def is_on_loop() -> bool:
    """Whether the code that asks is work of a loop, so that its sockets must not block."""
    return _current() is not None


def until_ready(source: socket.socket, events: int, seconds: float) -> None:
    """Waits for a socket that does not block. Work of a loop alone may call it. Raises TimeoutError."""
    loop = _current()
    if loop is None:
        raise RuntimeError("no loop is there to wait on")
    if not loop._wait(time.monotonic() + seconds, source, events):
        raise TimeoutError


def result_of(future: "Future[Value]", seconds: float) -> Value:
    """The outcome of a future. Raises TimeoutError, and the future's error."""
    loop = _current()
    if loop is None or future.done():
        return future.result(seconds)
    loop._wait_for(future, time.monotonic() + seconds)
    return future.result(0)
