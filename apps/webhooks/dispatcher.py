"""The deliverer: one thread a worker process that claims due deliveries, posts them and writes what came of it.

It claims on a rolling basis, a batch ahead of what is being posted, through one event loop and one vetted HTTP session
that live as long as the process. It looks for rows when `wake` is called, when posts end, and every second: so retries
start on time, and without Redis everything goes on. Any number of processes may do it at once. `fair_queue.py`
chooses the next post, so that no receiver starves the others.

Invariants of its state:

1. A claimed delivery is in `_turns` until its post has ended or it is given back, then in `_ended` until it is written.
   It ends once: nothing is written twice, and nothing that is claimed is dropped.
2. There is a task in `_posts` for each post under way, and for nothing else.
3. Only the database's thread uses the database; only the loop's thread touches any of this but `_is_ending`, which
   turns true once and never back.
4. After `end`, nothing is claimed and nothing waits; the loop returns when no post is under way and all is written.
5. A look that fails leaves `_ended` whole, in its order: it is written by the next one that does not.
"""

import asyncio
import logging
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import uvloop
from django.db import Error as DatabaseError
from django.db import connection
from django.utils.translation import gettext_noop

from apps.core import destinations
from apps.core.database import encryption
from apps.core.destinations import Destination
from apps.egress import EgressRefused
from apps.egress.batch import TOTAL_SECONDS, GuardedSession
from apps.webhooks import rules
from apps.webhooks.actions import deliveries
from apps.webhooks.actions.deliveries import FIRST_PLACE, Claimed, Ended, Place
from apps.webhooks.fair_queue import FIRST_ALLOWANCE, Post, Turns
from apps.webhooks.rules import AttemptVerdict

logger = logging.getLogger(__name__)

LOOK_EVERY_S = 1.0
# While posts wait for their turn anyway, the outcomes of this long are written together.
GATHER_S = 0.005
# Where a delivery goes, and what signs it, is read when it is claimed. One that waited longer for its turn is given
# back, so that what is changed meanwhile counts soon.
START_WITHIN_S = 1.0
# A post is begun only while its claim outlasts it: the database may have been slow to answer, or the process stopped,
# and another may hold the delivery by now.
START_AFTER_CLAIM_S = deliveries.LEASE_S - TOTAL_SECONDS
RETRY_DATABASE_S = 0.5

_NO_ANSWER = {
    "timeout": gettext_noop("No answer within 15 seconds."),
    "tls_failed": gettext_noop("The TLS handshake failed."),
}
_OURS = gettext_noop("The delivery failed on our side.")


class Deliverer:
    """`wake()` starts it or makes it look now; `stop()` ends it in order. Both may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._delivery_loop: _DeliveryLoop | None = None

    def wake(self) -> None:
        """Makes the deliverer look for due deliveries at once. Returns immediately."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._delivery_loop = _DeliveryLoop()
                self._thread = threading.Thread(target=self._delivery_loop.run, name="webhook-deliverer", daemon=True)
                self._thread.start()
        assert self._delivery_loop is not None  # noqa: S101 - set with the thread
        self._delivery_loop.wake()

    def stop(self, timeout: float = TOTAL_SECONDS + 2) -> bool:
        """Claims nothing more, gives back what waits, lets posts under way end, and writes it all.

        True if that was done within `timeout` seconds; what was not is due again when its lease runs out.
        """
        with self._lock:
            thread, delivery_loop = self._thread, self._delivery_loop
        if thread is None or delivery_loop is None:
            return True
        delivery_loop.end()
        thread.join(timeout)
        return not thread.is_alive()


class _DeliveryLoop:
    """The state of one deliverer thread; all but `wake` and `end` runs on its event loop."""

    def __init__(self) -> None:
        self._loop = uvloop.new_event_loop()
        self._woken = asyncio.Event()
        self._is_ending = False
        self._turns = Turns()
        self._posts: set[asyncio.Task[None]] = set()
        self._ended: list[Ended] = []
        self._exchange = _HttpExchange()

    def wake(self) -> None:
        try:
            self._loop.call_soon_threadsafe(self._woken.set)
        except RuntimeError:  # it has ended meanwhile
            logger.debug("the deliverer was woken after its end")

    def end(self) -> None:
        self._is_ending = True
        self.wake()

    def run(self) -> None:
        try:
            self._loop.run_until_complete(self._deliver())
        except Exception:
            logger.exception("the webhook deliverer failed; the next wake-up starts another")
        finally:
            self._exchange.close()
            self._loop.close()

    async def _deliver(self) -> None:
        async with GuardedSession() as session:
            while not self._is_ending:
                await self._look(session)
                await self._wait_for_work()
            self._give_back(self._turns.give_up_waiting())
            while self._posts:
                await asyncio.wait(self._posts, timeout=LOOK_EVERY_S / 4)
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

    async def _look(self, session: GuardedSession) -> None:
        """Writes what has ended so far, claims what there is room for, and starts it."""
        ended, self._ended = self._ended, []
        wanted, asked_at = 0 if self._is_ending else self._turns.wanted, self._loop.time()
        found = await self._exchange.run(self._loop, ended, wanted, self._turns.room())
        if found is None:
            self._ended = ended + self._ended
            self._woken.set()
            await asyncio.sleep(RETRY_DATABASE_S)
            return
        start_by = min(self._loop.time() + START_WITHIN_S, asked_at + START_AFTER_CLAIM_S)
        for claimed, to in found:
            if isinstance(to, AttemptVerdict):
                self._conclude(Ended(claimed, to))
            else:
                self._turns.add((claimed, to), start_by)
        self._begin(session)
        self._turns.forget_idle()

    def _begin(self, session: GuardedSession, only: Place | None = None) -> None:
        begun, late = self._turns.begin(self._loop.time(), only)
        for post in begun:
            task = self._loop.create_task(self._post(session, post))
            self._posts.add(task)
            task.add_done_callback(self._posts.discard)
        self._give_back(late)

    def _give_back(self, claimed: list[Claimed]) -> None:
        for one in claimed:
            self._conclude(Ended(one, rules.GIVEN_BACK))

    def _conclude(self, ended: Ended) -> None:
        self._ended.append(ended)
        self._woken.set()

    async def _post(self, session: GuardedSession, post: Post) -> None:
        claimed, to = post
        began, started_at = self._loop.time(), datetime.now(UTC)
        verdict, answer = await _call(session, claimed, to)
        milliseconds = round(1000 * (self._loop.time() - began))
        self._turns.end(claimed, answered=verdict.response_status is not None)
        self._conclude(Ended(claimed, verdict, started_at, milliseconds, answer))
        self._begin(session, claimed.place)


async def _call(session: GuardedSession, claimed: Claimed, to: Destination) -> tuple[AttemptVerdict, str]:
    """Makes the call; what came of it, and the start of the answer."""
    before, of = claimed.attempts_before, destinations.kinds()[claimed.kind].attempts
    try:
        body, headers = _request(claimed, to)
        answer = await session.post(to.url, body, headers)
        return rules.after_answer(answer.status, attempts_before=before, of=of), answer.excerpt
    except EgressRefused as error:
        reason = rules.call_failure(error.reason)
        if error.is_permanent:
            return rules.failed_for_good(str(error), reason), ""
        text = _NO_ANSWER.get(reason, str(error))
    except Exception:
        logger.exception("webhook delivery %s failed on our side", claimed.guid)
        text, reason = _OURS, "internal"
    return rules.after_no_answer(text, reason, attempts_before=before, of=of), ""


def _request(claimed: Claimed, to: Destination) -> tuple[bytes, dict[str, str]]:
    """The request of a delivery; the same bytes at every attempt."""
    text = claimed.body or ""
    if claimed.is_sealed:
        text = encryption.decrypt(text)
    body = (to.rewrite(text) if to.rewrite else text).encode()
    headers = {
        **to.headers,
        "Content-Type": "application/json",
        "X-Service-Event": to.event_name or claimed.event_type,
        "X-Service-Signature": rules.signature(to.secrets[0].encode(), body),
        "X-Service-Idempotency-Key": claimed.event_id,
        "X-Service-Delivery": claimed.guid,
        "X-Service-Timestamp": str(int(time.time())),
    }
    if len(to.secrets) > 1:
        headers["X-Service-Signature-Next"] = rules.signature(to.secrets[1].encode(), body)
    if to.bearer:
        headers["Authorization"] = f"Bearer {to.bearer}"
    return body, headers


Found = list[tuple[Claimed, Destination | AttemptVerdict]]


class _HttpExchange:
    """The deliverer's calls of the database, on a thread that has a connection of its own."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="webhook-deliverer-database")
        self._position = FIRST_PLACE
        self._is_down = False

    async def run(
        self, loop: asyncio.AbstractEventLoop, ended: list[Ended], wanted: int, room: dict[Place, int]
    ) -> Found | None:
        """Writes what has ended, then claims.

        None when the database is away: then the outcomes are written again, as claims that were written are no longer
        held.
        """
        try:
            found = await loop.run_in_executor(self._thread, self._run, ended, wanted, room)
        except DatabaseError as error:
            if not self._is_down:
                logger.warning("webhook deliveries wait for the database: %s", error)
            self._is_down = True
            return None
        self._is_down = False
        return found

    def close(self) -> None:
        self._thread.submit(lambda: connection.close())  # looked up there: a connection belongs to its thread
        self._thread.shutdown()

    def _run(self, ended: list[Ended], wanted: int, room: dict[Place, int]) -> Found:
        try:
            deliveries.finish(ended)
            return deliveries.addressed(self._claim(wanted, room)) if wanted else []
        except DatabaseError:
            connection.close()  # a new one is opened at the next use
            raise

    def _claim(self, wanted: int, room: dict[Place, int]) -> list[Claimed]:
        """The destinations are served in turn: the next claim goes on where this one ended."""
        default_room = 2 * FIRST_ALLOWANCE
        claimed = deliveries.claim(wanted=wanted, after=self._position, room=room, default_room=default_room)
        last_served = max((one.place for one in claimed), default=FIRST_PLACE)
        if len(claimed) < wanted and self._position != FIRST_PLACE:
            others = deliveries.claim(
                wanted=wanted - len(claimed), until=self._position, room=room, default_room=default_room
            )
            last_served = max((one.place for one in others), default=FIRST_PLACE)
            claimed += others
        self._position = last_served if len(claimed) == wanted else FIRST_PLACE
        return claimed


deliverer = Deliverer()


def _start_afresh_after_fork() -> None:
    global deliverer
    deliverer = Deliverer()


os.register_at_fork(after_in_child=_start_afresh_after_fork)
