"""The last requests of each API token, for its page in the cabinet, and when things were last used. Best effort.

A request's status is known when it has been answered, and by then its round trip to Redis is over. So it is noted in
the process's memory, and what a second has brought, of all tokens, is written by a thread in one pipeline
(docs/adr/0025): no request waits for Redis once more. Notes are lost while Redis is away, or in the second before a
process ends.
"""

import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, cast

import orjson
from redis import Redis

from apps.core.redis import connection as redis

# Of each token.
KEPT = 100
# After a token's last request.
KEPT_FOR_S = 24 * 3600
WRITTEN_EVERY_S = 1.0
# Of a process, within that second; those of others are not noted.
MAX_TOKENS = 1_000

NOTED_EVERY_S = 60.0
MAX_REMEMBERED = 10_000

_noted: dict[tuple[str, int], float] = {}


class LastRequest(NamedTuple):
    """A request that was answered: `at` in Unix time; the template of its path, None where there is no such address."""

    at: float
    method: str
    route: str | None
    status: int
    request_id: str


class Notes:
    """The notes of a process that are not written yet."""

    def __init__(self) -> None:
        self._adding = threading.Lock()
        self._noted: dict[int, deque[LastRequest]] = {}

    def add(self, token_id: int, request: LastRequest) -> None:
        with self._adding:
            if token_id not in self._noted:
                if len(self._noted) >= MAX_TOKENS:
                    return
                self._noted[token_id] = deque(maxlen=KEPT)
            self._noted[token_id].append(request)

    def write(self) -> None:
        """Writes everything that was noted, in one round trip, or drops it."""
        with self._adding:
            noted, self._noted = self._noted, {}
        if noted:
            with suppress(redis.RedisAway):
                redis.ask(lambda client: _push(client, noted))

    def keep_writing(self) -> None:
        """Writes every second, from a thread of its own."""
        threading.Thread(target=self._write_on, name="last-requests", daemon=True).start()

    def _write_on(self) -> None:
        while True:
            time.sleep(WRITTEN_EVERY_S)
            self.write()


# Of a process that answers requests; others note nothing.
_notes: Notes | None = None


def begin() -> None:
    """Has this process note requests from now on."""
    global _notes
    _notes = Notes()
    _notes.keep_writing()


def note(token_id: int, request: LastRequest) -> None:
    """Notes a token's request. Waits for nothing; costs a microsecond."""
    if _notes is not None:
        _notes.add(token_id, request)


def of(token_id: int) -> list[LastRequest]:
    """The token's last requests, newest first. Raises RedisAway."""
    return redis.ask(lambda client: _read(client, token_id))


def _push(client: Redis, noted: Mapping[int, Sequence[LastRequest]]) -> None:
    pipeline = client.pipeline(transaction=False)
    for token_id, requests in noted.items():
        key = _key(token_id)
        pipeline.lpush(key, *(orjson.dumps(tuple(request)) for request in requests))
        pipeline.ltrim(key, 0, KEPT - 1)
        pipeline.expire(key, KEPT_FOR_S)
    pipeline.execute()


def _read(client: Redis, token_id: int) -> list[LastRequest]:
    """By their time: each process writes its own in turn."""
    stored = cast("list[bytes]", client.lrange(_key(token_id), 0, KEPT - 1))
    requests = (cast("list[Any]", orjson.loads(each)) for each in stored)
    return sorted((LastRequest(*request) for request in requests), key=lambda request: request.at, reverse=True)


def _key(token_id: int) -> str:
    return f"requests:{token_id}"


def note_use(kind: str, id_: int) -> None:
    """Notes that the thing of that kind and id is used now, in Redis, until a job stores it.

    A process notes the same thing at most once in NOTED_EVERY_S seconds. Without Redis, nothing is noted; a lost note
    is made again at the next use.
    """
    now = time.monotonic()
    noted = _noted.get((kind, id_))
    if noted is not None and now - noted < NOTED_EVERY_S:
        return
    if len(_noted) >= MAX_REMEMBERED:
        _noted.clear()
    _noted[kind, id_] = now
    with suppress(redis.RedisAway):
        redis.ask(lambda client: client.hset(f"used:{kind}", str(id_), repr(time.time())))


def take_uses(kind: str) -> dict[int, float]:
    """When each of that kind was used, by id, in Unix time; what is taken is noted no more. Raises RedisAway."""

    def read_and_forget(client: Redis) -> dict[int, float]:
        pipeline = client.pipeline(transaction=True)
        pipeline.hgetall(f"used:{kind}")
        pipeline.delete(f"used:{kind}")
        noted = cast("dict[bytes, bytes]", pipeline.execute()[0])
        return {int(id_): float(at) for id_, at in noted.items()}

    return redis.ask(read_and_forget)
