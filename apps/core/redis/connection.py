"""Each thread's connection to Redis (or Valkey), and what happens without it.

Redis holds nothing that can't be lost: rate limits, wake-ups, presence, caches. A Redis that answers with an error (it
is full, a replica, asks for another password, denies a command, keeps something else under our key) helps as little as
one that does not answer: both are away. Callers then get `RedisAway`, at once for the next second, and go on without;
after it one of them asks again, and only that one waits for what may not answer.
"""

import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from apps.core.observability import metrics

logger = logging.getLogger(__name__)

RETRY_AFTER_S = 1.0
TIMEOUT_S = 0.5
Value = TypeVar("Value")

# By the monotonic clock; 0 while Redis is not known to be away.
_away_until = 0.0
# Held by the one call that finds out whether Redis is back.
_trial = threading.Lock()


class RedisAway(Exception):
    """Redis did not answer, or with an error; the caller goes on without it."""


_threads = threading.local()
_generation = 0


def client() -> redis.Redis:
    """The thread's client, with a connection of its own: bounded waits, one retry on a broken connection.

    The first one connects, so it raises redis.RedisError.
    """
    generation = _generation
    if getattr(_threads, "generation", None) != generation:
        _threads.client = redis.Redis.from_url(
            settings.REDIS_URL,
            socket_connect_timeout=TIMEOUT_S,
            socket_timeout=TIMEOUT_S,
            # A wait that was in vain is not waited again.
            retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
            single_connection_client=True,
        )
        _threads.generation = generation
    found: redis.Redis = _threads.client
    return found


def forget_clients() -> None:
    """Makes every thread connect again at its next question; a forked child must not use its parent's connection."""
    global _generation, _trial
    _generation += 1
    _trial = threading.Lock()  # in a forked child, whoever held it is not there to release it


os.register_at_fork(after_in_child=forget_clients)


def ask(question: Callable[[redis.Redis], Value]) -> Value:
    """Asks Redis `question`, and returns the answer. Raises RedisAway when Redis can't be reached, or answers an error.

    An answer that `question` can't read is one, too, so it reads all of it.
    """
    if not _away_until:
        return _ask(question)
    trial = _trial
    if time.monotonic() < _away_until or not trial.acquire(blocking=False):
        raise RedisAway
    try:
        return _ask(question)
    finally:
        trial.release()


def _ask(question: Callable[[redis.Redis], Value]) -> Value:
    global _away_until
    asked_at = time.monotonic()
    try:
        answer = question(client())
    except Exception as error:  # the library raises more than its own kinds for answers that it can't read
        _away_until = time.monotonic() + RETRY_AFTER_S
        _forget_client()
        metrics.REDIS_ERRORS.inc()
        logger.warning("redis is away: %s", error, exc_info=not isinstance(error, redis.RedisError))
        raise RedisAway from error
    if _away_until < asked_at:
        _away_until = 0.0
    return answer


def _forget_client() -> None:
    """Ends the thread's connection: what is left on it of an answer would be taken for that to the next question."""
    if getattr(_threads, "generation", None) is not None:
        _threads.generation = None
        with suppress(redis.RedisError, OSError):
            _threads.client.close()
