"""The periodic jobs whose last run failed: since when, how often in a row, and by which kind of error. Best effort.

In Redis alone, which may lose it: the next run of a job tells anew.
"""

import time
from contextlib import suppress
from typing import NamedTuple, cast

import orjson
from redis import Redis

from apps.core.redis import connection as redis

KEY = "jobs:failed"


class FailedJob(NamedTuple):
    """`since` is Unix time, `error` the class of the last error."""

    since: float
    times: int
    error: str


def note_failed(task: str, error: str) -> None:
    """Notes that a run of the job's task failed."""

    def note(client: Redis) -> None:
        stored = cast("bytes | None", client.hget(KEY, task))
        since, times, _ = orjson.loads(stored) if stored else (time.time(), 0, "")
        client.hset(KEY, task, orjson.dumps((since, times + 1, error)).decode())

    with suppress(redis.RedisAway):
        redis.ask(note)


def note_done(task: str) -> None:
    """Notes that a run of the job's task went well."""
    with suppress(redis.RedisAway):
        redis.ask(lambda client: client.hdel(KEY, task))


def failed_jobs() -> dict[str, FailedJob]:
    """The jobs that fail, by their task; none where Redis is away, which is told by itself."""
    with suppress(redis.RedisAway):
        return redis.ask(_read)
    return {}


def _read(client: Redis) -> dict[str, FailedJob]:
    stored = cast("dict[bytes, bytes]", client.hgetall(KEY))
    return {task.decode(): FailedJob(*orjson.loads(found)) for task, found in stored.items()}
