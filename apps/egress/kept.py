"""Connections that stay open for a moment after an answer, for the next call of the same owner to the same host.

A kept connection stays at the address that was vetted when it was opened. It ends when it was idle for KEPT_S, when the
host's addresses, vetted anew for each call, no longer have its own, and when the exceptions (`EGRESS_ALLOW`) change. It
belongs to one owner: no two credentials share it, and a changed one begins with a new connection.
"""

import os
import threading
import time
from collections import defaultdict
from select import POLLIN, poll
from typing import NamedTuple

from urllib3.connection import HTTPConnection

from apps.egress.allowlist import AllowList
from apps.egress.targets import Target

# Shorter than the idle time after which common servers hang up, which is five seconds for many.
KEPT_S = 4.0
MOST, MOST_EACH = 128, 64

_Key = tuple[bytes, str, str, int]


class _Idle(NamedTuple):
    connection: HTTPConnection
    address: str
    allow: AllowList
    until: float


class KeptConnections:
    """The idle connections of a process: at most `most`, `most_each` for an owner and a host, each for `seconds`."""

    def __init__(self, *, seconds: float = KEPT_S, most: int = MOST, most_each: int = MOST_EACH) -> None:
        self._seconds, self._most, self._most_each = seconds, most, most_each
        self._lock = threading.Lock()
        self._idle: dict[_Key, list[_Idle]] = defaultdict(list)
        self._count = 0
        self._closes = False

    def take(self, owner: bytes, target: Target, addresses: tuple[str, ...], allow: AllowList) -> HTTPConnection | None:
        """The owner's connection to the target that was used last; None without one that may be used.

        `addresses` were vetted just now: a connection to another is closed, as one whose server hung up or sent more.
        """
        while (found := self._pop((owner, *target.origin))) is not None:
            is_vetted = found.address in addresses and found.allow == allow
            if is_vetted and time.monotonic() < found.until and _is_silent(found.connection):
                return found.connection
            found.connection.close()
        return None

    def keep(self, owner: bytes, target: Target, address: str, allow: AllowList, connection: HTTPConnection) -> None:
        """Keeps a connection whose last answer was read to its end, or closes it where there are enough."""
        key = (owner, *target.origin)
        with self._lock:
            if self._count < self._most and len(self._idle.get(key, ())) < self._most_each:
                self._idle[key].append(_Idle(connection, address, allow, time.monotonic() + self._seconds))
                self._count += 1
                if not self._closes:
                    self._closes = True
                    threading.Thread(target=self._close_in_time, name="egress-kept", daemon=True).start()
                return
        connection.close()

    def close(self) -> None:
        """Closes all of them."""
        with self._lock:
            left = self._drop(float("inf"))
        for connection in left:
            connection.close()

    def _pop(self, key: _Key) -> _Idle | None:
        with self._lock:
            if key not in self._idle:
                return None
            found = self._idle[key].pop()
            self._count -= 1
            if not self._idle[key]:
                del self._idle[key]
            return found

    def _close_in_time(self) -> None:
        """Closes overdue connections, for as long as any is kept."""
        while True:
            time.sleep(self._seconds / 4)
            with self._lock:
                overdue = self._drop(time.monotonic())
                self._closes = bool(self._count)
                goes_on = self._closes
            for connection in overdue:
                connection.close()
            if not goes_on:
                return

    def _drop(self, until: float) -> list[HTTPConnection]:
        """Takes out those that were to be kept until then at the longest. The lock is held."""
        dropped = []
        for key, idle in list(self._idle.items()):
            dropped += [one.connection for one in idle if one.until <= until]
            self._idle[key] = [one for one in idle if one.until > until]
            if not self._idle[key]:
                del self._idle[key]
        self._count -= len(dropped)
        return dropped


def _is_silent(connection: HTTPConnection) -> bool:
    """Whether the server has neither hung up nor sent anything since its answer."""
    opened = connection.sock
    pending = getattr(opened, "pending", None)
    if opened is None or (pending is not None and pending()):
        return False
    readiness = poll()
    readiness.register(opened, POLLIN)
    return not readiness.poll(0)


connections = KeptConnections()
"""The process's own."""


def _start_afresh_after_fork() -> None:
    global connections
    parents, connections = connections, KeptConnections()
    for idle in parents._idle.values():
        for one in idle:
            one.connection.close()  # the child's end alone: the parent goes on with it


os.register_at_fork(after_in_child=_start_afresh_after_fork)
