"""When things were last used, noted cheaply: in Redis, until a job stores it.

A lost note is made again at the next use.

A process notes the same thing at most once in NOTED_EVERY_S seconds.
"""

import time
from contextlib import suppress
from typing import cast

from redis import Redis

from apps.core.redis import connection as redis

NOTED_EVERY_S = 60.0
MAX_REMEMBERED = 10_000

_noted: dict[tuple[str, int], float] = {}


def note(kind: str, id_: int) -> None:
    """Notes that the thing of that kind and id is used now. Without Redis, nothing is noted."""
    now = time.monotonic()
    noted = _noted.get((kind, id_))
    if noted is not None and now - noted < NOTED_EVERY_S:
        return
    if len(_noted) >= MAX_REMEMBERED:
        _noted.clear()
    _noted[kind, id_] = now
    with suppress(redis.RedisAway):
        redis.ask(lambda client: client.hset(f"used:{kind}", str(id_), repr(time.time())))


def take(kind: str) -> dict[int, float]:
    """When each of that kind was used, by id, in Unix time; what is taken is noted no more. Raises RedisAway."""

    def read_and_forget(client: Redis) -> dict[int, float]:
        pipeline = client.pipeline(transaction=True)
        pipeline.hgetall(f"used:{kind}")
        pipeline.delete(f"used:{kind}")
        noted = cast("dict[bytes, bytes]", pipeline.execute()[0])
        return {int(id_): float(at) for id_, at in noted.items()}

    return redis.ask(read_and_forget)
