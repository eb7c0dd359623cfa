"""Each thread's connection to Redis (or Valkey), and what happens without it.

Redis holds nothing that can't be lost: rate limits, wake-ups, presence, caches. A Redis that answers with an error (it
is full, a replica, asks for another password, denies a command, keeps something else under our key) helps as little as
one that does not answer: both are away. Callers then get `RedisAway`, at once for the next second, and go on without.
"""

import logging
import os
import threading
import time
from collections.abc import Callable
from typing import TypeVar

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from apps.core.observability import metrics

logger = logging.getLogger(__name__)

RETRY_AFTER_S = 1.0
Value = TypeVar("Value")

_away_until = 0.0


class RedisAway(Exception):
    """Redis did not answer, or with an error; the caller goes on without it."""


_threads = threading.local()
_generation = 0


def client() -> redis.Redis:
    """The thread's client, with a connection of its own: bounded waits, one retry on a stale connection.

    The first one connects, so it raises redis.RedisError.
    """
    generation = _generation
    if getattr(_threads, "generation", None) != generation:
        _threads.client = redis.Redis.from_url(
            settings.REDIS_URL,
            socket_connect_timeout=0.5,
            socket_timeout=0.5,
            retry=Retry(NoBackoff(), 1),
            single_connection_client=True,
        )
        _threads.generation = generation
    found: redis.Redis = _threads.client
    return found


def forget_clients() -> None:
    """Makes every thread connect anew at its next question; a forked child must not use its parent's connection."""
    global _generation
    _generation += 1


os.register_at_fork(after_in_child=forget_clients)


def ask(question: Callable[[redis.Redis], Value]) -> Value:
    """What `question` reads from Redis. Raises RedisAway when it can't be reached, or answers with an error."""
    global _away_until
    if time.monotonic() < _away_until:
        raise RedisAway
    try:
        return question(client())
    except redis.RedisError as error:
        _away_until = time.monotonic() + RETRY_AFTER_S
        metrics.REDIS_ERRORS.inc()
        logger.warning("redis is away: %s", error)
        raise RedisAway from error
