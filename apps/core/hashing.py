"""Hashing passwords: few at once in a web process, whichever page asks for it, and in fair turns.

A hash takes a core for most of a second, by intention. So a process with so many threads has places for a quarter of
them, and Django's hasher, which every door passes, works in one of them. Without a free one the page is given up there
(Busy), and runs again when its turn has come: the web process's event loop waits for that (`config/serving`), no thread
does. The next turn goes to the address that has asked least: first come addresses that ask for the first time since the
queue began, then the second tries, and so on; of equals the last, whose patience is the longest. So a program that
tries passwords, from many addresses too, waits behind a person who signs in. A person who has waited in vain gets the
page of `core/views.py`, 429.

The two runs of a page have one environ. Attempts are counted in the first (`is_second_run`).
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher

WAIT_S = 10.0
MOST_WAITING = 100
RETRY_AFTER_S = 2
# Addresses of which is remembered how often they have asked. They are forgotten when nobody waits.
MOST_ADDRESSES = 10_000

# In an environ: the server can wait for a turn, if it is asked to by the status 100 and a header with whose turn it is.
CAN_WAIT, TURN_OF = "parley.can_wait_for_turn", "X-Turn-Of"
# In the environ of a second run: whether the turn has come.
HAS_PLACE = "parley.has_place_to_hash"

_has_place = ContextVar("has_place_to_hash", default=False)


class Busy(Exception):
    """Every place to hash in is taken. Nothing was hashed."""


@dataclass(eq=False, slots=True)
class _Waiting:
    """A waiting caller: the number of this attempt from the address, and the time of arrival, backwards."""

    order: tuple[int, int]
    turn: "asyncio.Future[bool]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Places:
    """The places of a process with so many threads. Threads take one or none; the event loop waits for one."""

    def __init__(self, threads: int) -> None:
        self.places = max(1, threads // 4)
        self._free = self.places
        self._lock = threading.Lock()
        self._waiting: list[_Waiting] = []
        self._asked: Counter[str] = Counter()
        self._arrivals = count(0, -1)
        self._loop: asyncio.AbstractEventLoop | None = None

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place for as long as the block runs. Raises Busy; callers who wait are never overtaken."""
        if self._waiting or not self._take():
            raise Busy
        try:
            yield
        finally:
            self.give_back()

    async def turn(self, address: str) -> bool:
        """Waits for a place, which is the caller's to give back; whether there was one in WAIT_S."""
        self._loop = asyncio.get_running_loop()
        self._asked[address] += 1
        one = _Waiting((self._asked[address], next(self._arrivals)))
        self._waiting.append(one)
        if len(self._waiting) > MOST_WAITING:
            self._end(max(self._waiting, key=_order), False)
        self._go_on()
        try:
            async with asyncio.timeout(WAIT_S):
                return await asyncio.shield(one.turn)
        except TimeoutError:
            return self._came_at_last(one)

    def give_back(self) -> None:
        with self._lock:
            self._free += 1
        if self._waiting and self._loop is not None:
            self._loop.call_soon_threadsafe(self._go_on)

    def _take(self) -> bool:
        with self._lock:
            self._free -= (has_place := self._free > 0)
        return has_place

    def _go_on(self) -> None:
        """Gives what is free to those whose turn it is; on the loop."""
        while self._waiting and self._take():
            self._end(min(self._waiting, key=_order), True)
        if not self._waiting or len(self._asked) > MOST_ADDRESSES:
            self._asked.clear()

    def _end(self, one: _Waiting, has_place: bool) -> None:
        self._waiting.remove(one)
        one.turn.set_result(has_place)

    def _came_at_last(self, one: _Waiting) -> bool:
        if one.turn.done():
            return one.turn.result()
        self._waiting.remove(one)
        return False


def _order(one: _Waiting) -> tuple[int, int]:
    return one.order


@cache
def places() -> Places:
    """The process's own."""
    return Places(settings.WEB_THREADS)


class Hasher(PBKDF2PasswordHasher):
    """Django's own, in a place of the process. Raises Busy."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        if _has_place.get():
            return super().encode(password, salt, iterations)
        with places().place():
            return super().encode(password, salt, iterations)


@contextmanager
def place_of(environ: dict[str, Any]) -> Iterator[None]:
    """A block that runs the application, and hashes in the place that was waited for, if one was."""
    token = _has_place.set(environ.get(HAS_PLACE, False))
    try:
        yield
    finally:
        _has_place.reset(token)


def is_second_run(environ: dict[str, Any]) -> bool:
    """Whether the page was run before, and given up where it would have hashed."""
    return HAS_PLACE in environ
