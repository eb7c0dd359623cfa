"""The bulkhead: how many requests of a web process may wait for remote hosts at once.

A request that waits for a host, a resolver, a mail server or a model does so in a place, of which a process has a few,
and each widget half of them. While a thread waits in one, another works in its stead (`on_wait`): a host that drips, or
a resolver that is silent, leaves everybody else as many threads as there were. A request never waits for a place:
without one the call is refused at once, by default with 429 `rate_limited` and `Retry-After`.

Places are counted in each process by itself. Background work needs none: its thread serves no other caller.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection

RETRY_AFTER_S = 1


class BulkheadFull(Exception):
    """No place was free. Raised before the call starts; answered as 429 by default."""


def refuse_in_transaction() -> None:
    """Raises RuntimeError inside an atomic block: a caller that waits for a host would hold locks for as long as that
    likes.

    As with `transaction.atomic(durable=True)`, a test case's own block does not count.
    """
    blocks: list[Any] = connection.atomic_blocks
    if blocks and not blocks[-1]._from_testcase:
        raise RuntimeError("Somebody outside may not be waited for inside an atomic block.")


class Bulkhead:
    """The slots of a process in which so many threads work: twice as many, of which each widget may hold half.

    `on_wait` is called in a thread that has got a slot, before it waits. The server of requests sets it.
    `on_refused` is called for each call that got none.
    """

    def __init__(self, threads: int) -> None:
        self.slots, self.slots_each = 2 * threads, threads
        self.on_wait: Callable[[], None] = lambda: None
        self.on_refused: Callable[[], None] = lambda: None
        self._lock = threading.Lock()
        self._held: Counter[int | None] = Counter()

    @property
    def held(self) -> int:
        """The number of slots that are held now."""
        with self._lock:
            return self._held.total()

    @contextmanager
    def slot(self, widget_id: int | None) -> Iterator[None]:
        """A slot, held by the widget for as long as the block runs, however it ends. Raises BulkheadFull.

        None: by nobody's choice, for what all widgets wait for alike (the storage of files), and in any slot.
        Hold one for the wait alone: for one call, or for several of one request together. Raises RuntimeError for a
        widget's inside a transaction.
        """
        if widget_id is not None:
            refuse_in_transaction()
        self._take(widget_id)
        try:
            self.on_wait()
            yield
        finally:
            self._give_back(widget_id)

    def _take(self, widget_id: int | None) -> None:
        at_most = self.slots if widget_id is None else self.slots_each
        with self._lock:
            if self._held[widget_id] < at_most and self._held.total() < self.slots:
                self._held[widget_id] += 1
                return
        self.on_refused()
        raise BulkheadFull

    def _give_back(self, widget_id: int | None) -> None:
        with self._lock:
            self._held[widget_id] -= 1
            if not self._held[widget_id]:
                del self._held[widget_id]


outbound_waits = Bulkhead(settings.WEB_THREADS)
"""The process's own."""
