"""The runner: one thread a worker process that claims due rows of every queue, and a thread for each that is worked on.
A thread whose row is finished waits for another: its connection knows the statements by then. Rows of a queue with a
`loop` share a few threads. For a queue whose rows are sent on a loop it looks, too, and wakes the sender that claims
them (`sender.py`).

It looks when it is woken, when work ends, when it knows a row to be due, and every LOOK_EVERY_S; so without Redis
everything goes on. Any number of processes may do it at once. Threads, since what waits for others does so in libraries
that block; daemons, since one that hangs must not keep a process from ending.

Invariants: a lease is in its line's `held` from its claim until its thread ends; while it is there, and not older than
its queue's `longest_s`, it is renewed. Only the runner's own thread claims, renews, and gives back. Each row that it
gives to the threads has one of them reserved: an idle one, or a new one. A loop gets work until the runner ends.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import Any

from django.db import Error as DatabaseError
from django.db import connection

from apps.leases import claims
from apps.leases.claims import Look
from apps.leases.queues import Lease, LeaseLost, Queue, WorkLoop
from apps.leases.sender import Sender

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 2.0
RETRY_DATABASE_S = 0.5
# How long a thread without a row keeps its connection to the database.
IDLE_S = 10.0
# How often it looks whether all has ended.
ENDS_WITHIN_S = 0.25
# The time for work under way to end by itself, when the process is asked to end.
END_WITHIN_S = 15.0


class Runner:
    """`wake()` starts it or makes it look now; `end()` and `stop()` end it in order. Any thread may call them.

    It is of one process: a forked child makes another.
    """

    def __init__(self, queues: Iterable[Queue[Any]]) -> None:
        self._queues = queues
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._rounds: _Rounds | None = None

    def wake(self) -> None:
        """Makes it look for due rows at once. Returns immediately."""
        with self._lock:
            if self._rounds is None or self._thread is None or not self._thread.is_alive():
                self._rounds = _Rounds(self._queues)
                self._thread = threading.Thread(target=self._rounds.run, name="leases", daemon=True)
                self._thread.start()
            self._rounds.wake()

    def end(self) -> None:
        """Claims nothing more, and has all work stop. Returns immediately."""
        with self._lock:
            if self._rounds is not None:
                self._rounds.end()

    def stop(self, within_s: float = END_WITHIN_S) -> bool:
        """Ends; work under way has until `within_s` after `end` to end too, then its rows are given back.

        True if all that was done. Unfinished rows are due again when their leases run out.
        """
        self.end()
        with self._lock:
            rounds, thread = self._rounds, self._thread
        if rounds is None or thread is None:
            return True
        rounds.give_back_after(within_s)
        thread.join(within_s + 2)
        return not thread.is_alive()


class _Line:
    """A queue, as this process works on it."""

    def __init__(self, queue: Queue[Any]) -> None:
        self.queue = queue
        self.held: dict[Lease[Any], float] = {}  # and when each was claimed
        self.loops: list[WorkLoop] = []
        self.look_at = 0.0
        self._renewed_at = time.monotonic()
        self._after = 0
        self._is_down = False
        self._sender = Sender(queue.sends(queue)) if queue.sends else None

    @property
    def is_busy(self) -> bool:
        """Whether something of it is under way."""
        return bool(self.held) or (self._sender is not None and self._sender.is_alive)

    def end(self) -> None:
        """Has all its work stop."""
        for lease in list(self.held):
            lease.stop()
        if self._sender is not None:
            self._sender.end()

    @property
    def next_at(self) -> float:
        """When there is something to do again."""
        return min(self.look_at, self._renewed_at + self.queue.lease_s / 4) if self.held else self.look_at

    def go_round(self, look: Look | None) -> list[Lease[Any]]:
        """Renews what is held, and claims what there is room for, if a look has found something."""
        now = time.monotonic()
        try:
            if now >= self._renewed_at + self.queue.lease_s / 4:
                self._renew(now)
            claimed = self._claim(look) if look else []
        except DatabaseError as error:
            self.wait_for_database(error, now)
            return []
        if look:
            self._is_down = False
        self.held.update((lease, now) for lease in claimed)
        return claimed

    def wait_for_database(self, error: DatabaseError, now: float) -> None:
        if not self._is_down:
            logger.warning("%s waits for the database: %s", self.queue.name, error)
        self._is_down = True
        self.look_at = now + RETRY_DATABASE_S
        connection.close()  # a new one is opened at the next use

    def _claim(self, look: Look) -> list[Lease[Any]]:
        if look.next_s is not None:
            self.look_at = min(self.look_at, time.monotonic() + look.next_s)
        wanted = self.queue.in_flight - len(self.held)
        if not look.is_due or wanted <= 0:
            return []
        if self._sender is not None:
            self._sender.wake()
            return []
        claimed = claims.claim(self.queue, wanted=wanted, after=self._after)
        self._after = claims.last_served(claimed, self._after)
        return claimed

    def _renew(self, now: float) -> None:
        held = list(self.held.items())
        young = [lease for lease, claimed_at in held if now < claimed_at + self.queue.longest_s]
        lost = {lease for lease, _ in held} - set(young)
        if young:
            lost.update(claims.renew(self.queue, young))
        for lease in lost:
            lease.stop()
        self._renewed_at = now


class _Rounds:
    """The state of one runner's thread; only `wake`, `end` and `give_back_after` are called from others."""

    def __init__(self, queues: Iterable[Queue[Any]]) -> None:
        self._lines = [_Line(queue) for queue in queues]
        self._woken = threading.Event()
        self._is_ending = threading.Event()
        self._give_back_at = float("inf")
        self._given: SimpleQueue[tuple[_Line, Lease[Any]] | None] = SimpleQueue()
        self._lock, self._idle = threading.Lock(), 0

    def wake(self) -> None:
        for line in self._lines:
            line.look_at = 0.0
        self._woken.set()

    def end(self) -> None:
        self._is_ending.set()
        for line in self._lines:
            line.end()
        self._woken.set()

    def give_back_after(self, seconds: float) -> None:
        self._give_back_at = time.monotonic() + seconds
        self._woken.set()

    def run(self) -> None:
        try:
            while not self._is_ending.is_set():
                found = self._look()
                for line in self._lines:
                    for lease in line.go_round(found.get(line)):
                        self._start(line, lease)
                self._wait(min((line.next_at for line in self._lines), default=0.0))
            self.end()  # what was claimed meanwhile, too
            while any(line.is_busy for line in self._lines) and time.monotonic() < self._give_back_at:
                self._wait(min(self._give_back_at, time.monotonic() + ENDS_WITHIN_S))
            self._give_back()
        except Exception:
            logger.exception("the runner of queues failed; the next wake-up starts another")
            self.end()
        finally:
            while self._reserve():
                self._given.put(None)
            for line in self._lines:
                for loop in line.loops:
                    loop.end()
            connection.close()

    def _look(self) -> dict[_Line, Look]:
        """Reads what is due in the queues whose time to look has come. If they are more than one, all are read, so that
        PostgreSQL keeps one plan.
        """
        now = time.monotonic()
        asked = [line for line in self._lines if now >= line.look_at]
        if len(asked) > 1:
            asked = self._lines
        for line in asked:
            line.look_at = now + LOOK_EVERY_S  # before it is asked: who wakes it meanwhile has it asked again
        return self._read(asked) if asked else {}

    def _read(self, lines: list[_Line]) -> dict[_Line, Look]:
        try:
            return dict(zip(lines, claims.look([line.queue for line in lines]), strict=True))
        except DatabaseError as error:
            if len(lines) > 1 and connection.is_usable():  # one queue's table is not there yet: the others go on
                return {line: look for one in lines for line, look in self._read([one]).items()}
            now = time.monotonic()
            for line in lines:
                line.wait_for_database(error, now)
            return {}

    def _wait(self, until: float) -> None:
        self._woken.wait(min(LOOK_EVERY_S, max(0.0, until - time.monotonic())))
        self._woken.clear()

    def _start(self, line: _Line, lease: Lease[Any]) -> None:
        if line.queue.loop is not None:
            self._loop_of(line, line.queue.loop).add(lambda: self._work_on_loop(line, lease))
            return
        is_for_an_idle_one = self._reserve()
        self._given.put((line, lease))
        if not is_for_an_idle_one:
            threading.Thread(target=self._work, name="leased", daemon=True).start()

    def _loop_of(self, line: _Line, make: Callable[[], WorkLoop]) -> WorkLoop:
        """The loop of the line that has least to do; a new one where none is idle and another may be."""
        least = min(line.loops, key=lambda loop: loop.load, default=None)
        if least is not None and (not least.load or len(line.loops) >= line.queue.loops):
            return least
        loop = make()
        line.loops.append(loop)
        options = {"idle": lambda: connection.close(), "idle_s": IDLE_S}
        threading.Thread(target=loop.run, kwargs=options, name=f"{line.queue.name} loop", daemon=True).start()
        return loop

    def _work_on_loop(self, line: _Line, lease: Lease[Any]) -> None:
        try:
            lease.run()
            connection.close_if_unusable_or_obsolete()
        finally:
            self._finished(line, lease)

    def _finished(self, line: _Line, lease: Lease[Any]) -> None:
        del line.held[lease]
        line.look_at = 0.0
        self._woken.set()

    def _reserve(self) -> bool:
        """Takes an idle thread, if there is one."""
        with self._lock:
            is_one = self._idle > 0
            self._idle -= is_one
        return is_one

    def _work(self) -> None:
        try:
            while (given := self._next()) is not None:
                self._work_on(*given)
        finally:
            connection.close()

    def _work_on(self, line: _Line, lease: Lease[Any]) -> None:
        threading.current_thread().name = f"{line.queue.name} {lease.row.pk}"
        goes_on = False
        try:
            copy_context().run(lease.run)  # what it sets, such as the language, is gone with it
            connection.close_if_unusable_or_obsolete()
            goes_on = True
        finally:
            with self._lock:
                self._idle += goes_on
            self._finished(line, lease)

    def _next(self) -> tuple[_Line, Lease[Any]] | None:
        """Waits for the next row; returns None after IDLE_S without any, and at the end.

        As many threads wait as are idle or reserved, so whichever takes a row, one that is counted as idle may end.
        """
        while not (self._is_ending.is_set() and self._reserve()):
            try:
                return self._given.get(timeout=IDLE_S)
            except Empty:
                if self._reserve():
                    return None
        return None

    def _give_back(self) -> None:
        for line in self._lines:
            for lease in list(line.held):
                with suppress(LeaseLost, DatabaseError):
                    lease.give_back()
