"""Whether Redis can be used: by one round of the service's usual commands."""

import time

from redis import Redis

from apps.core.redis import broadcasts, rate_limits, wakeups
from apps.core.redis import connection as redis

KEY = "readyz"
NEVER_USED_UP = 10_000_000  # a limit that is reached would write nothing
LASTS_MS = 60_000


def is_usable() -> bool:
    """True if Redis takes a rate limit, a presence and a broadcast now, and has a queue for wake-ups.

    A PING is answered by a full or read-only one, too.
    False also in the second after another question failed: then nothing of this process asks it.
    """
    try:
        redis.ask(_use)
    except redis.RedisAway:
        return False
    return True


def _use(client: Redis) -> None:
    rate_limits.take(client, KEY, NEVER_USED_UP)
    presence = f"presence:{KEY}"
    client.zadd(presence, {KEY: time.time()})
    client.pexpire(presence, LASTS_MS)
    client.publish(broadcasts.channel(KEY), b"[]")
    client.llen(wakeups.QUEUE)  # an error if something else stands there
