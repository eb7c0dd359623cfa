"""A queue as an app declares it, and a lease of one of its rows as the function that works on the row is given it."""

import logging
import threading
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from django.db.models import QuerySet
from django.db.models.functions import Now

from apps.leases import project
from apps.leases.models import Leased, drop_leased, end_lease, end_leases
from apps.leases.turns import Held

logger = logging.getLogger(__name__)

Row = TypeVar("Row", bound=Leased)

# How often work on a loop looks whether it must stop.
STOPS_WITHIN_S = 0.25
# After an error of the database, which is nobody's failed attempt.
DATABASE_WAIT_S = 5.0
FAILED, CRASHED = "failed", "crashed"


def wake_workers() -> None:
    """Has workers look for due rows once the transaction under way commits. Costs microseconds, never fails."""
    project.connected.wake_workers()


class NotCounted(Exception):
    """The work under the lease does not count. Raised in the transaction of its outcome, to roll it back."""


class LeaseLost(NotCounted):
    """The lease ended; another worker may hold the row."""


class Overtaken(NotCounted):
    """More came for the row (`enqueue`) since it was taken: it is worked on again."""


Item = TypeVar("Item", bound=Held)
End = TypeVar("End")


class Sends(Protocol[Item, End]):
    """An app's sends on one loop (`sender.py`): statements for many rows at once, and the calls for each.

    name: for logs and threads. most: sends at a time to one place; ahead: how many times as many are claimed.
    begins_within_s: for how long after its claim a send may begin, so that the claim outlasts it.
    """

    name: str
    most: int
    ahead: int

    @property
    def begins_within_s(self) -> float: ...

    def exchange(
        self, ended: Sequence[End], wanted: int, room: Mapping[Hashable, int], first_room: int
    ) -> tuple[list[Item], list[End]]:
        """Writes the ends, then claims up to `wanted` due rows, of each place as many as it has room for; returns the
        rows to be sent, and the ends of the others.

        Called in a thread with a connection of its own. Raises DatabaseError: it is called again with the same ends.
        """
        ...

    def session(self) -> AbstractAsyncContextManager[Any]:
        """The session of all sends, such as their connections. Opened for the life of the loop."""
        ...

    async def send(self, session: Any, item: Item, /) -> tuple[End, bool]:
        """Makes the calls of a row; its end, and whether the other side has answered. Raises nothing."""
        ...

    def given_back(self, item: Item, /) -> End:
        """The end of a row that was not begun: it is as it was before its claim."""
        ...


class WorkLoop(Protocol):
    """A loop of one thread on which many rows are worked on: while the work on one waits, it goes on with others.

    `egress.loops.WaitingLoop` is one.
    """

    @property
    def load(self) -> int:
        """How many pieces of work have not ended."""
        ...

    def add(self, work: Callable[[], object], /) -> None:
        """Has the work begun soon. Any thread may call it."""
        ...

    def end(self) -> None:
        """Has `run` return once all work has ended. Any thread may call it."""
        ...

    def run(self, *, idle: Callable[[], object], idle_s: float) -> None:
        """Works until the end; `idle` is called after `idle_s` in which nothing went on, however much waits."""
        ...

    @staticmethod
    def pause(seconds: float, /) -> None:
        """Waits so long, on a loop or not."""
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Queue(Generic[Row]):
    """A queue: the work for due rows of a model. An app declares it in its `tasks.py`, with `work` or with `sends`.

    `work` is called in a thread of a worker, outside of transactions, with a `Lease`. It says what came of it by
    `done`, `failed`, `later` or `give_back`, in the transaction that writes its outcome; to return without is `done`,
    to raise is `failed`. `given_up(lease, reason)` is called in the same way once it has "failed" for the last time, or
    was lost `most_claims` times in a row ("crashed": its process died, or it took too long); by default it is logged.
    `sends` is for rows that are sent on one loop of the process instead, with statements for many at once; `turns.py`
    says how many at a time.

    `waits` are the seconds after each failed attempt: one attempt more than there are waits. At most `in_flight` rows
    are worked on in a process; of each value of the column `fair_by`, served in turn, `in_flight_each` over all
    processes. A lease of `lease_s` is renewed for `longest_s` at most, so work that takes longer is lost. `title` names
    it for who runs the installation, in English.

    Each row has a thread, unless there is a `loop`: then `loops` threads work on all of them, one such loop each, which
    is for work that mostly waits for hosts outside.
    """

    model: type[Row]
    work: Callable[["Lease[Row]"], None] | None = None
    sends: Callable[["Queue[Row]"], Sends[Any, Any]] | None = None
    given_up: Callable[["Lease[Row]", str], None] | None = None
    waits: tuple[float, ...] = ()
    in_flight: int = 4
    fair_by: str | None = "widget_id"
    in_flight_each: int = 2
    lease_s: float = 60
    longest_s: float = 300
    most_claims: int = 3
    loop: type[WorkLoop] | None = None
    loops: int = 4
    title: str = ""

    @property
    def name(self) -> str:
        return self.model._meta.label_lower

    def rows(self) -> QuerySet[Row]:
        """The queue's rows, of any tenant: a lease names its own."""
        rows = self.model._base_manager.all()
        rows.query.unscoped = "named by their leases"  # type: ignore[attr-defined]  # core's `tenants` asks for it
        return rows


class Lease(Generic[Row]):
    """The right to work on a row, until it is finished, lost or given back. `row` is as it was when it was taken.

    No transaction may be open during a wait for a remote host; close the connection (`connection.close()`) before a
    wait of many seconds, as each thread holds one of its own.
    """

    def __init__(self, queue: Queue[Row], row: Row) -> None:
        self.queue, self.row = queue, row
        self.claim_id, self._generation = row.claim_id, row.generation
        self._is_finished = False
        self._stop = threading.Event()

    @property
    def must_stop(self) -> bool:
        """Whether the lease is lost, or the process ends: long work looks here now and then, and gives the row back."""
        return self._stop.is_set()

    def wait(self, seconds: float) -> bool:
        """Waits so long, or until the work must stop; returns whether it must."""
        loop = self.queue.loop
        if loop is None:
            return self._stop.wait(seconds)
        until = time.monotonic() + seconds
        while not self.must_stop and (left := until - time.monotonic()) > 0:
            loop.pause(min(left, STOPS_WITHIN_S))
        return self.must_stop

    def renew(self) -> None:
        """Holds the row for the queue's `lease_s` from now. Raises LeaseLost."""
        held = self.queue.rows().filter(pk=self.row.pk, claim_id=self.claim_id)
        if not held.update(lease_until=Now() + timedelta(seconds=self.queue.lease_s)):
            raise LeaseLost

    def stop(self) -> None:
        """Tells the work that it is to stop. For the runner."""
        self._stop.set()

    def done(self, *, though_overtaken: bool = False) -> bool:
        """Nothing more is to be done with the row; returns whether that is so.

        Raises LeaseLost, and Overtaken if more came for the row in between, unless that is no matter: then the outcome
        counts, the row stays due, and False is returned.
        """
        is_newest = True
        try:
            self._finish(is_done=True, attempts=0, only_newest=True)
        except Overtaken:
            if not though_overtaken:
                raise
            self._finish(is_done=True, attempts=0)
            is_newest = False
        self._count("done")
        return is_newest

    def drop(self) -> None:
        """The row goes: nothing is ever to be done with it again. Raises LeaseLost; Overtaken if more came for it."""
        held = {"id": self.row.pk, "claim_id": self.claim_id, "generation": self._generation}
        if not drop_leased(self.queue.model, held):
            is_held = self.queue.rows().filter(pk=self.row.pk, claim_id=self.claim_id).exists()
            raise Overtaken if is_held else LeaseLost
        self._is_finished = True
        self._count("done")

    def failed(self, wait_s: float | None = None) -> None:
        """An attempt has failed: the next is made after `wait_s`, by default the queue's wait. After the last one the
        row is given up. Raises LeaseLost; Overtaken, once it is given up."""
        attempts = self.row.attempts + 1
        if attempts > len(self.queue.waits):
            self.give_up(FAILED)
            return
        wait_s = self.queue.waits[attempts - 1] if wait_s is None else wait_s
        self._finish(wait_s=wait_s, attempts=attempts)
        self._count("failed")

    def later(self, wait_s: float) -> None:
        """The row is due in so many seconds, and no attempt was made. Raises LeaseLost."""
        self._finish(wait_s=wait_s, attempts=self.row.attempts)
        self._count("later")

    def give_back(self) -> None:
        """The row is as before it was taken, and due at once. Raises LeaseLost."""
        self._finish(attempts=self.row.attempts, claims=self.row.claims - 1)
        self._count("given_back")

    def give_up(self, reason: str) -> None:
        """Asks the queue what becomes of a row that is given up; then nothing more is to be done with it."""
        if self.queue.given_up is None:
            logger.error("%s %s was given up: it %s", self.queue.name, self.row.pk, reason)
        else:
            self.queue.given_up(self, reason)
        if not self._is_finished:
            self._finish(is_done=True, attempts=0, only_newest=True)
        self._count("given_up")

    def end(self, outcome: str, *, is_done: bool = False, wait_s: float | None = None) -> "LeaseEnd":
        """The end of the lease, to be written with others' (`finish`): nothing more is to be done, or it is due after
        `wait_s`, by default when it was due before.
        """
        return LeaseEnd(self, outcome, is_done, wait_s, 0 if is_done else self.row.attempts, 0)

    def end_back(self) -> "LeaseEnd":
        """As `end`: the row is as before it was taken."""
        return LeaseEnd(self, "given_back", False, None, self.row.attempts, max(0, self.row.claims - 1))

    def end_by(self, error: Exception) -> "LeaseEnd":
        """As `end`: the work raised that. An attempt has failed, unless it is the database that could not do this now;
        after the last attempt nothing more is to be done. It is logged.
        """
        if isinstance(error, LeaseLost):
            return self.end("lost")
        if project.connected.is_unavailable(error):
            logger.warning("%s %s waits for the database: %s", *self._names, error)
            return LeaseEnd(self, "later", False, DATABASE_WAIT_S, self.row.attempts, self.row.claims)
        logger.error("%s %s failed on our side", *self._names, exc_info=error)
        attempts = self.row.attempts + 1
        if attempts > len(self.queue.waits):
            return self.end_given_up(FAILED)
        return LeaseEnd(self, "failed", False, self.queue.waits[attempts - 1], attempts, 0)

    def end_given_up(self, reason: str) -> "LeaseEnd":
        """As `end`: the row is given up, which is logged."""
        logger.error("%s %s was given up: it %s", *self._names, reason)
        return self.end("given_up", is_done=True)

    def run(self) -> None:
        """Has the row worked on, and finishes it by what came of that. Raises nothing."""
        try:
            self._work()
        except LeaseLost:
            self._count("lost")
        except Exception:
            logger.exception("what came of %s %s could not be written: its lease runs out", *self._names)

    def _work(self) -> None:
        try:
            if self.row.claims > self.queue.most_claims:
                self.give_up(CRASHED)
                return
            assert self.queue.work is not None  # noqa: S101 - a queue's that has no `sends`
            self.queue.work(self)
            if not self._is_finished:
                self.done()
        except Overtaken:
            self.give_back()
        except LeaseLost:
            raise
        except Exception as error:
            if project.connected.is_unavailable(error):
                logger.warning("%s %s waits for the database: %s", *self._names, error)
                self._finish(wait_s=DATABASE_WAIT_S, attempts=self.row.attempts, claims=self.row.claims)
            else:
                logger.exception("%s %s failed on our side", *self._names)
                self.failed()

    @property
    def _names(self) -> tuple[str, Any]:
        return self.queue.name, self.row.pk

    def _finish(
        self,
        *,
        attempts: int,
        claims: int = 0,
        is_done: bool = False,
        wait_s: float | None = None,
        only_newest: bool = False,
    ) -> None:
        """The fence: ends the lease if it still holds, in the transaction under way. Newer work stays due.

        The row is due after `wait_s`, by default when it was due before; never, if it is done.
        """
        how = {"is_done": is_done, "wait_s": wait_s, "attempts": attempts, "claims": max(0, claims)}
        held = {"id": self.row.pk, "claim_id": self.claim_id, "generation": self._generation}
        if not end_lease(self.queue.model, {**how, **held, "only_newest": only_newest}):
            is_held = self.queue.rows().filter(pk=self.row.pk, claim_id=self.claim_id).exists()
            raise Overtaken if only_newest and is_held else LeaseLost
        self._is_finished = True

    def _count(self, outcome: str) -> None:
        project.connected.count(self.queue.name, outcome)


class LeaseEnd(NamedTuple):
    """How a lease ends that is written with others': see `Lease.end`."""

    lease: Lease[Any]
    outcome: str
    is_done: bool
    wait_s: float | None
    attempts: int
    claims: int


def finish(ends: Sequence[LeaseEnd]) -> None:
    """Ends leases of one queue, by one statement: a lost one, or one of a row for which more came, as `Lease` does."""
    if not ends:
        return
    queue = ends[0].lease.queue
    how = [
        {
            "id": one.lease.row.pk,
            "claim_id": one.lease.claim_id,
            "generation": one.lease.row.generation,
            "is_done": one.is_done,
            "wait_s": one.wait_s,
            "attempts": one.attempts,
            "claims": one.claims,
        }
        for one in ends
    ]
    end_leases(queue.model, how)
    for one in ends:
        project.connected.count(queue.name, one.outcome)
