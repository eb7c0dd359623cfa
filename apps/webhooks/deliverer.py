"""The deliverer: one thread a worker process that claims due deliveries, posts them and writes what came of it.

It claims on a rolling basis, a batch ahead of what is being posted, through one event loop and one vetted HTTP session
that live as long as the process. It looks for rows when `wake` is called, when posts end, and every second: so retries
start on time, and without Redis everything goes on. Any number of processes may do it at once.

No receiver starves the others. Each has an allowance of posts at a time, which doubles with every prompt answer and
falls back with a slow or missing one; a post that takes over a second stops counting against the process's window, and
nothing is held to wait behind it.
"""

import asyncio
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import uvloop
from django.db import Error as DatabaseError
from django.db import connection

from apps.core.database import encryption
from apps.core.egress import EgressRefused, GuardedSession
from apps.core.egress.batch import TOTAL_SECONDS
from apps.webhooks import rules
from apps.webhooks.actions import deliveries
from apps.webhooks.actions.deliveries import LEASE_S, Claimed
from apps.webhooks.rules import Verdict

logger = logging.getLogger(__name__)

# Posts under way that are not slow, and slow ones besides.
WINDOW = 256
MAX_SLOW = 1024
SLOW_AFTER_S = 1.0
# Posts at a time to one subscription: at first, and at most.
FIRST_ALLOWANCE, MAX_ALLOWANCE = 4, 32
# Claimed in all, whether posted yet or waiting for their turn.
MAX_HELD = 384
LOOK_EVERY_S = 1.0
# While posts wait for their turn anyway, the outcomes of this long are written together.
GATHER_S = 0.005
# A claim that waited longer for its turn may outlive its lease; it is given back.
START_WITHIN_S = LEASE_S - TOTAL_SECONDS - 3
RETRY_DATABASE_S = 0.5
# Receivers whose allowance is remembered while nothing goes on with them.
MAX_REMEMBERED = 1_000

_NO_ANSWER = {"timeout": "No answer within 15 seconds.", "tls": "The TLS handshake failed."}


class _Receiver:
    """What this process knows of one subscription."""

    __slots__ = ("allowance", "in_flight", "slow", "waiting")

    def __init__(self) -> None:
        self.allowance = FIRST_ALLOWANCE
        self.in_flight = 0
        self.slow = 0
        self.waiting: deque[tuple[Claimed, float]] = deque()

    @property
    def room(self) -> int:
        """How many more may be claimed: as many ahead as may be under way, none ahead while a post is slow."""
        most = self.allowance if self.slow else 2 * self.allowance
        return max(0, most - self.in_flight - len(self.waiting))


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
        self._is_waiting_for_database = False
        self._receivers: dict[int, _Receiver] = {}
        self._prompt: dict[int, tuple[_Receiver, float]] = {}
        self._slow: set[int] = set()
        self._posts: set[asyncio.Task[None]] = set()
        self._waiting = 0
        self._outcomes: list[tuple[Claimed, Verdict]] = []
        self._position = 0
        self._database = ThreadPoolExecutor(1, thread_name_prefix="webhook-deliverer-database")

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
            self._database.submit(lambda: connection.close())  # looked up there: a connection belongs to its thread
            self._database.shutdown()
            self._loop.close()

    async def _deliver(self) -> None:
        async with GuardedSession() as session:
            self._session = session
            while not self._is_ending:
                await self._look()
                await self._wait_for_work()
            self._give_back_waiting()
            while self._posts:
                await asyncio.wait(self._posts, timeout=LOOK_EVERY_S / 4)
                await self._look()
            await self._look()

    async def _wait_for_work(self) -> None:
        """Returns when there is something to write or to claim, and after a second at the latest."""
        patience = LOOK_EVERY_S / 4 if self._prompt else LOOK_EVERY_S
        began = self._loop.time()
        while True:
            try:
                await asyncio.wait_for(self._woken.wait(), patience)
            except TimeoutError:
                pass
            else:
                if self._waiting and not self._is_ending:
                    await asyncio.sleep(GATHER_S)
            self._set_slow_aside()
            if self._woken.is_set() or self._loop.time() - began >= LOOK_EVERY_S:
                self._woken.clear()
                return

    async def _look(self) -> None:
        """Writes the outcomes so far, claims what there is room for, and starts it."""
        outcomes, self._outcomes = self._outcomes, []
        wanted = self._wanted()
        room = {id_: receiver.room for id_, receiver in self._receivers.items()}
        try:
            claimed, self._position = await self._loop.run_in_executor(
                self._database, _exchange, outcomes, wanted, room, self._position
            )
        except DatabaseError as error:
            if not self._is_waiting_for_database:
                logger.warning("webhook deliveries wait for the database: %s", error)
            self._is_waiting_for_database = True
            self._outcomes = outcomes + self._outcomes
            self._woken.set()
            await asyncio.sleep(RETRY_DATABASE_S)
            return
        self._is_waiting_for_database = False
        start_by = self._loop.time() + START_WITHIN_S
        for one in claimed:
            self._take(one, start_by)
        self._start_waiting()
        self._forget_idle()

    def _wanted(self) -> int:
        if self._is_ending or len(self._slow) >= MAX_SLOW:
            return 0
        return max(0, MAX_HELD - len(self._prompt) - self._waiting)

    def _take(self, claimed: Claimed, start_by: float) -> None:
        verdict = _verdict_without_call(claimed)
        if verdict is not None:
            self._conclude(claimed, verdict)
            return
        receiver = self._receivers.get(claimed.subscription_id)
        if receiver is None:
            receiver = self._receivers[claimed.subscription_id] = _Receiver()
        receiver.waiting.append((claimed, start_by))
        self._waiting += 1

    def _conclude(self, claimed: Claimed, verdict: Verdict) -> None:
        self._outcomes.append((claimed, verdict))
        self._woken.set()

    def _start_waiting(self) -> None:
        if self._waiting:
            for receiver in self._receivers.values():
                self._start(receiver)

    def _start(self, receiver: _Receiver) -> None:
        now = self._loop.time()
        while receiver.waiting and receiver.in_flight < receiver.allowance and len(self._prompt) < WINDOW:
            claimed, start_by = receiver.waiting.popleft()
            self._waiting -= 1
            if now > start_by:
                self._conclude(claimed, rules.GIVEN_BACK)
                continue
            receiver.in_flight += 1
            self._prompt[claimed.id] = receiver, now
            post = self._loop.create_task(self._post(claimed, receiver))
            self._posts.add(post)
            post.add_done_callback(self._posts.discard)

    async def _post(self, claimed: Claimed, receiver: _Receiver) -> None:
        answered = False
        try:
            url, body, headers = _request(claimed)
            answer = await self._session.post(url, body, headers)
            answered = True
            verdict = rules.after_answer(answer.status, attempts_before=claimed.attempts)
        except EgressRefused as error:
            if error.is_permanent:
                verdict = rules.failed_for_good(str(error))
            else:
                text = _NO_ANSWER.get(error.reason, str(error))
                verdict = rules.after_no_answer(text, attempts_before=claimed.attempts)
        except Exception:
            logger.exception("webhook delivery %s failed on our side", claimed.guid)
            verdict = rules.after_no_answer("The delivery failed on our side.", attempts_before=claimed.attempts)
        receiver.in_flight -= 1
        was_prompt = self._prompt.pop(claimed.id, None) is not None
        if claimed.id in self._slow:
            self._slow.remove(claimed.id)
            receiver.slow -= 1
        if not answered:
            receiver.allowance = FIRST_ALLOWANCE
        elif was_prompt and receiver.allowance < MAX_ALLOWANCE:
            receiver.allowance = min(MAX_ALLOWANCE, receiver.allowance * 2)
        self._conclude(claimed, verdict)
        self._start(receiver)

    def _set_slow_aside(self) -> None:
        """Frees the window of posts that take long, and their receivers' places of what waits behind them."""
        slow_since = self._loop.time() - SLOW_AFTER_S
        while self._prompt:
            delivery_id, (receiver, started) = next(iter(self._prompt.items()))
            if started > slow_since:
                return
            del self._prompt[delivery_id]
            self._slow.add(delivery_id)
            receiver.slow += 1
            receiver.allowance = FIRST_ALLOWANCE
            self._give_back(receiver)

    def _give_back_waiting(self) -> None:
        for receiver in self._receivers.values():
            self._give_back(receiver)

    def _give_back(self, receiver: _Receiver) -> None:
        while receiver.waiting:
            claimed, _ = receiver.waiting.pop()
            self._waiting -= 1
            self._conclude(claimed, rules.GIVEN_BACK)

    def _forget_idle(self) -> None:
        if len(self._receivers) > MAX_REMEMBERED:
            idle = [id_ for id_, receiver in self._receivers.items() if not (receiver.in_flight or receiver.waiting)]
            for id_ in idle:
                del self._receivers[id_]


def _exchange(
    outcomes: list[tuple[Claimed, Verdict]], wanted: int, room: Mapping[int, int], position: int
) -> tuple[list[Claimed], int]:
    """Writes outcomes, then claims; runs on the database thread. The subscriptions are served in turn: the answer has
    the position from which the next claim goes on."""
    try:
        deliveries.finish(outcomes)
        if not wanted:
            return [], position
        claimed = deliveries.claim(wanted=wanted, after=position, room=room, default_room=2 * FIRST_ALLOWANCE)
        last_served = max((one.subscription_id for one in claimed), default=0)
        if len(claimed) < wanted and position:
            others = deliveries.claim(
                wanted=wanted - len(claimed), until=position, room=room, default_room=2 * FIRST_ALLOWANCE
            )
            last_served = max((one.subscription_id for one in others), default=0)
            claimed += others
    except DatabaseError:
        connection.close()  # a new one is opened at the next use
        raise
    return claimed, last_served if len(claimed) == wanted else 0


def _verdict_without_call(claimed: Claimed) -> Verdict | None:
    """What becomes of a delivery that is not to be posted; None for one that is."""
    if claimed.target is None or not claimed.is_active or not claimed.is_enabled:
        return rules.SKIPPED
    if claimed.claims > rules.MAX_CLAIMS:
        return rules.failed_for_good("The delivery was interrupted too often.")
    if not claimed.sealed_secret or not _secret(claimed.sealed_secret):
        return rules.failed_for_good("The subscription has no signing secret.")
    return None


def _request(claimed: Claimed) -> tuple[str, bytes, dict[str, str]]:
    """Where a delivery goes and what is sent; the same bytes at every attempt."""
    text = encryption.decrypt(claimed.body) if claimed.is_sealed else claimed.body
    body = (rules.legacy_body(text) if claimed.is_legacy else text).encode()
    headers = {
        "Content-Type": "application/json",
        "X-Service-Event": rules.wire_name(claimed.event_type, is_legacy=claimed.is_legacy),
        "X-Service-Signature": rules.signature(_secret(claimed.sealed_secret or ""), body),
        "X-Service-Idempotency-Key": claimed.event_guid,
        "X-Service-Delivery": claimed.guid,
        "X-Service-Timestamp": str(int(time.time())),
    }
    return claimed.target or "", body, headers


@lru_cache(maxsize=1024)
def _secret(sealed: str) -> bytes:
    """The secret of a stored ciphertext: read anew with each claim, decrypted once."""
    return encryption.decrypt(sealed).encode()


deliverer = Deliverer()


def _start_afresh_after_fork() -> None:
    global deliverer
    deliverer = Deliverer()


os.register_at_fork(after_in_child=_start_afresh_after_fork)
