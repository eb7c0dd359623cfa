"""At most once in a given time, by Redis's clock. It fails open: without Redis everything may be done."""

from typing import cast

from redis import Redis

from apps.core.redis import connection as redis

NEVER_EXPIRES = -1  # what PTTL says of a key without an expiry


def wait_before(key: str, *, every_ms: int) -> int:
    """0 if the thing named `key` may be done now, which is then noted; else the milliseconds until it may be.

    Exact: of any number of callers at once one is let through, and the next one `every_ms` later. A key that never
    expires is not ours, and holds nothing back.
    """

    def note(client: Redis) -> tuple[bool | None, int]:
        pipeline = client.pipeline(transaction=True)
        pipeline.set(f"pace:{key}", b"", nx=True, px=every_ms)
        pipeline.pttl(f"pace:{key}")
        return cast("tuple[bool | None, int]", tuple(pipeline.execute()))

    try:
        is_first, wait_ms = redis.ask(note)
    except redis.RedisAway:
        return 0
    return 0 if is_first or wait_ms == NEVER_EXPIRES else max(1, wait_ms)
