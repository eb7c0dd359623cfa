"""Broadcasts: "something happened, look", from any process to the realtime processes (docs/adr/0006).

An app declares its broadcasts in `broadcasts.py`, and sends them from handlers that follow the commit. A broadcast is
published on its topic's Redis channel by one thread a process that sends everything pending on a topic as one message.
Broadcasts are delivered at most once: a subscriber reads what there is from the database, by position, and polls every
few seconds. So nothing here waits, retries or fails a request.
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
# Broadcasts that come within this time after a message go out together, as the next one.
GATHER_S = 0.02
# A short-lived process (a command) has this long to get its last broadcasts out.
FLUSH_WITHIN_S = 1.0


@dataclass(frozen=True, slots=True)
class Broadcast:
    """The base of every broadcast: frozen data, sent to the subscribers of its topic."""

    topic: ClassVar[str]


def send(broadcast: Broadcast) -> None:
    """Sends a broadcast now. Touches no database; costs microseconds."""
    _sender.put(broadcast)


def channel(topic: str) -> str:
    """The Redis channel of a topic. Databases of a server share its channels, so the database is in the name."""
    return _channel(settings.REDIS_URL, topic)


@lru_cache(maxsize=16)
def _channel(redis_url: str, topic: str) -> str:
    return f"broadcasts:{urlsplit(redis_url).path.strip('/') or '0'}:{topic}"


def read(message: bytes, kinds: Iterable[type[Broadcast]]) -> list[Broadcast]:
    """The broadcasts of those kinds in a message of a channel; none of what is no such message.

    Their members are as JSON has them: text for an enumeration, a list for a tuple.
    """
    by_name = {_name(kind): kind for kind in kinds}
    try:
        pairs: list[tuple[str, dict[str, Any]]] = orjson.loads(message)
    except orjson.JSONDecodeError:
        logger.warning("what came on a channel of broadcasts is none")
        return []
    found = []
    for name, members in pairs:
        try:
            if name in by_name:
                found.append(by_name[name](**members))
        except TypeError as error:  # another release names other members
            logger.warning("a broadcast could not be read: %s", error)
    return found


def _name(kind: type[Broadcast]) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


class _Sender:
    """The queue of one process and the thread that empties it; started at the first broadcast, and again after
    a fork.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Starts from nothing: in a forked child the parent's thread is not there, and its broadcasts are not ours."""
        self._pending: SimpleQueue[Broadcast | None] = SimpleQueue()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def put(self, broadcast: Broadcast) -> None:
        if self._pending.qsize() >= MAX_PENDING:
            metrics.NUDGES_DROPPED.inc()
            return
        self._pending.put(broadcast)
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
                thread = threading.Thread(target=self._run, name="broadcasts", daemon=True)
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


def _publish(batch: list[Broadcast]) -> None:
    by_topic: dict[str, list[tuple[str, Broadcast]]] = {}
    for broadcast in dict.fromkeys(batch):
        by_topic.setdefault(broadcast.topic, []).append((_name(type(broadcast)), broadcast))

    def publish_all(client: Redis) -> None:
        for topic, pairs in by_topic.items():
            client.publish(channel(topic), orjson.dumps(pairs))

    try:
        redis.ask(publish_all)
    except redis.RedisAway:
        metrics.NUDGES_DROPPED.inc(len(batch))
    except Exception:
        metrics.NUDGES_DROPPED.inc(len(batch))
        logger.exception("broadcasts could not be published")


_sender = _Sender()
os.register_at_fork(after_in_child=_sender.forget)
atexit.register(_sender.finish)
