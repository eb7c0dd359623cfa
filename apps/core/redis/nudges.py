"""Nudges: "something happened, look", from any process to the realtime processes (docs/adr/0006).

An app declares its nudges in `nudges.py`, and sends them from reactions that follow the commit. A nudge is published on
its topic's Redis channel by one thread a process that sends everything pending on a topic as one message. Nudges are
delivered at most once: a subscriber reads what there is from the database, by position, and polls every few seconds. So
nothing here waits, retries or fails a request.
"""

import atexit
import logging
import os
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from queue import SimpleQueue
from typing import Any, ClassVar
from urllib.parse import urlsplit

import orjson
from django.conf import settings
from redis import Redis

from apps.core.observability import metrics
from apps.core.redis import connection as redis

logger = logging.getLogger(__name__)

MAX_PENDING = 10_000
MAX_AT_ONCE = 500
# Nudges that come within this time after a message go out together, as the next one.
GATHER_S = 0.02
# A short-lived process (a command) has this long to get its last nudges out.
FLUSH_WITHIN_S = 1.0


@dataclass(frozen=True, slots=True)
class Nudge:
    """The base of every nudge: frozen data, sent to the subscribers of its topic."""

    topic: ClassVar[str]


def send(nudge: Nudge) -> None:
    """Sends a nudge now. Touches no database; costs microseconds."""
    _sender.put(nudge)


def channel(topic: str) -> str:
    """The Redis channel of a topic. Databases of a server share its channels, so the database is in the name."""
    return _channel(settings.REDIS_URL, topic)


@lru_cache(maxsize=16)
def _channel(redis_url: str, topic: str) -> str:
    return f"nudges:{urlsplit(redis_url).path.strip('/') or '0'}:{topic}"


def read(message: bytes, kinds: Iterable[type[Nudge]]) -> list[Nudge]:
    """The nudges of those kinds in a message of a channel; none of what is no such message.

    Their members are as JSON has them: text for an enumeration, a list for a tuple.
    """
    by_name = {_name(kind): kind for kind in kinds}
    try:
        pairs: list[tuple[str, dict[str, Any]]] = orjson.loads(message)
    except orjson.JSONDecodeError:
        logger.warning("what came on a channel of nudges is none")
        return []
    found = []
    for name, members in pairs:
        try:
            if name in by_name:
                found.append(by_name[name](**members))
        except TypeError as error:  # another release names other members
            logger.warning("a nudge could not be read: %s", error)
    return found


def _name(kind: type[Nudge]) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


class _Sender:
    """The queue of one process and the thread that empties it; started at the first broadcast, and again after
    a fork.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Starts from nothing: in a forked child the parent's thread is not there, and its nudges are not ours."""
        self._pending: SimpleQueue[Nudge | None] = SimpleQueue()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, nudge: Nudge) -> None:
        if self._pending.qsize() >= MAX_PENDING:
            metrics.NUDGES_DROPPED.inc()
            return
        self._pending.put(nudge)
        if self._thread is None:
            self._start()

    def finish(self) -> None:
        """Ends the thread after what is pending, within a second."""
        if self._thread is not None:
            self._pending.put(None)
            self._thread.join(FLUSH_WITHIN_S)

    def _start(self) -> None:
        with self._starting:
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="nudges", daemon=True)
                thread.start()
                self._thread = thread

    def _run(self) -> None:
        pending = self._pending
        while (first := pending.get()) is not None:
            batch = [first]
            while len(batch) < MAX_AT_ONCE and not pending.empty():
                following = pending.get()
                if following is None:
                    pending.put(None)
                    break
                batch.append(following)
            _publish(batch)
            time.sleep(GATHER_S)


def _publish(batch: list[Nudge]) -> None:
    by_topic: dict[str, list[tuple[str, Nudge]]] = {}
    for nudge in dict.fromkeys(batch):
        by_topic.setdefault(nudge.topic, []).append((_name(type(nudge)), nudge))

    def publish_all(client: Redis) -> None:
        for topic, pairs in by_topic.items():
            client.publish(channel(topic), orjson.dumps(pairs))

    try:
        redis.ask(publish_all)
    except redis.RedisAway:
        metrics.NUDGES_DROPPED.inc(len(batch))
    except Exception:
        metrics.NUDGES_DROPPED.inc(len(batch))
        logger.exception("nudges could not be published")


_sender = _Sender()
os.register_at_fork(after_in_child=_sender.forget)
atexit.register(_sender.finish)
