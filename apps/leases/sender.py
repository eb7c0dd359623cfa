"""The sender: one thread a worker process that claims due rows, makes their calls, and writes the outcomes.

It claims on a rolling basis, a batch ahead of the sends under way, on one event loop with one session that live as long
as the process. It looks for rows when `wake` is called, when sends end, and every second: so retries start on time, and
without Redis everything goes on. Any number of processes may do it at once. `turns.py` chooses the next send, so that
no place starves the others.

Invariants of its state:

1. A claimed row is in `_turns` until its send has ended or it is given back, then in `_ended` until it is written.
   It ends once: nothing is written twice, and nothing that is claimed is dropped.
2. There is a task in `_tasks` for each send under way, and for nothing else.
3. Only the database's thread uses the database; only the loop's thread touches any of this but `_is_ending`, which
   turns true once and never back.
4. After `end`, nothing is claimed and nothing waits; the loop returns when no send is under way and all is written.
5. A look that fails leaves `_ended` whole, in its order: it is written by the next one that does not.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import uvloop
from django.db import Error as DatabaseError
from django.db import connection

from apps.leases.queues import Sends
from apps.leases.turns import Turns

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
# While rows wait for their turn anyway, the outcomes of this long are written together.
GATHER_S = 0.005
# A row is read when it is claimed. One that waited longer for its turn is given back, so that a change meanwhile counts
# soon.
START_WITHIN_S = 1.0
RETRY_DATABASE_S = 0.5
END_WITHIN_S = 17.0

Result = TypeVar("Result")


class Sender:
    """`wake()` starts it or makes it look now; `stop()` ends it in order. Both may be called from any thread."""

    def __init__(self, sends: Sends[Any, Any]) -> None:
        self._sends = sends
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: _SendLoop | None = None

    @property
    def is_alive(self) -> bool:
        """Whether it looks for rows, or something is under way."""
        return self._thread is not None and self._thread.is_alive()

    def wake(self) -> None:
        """Makes it look for due rows at once. Returns immediately."""
        with self._lock:
            if not self.is_alive:
                self._loop = _SendLoop(self._sends)
                self._thread = threading.Thread(target=self._loop.run, name=self._sends.name, daemon=True)
                self._thread.start()
        assert self._loop is not None  # noqa: S101 - set with the thread
        self._loop.wake()

    def end(self) -> None:
        """Claims nothing more, gives back the waiting rows, lets sends under way end. Returns immediately."""
        with self._lock:
            if self._loop is not None:
                self._loop.end()

    def stop(self, timeout: float = END_WITHIN_S) -> bool:
        """`end`, and all is written.

        True if that was done within `timeout` seconds; the other rows are due again when their leases run out.
        """
        self.end()
        thread = self._thread
        if thread is None:
            return True
        thread.join(timeout)
        return not thread.is_alive()


class DatabaseThreads:
    """Threads for calls of the database from a loop, each with a connection of its own."""

    def __init__(self, number: int, name: str) -> None:
        self._number = number
        self._threads = ThreadPoolExecutor(number, thread_name_prefix=name)

    async def run(self, call: Callable[..., Result], *given: Any) -> Result:
        """The call's result."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *given)

    def close(self) -> None:
        """Ends the threads behind their last calls, and closes their connections."""
        all_there = threading.Barrier(self._number)

        def close() -> None:
            all_there.wait()  # one of these a thread: a connection belongs to its thread
            connection.close()

        for _ in range(self._number):
            self._threads.submit(close)
        self._threads.shutdown()


class _SendLoop:
    """The state of one sender's thread; all but `wake` and `end` runs on its event loop."""

    def __init__(self, sends: Sends[Any, Any]) -> None:
        self._sends = sends
        self._loop = uvloop.new_event_loop()
        self._woken = asyncio.Event()
        self._is_ending = False
        self._turns: Turns[Any] = Turns(most=sends.most, ahead=sends.ahead)
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended: list[Any] = []
        self._database = DatabaseThreads(1, f"{sends.name}-database")
        self._is_down = False

    def wake(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._woken.set)
        except RuntimeError:  # it has ended meanwhile
            logger.debug("%s was woken after its end", self._sends.name)

    def end(self) -> None:
        self._is_ending = True
        self.wake()

    def run(self) -> None:
        try:
            self._loop.run_until_complete(self._send_due())
        except Exception:
            logger.exception("%s failed; the next wake-up starts another", self._sends.name)
        finally:
            self._database.close()
            self._loop.close()

    async def _send_due(self) -> None:
        async with self._sends.session() as session:
            while not self._is_ending:
                await self._look(session)
                await self._wait_for_work()
            self._give_back(self._turns.give_up_waiting())
            while self._tasks:
                await asyncio.wait(self._tasks, timeout=LOOK_EVERY_S / 4)
                await self._look(session)
            await self._look(session)

    async def _wait_for_work(self) -> None:
        """Returns when there is something to write or to claim, and after a second at the latest."""
        patience = LOOK_EVERY_S / 4 if self._turns.has_prompt else LOOK_EVERY_S
        began = self._loop.time()
        while True:
            try:
                await asyncio.wait_for(self._woken.wait(), patience)
            except TimeoutError:
                pass
            else:
                if self._turns.waiting and not self._is_ending:
                    await asyncio.sleep(GATHER_S)
            self._give_back(self._turns.set_slow_aside(self._loop.time()))
            if self._woken.is_set() or self._loop.time() - began >= LOOK_EVERY_S:
                self._woken.clear()
                return

    async def _look(self, session: Any) -> None:
        """Writes the ends so far, claims as many rows as there is room for, and starts them."""
        ended, self._ended = self._ended, []
        wanted, asked_at = 0 if self._is_ending else self._turns.wanted, self._loop.time()
        try:
            items, others = await self._database.run(
                self._exchange, ended, wanted, self._turns.room(), self._turns.first_room
            )
        except DatabaseError as error:
            if not self._is_down:
                logger.warning("%s waits for the database: %s", self._sends.name, error)
            self._is_down = True
            # Claims that were written are no longer held, so the outcomes may be written again.
            self._ended = ended + self._ended
            self._woken.set()
            await asyncio.sleep(RETRY_DATABASE_S)
            return
        self._is_down = False
        for end in others:
            self._conclude(end)
        # A send is begun only while its claim outlasts it: the database may have been slow to answer, or the process
        # stopped, and another may hold the row by now.
        start_by = min(self._loop.time() + START_WITHIN_S, asked_at + self._sends.begins_within_s)
        for item in items:
            self._turns.add(item, start_by)
        self._begin(session)
        self._turns.forget_idle()

    def _exchange(
        self, ended: list[Any], wanted: int, room: dict[Hashable, int], first_room: int
    ) -> tuple[list[Any], list[Any]]:
        try:
            return self._sends.exchange(ended, wanted, room, first_room)
        except DatabaseError:
            connection.close()  # a new one is opened at the next use
            raise

    def _begin(self, session: Any, only: Hashable = None) -> None:
        begun, late = self._turns.begin(self._loop.time(), only)
        for item in begun:
            task = self._loop.create_task(self._send(session, item))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._give_back(late)

    def _give_back(self, items: list[Any]) -> None:
        for item in items:
            self._conclude(self._sends.given_back(item))

    def _conclude(self, end: Any) -> None:
        self._ended.append(end)
        self._woken.set()

    async def _send(self, session: Any, item: Any) -> None:
        end, answered = await self._sends.send(session, item)
        self._turns.end(item, answered=answered)
        self._conclude(end)
        self._begin(session, item.place)
