"""Writes that wait for a remote host first: a mail server, a model, a messenger, an address that a user gave.

One order, whatever is called: check, claim, place, call, write. Only the claim and the write hold a transaction, each
one of its own, so that no lock and no snapshot of a connection lasts as long as a remote answer. There are two kinds:

- A cheap call (a look-up, a probe, a mail): the key is claimed with the write, after the call. If two simultaneous
  calls have one key, both may have called, and one writes.
- Paid work (a model's): `claiming` commits the key before the call, so one of them alone calls. Every refusal after it
  gives the key back, but those that the operation's rules for keys name (`kept_after`).
"""

import logging
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from django.db import DatabaseError, transaction

from apps.core.endpoints.idempotency import IdempotencyLock
from apps.egress import outbound_waits

logger = logging.getLogger(__name__)


class ExternalCall:
    """One such write of a widget; without a claim, no key guards it. A handler's is `context.outbound`."""

    def __init__(self, widget_id: int, lock: IdempotencyLock | None = None) -> None:
        self.widget_id, self.lock = widget_id, lock
        self._is_claimed = self._is_written = False

    @contextmanager
    def reserve(self) -> Iterator[None]:
        """For paid work: the transaction that commits the claim before the call, with what the block writes.

        Raises IDEMPOTENCY_KEY_REUSED (409).
        """
        with transaction.atomic(durable=True):
            self._take(is_under_way=True)
            yield
        self._is_claimed = True

    def slot(self) -> AbstractContextManager[None]:
        """The widget's place in the bulkhead, to be held while it is called. Raises BulkheadFull (429)."""
        return outbound_waits.slot(self.widget_id)

    @contextmanager
    def write(self) -> Iterator[None]:
        """The transaction of the write, which takes the claim unless that is committed already.

        Checks before the call are repeated here, if their result can have changed. Raises IDEMPOTENCY_KEY_REUSED (409).
        """
        with transaction.atomic(durable=True):
            if not self._is_claimed:
                self._take()
            yield
            if self.lock is not None and self._is_claimed:
                self.lock.tell(self.lock.made_id)
        self._is_written = True

    def made(self, made_id: int) -> None:
        """Notes in the write's transaction the id of the row that it has made."""
        if self.lock is not None:
            self.lock.tell(made_id)

    def release(self) -> None:
        """Gives back the key of a write that was refused after its claim; of one that was stored it stays taken."""
        if self.lock is None or not self._is_claimed or self._is_written:
            return
        try:
            self.lock.release()
        except DatabaseError:
            logger.exception("the key of a refused write stays taken for its 24 hours")

    def _take(self, *, is_under_way: bool = False) -> None:
        if self.lock is not None:
            self.lock.take(is_under_way=is_under_way)
