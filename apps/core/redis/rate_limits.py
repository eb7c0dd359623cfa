"""The per-key rate limit, and the epoch that cached permissions live in: one round trip for both.

The limit is GCRA with the server's clock: `limit` requests at once, then one each 60/limit seconds. It fails open:
without Redis every request passes, counted by a metric.
"""

import hashlib
import time
from typing import Any, NamedTuple, cast

from django.conf import settings
from django.http.response import HttpResponseBase
from redis import Redis
from redis.exceptions import NoScriptError

from apps.core.observability import metrics
from apps.core.redis import connection as redis

WINDOW_MS = 60_000
NEVER_EXPIRES = -1  # what PTTL says of a key without an expiry
EPOCH_KEY = "auth:epoch"

# KEYS: the limit's key, the epoch. ARGV: limit, window in ms, a name for the epoch should there be none.
# Answers: allowed (1/0), remaining, ms until the whole budget is back, ms until one request passes, the epoch.
_GCRA = """
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval = ARGV[2] / ARGV[1]
local window = tonumber(ARGV[2])
local tat = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local allowed, wait = 1, 0
if tat + interval - now > window then
  allowed, wait = 0, tat + interval - now - window
else
  tat = tat + interval
  redis.call('SET', KEYS[1], string.format('%.3f', tat), 'PX', math.ceil(tat - now))
end
local epoch = redis.call('GET', KEYS[2])
if not epoch then
  epoch = ARGV[3]
  redis.call('SET', KEYS[2], epoch)
end
return {allowed, math.floor((window - (tat - now)) / interval + 0.001), math.ceil(tat - now), math.ceil(wait), epoch}
"""


class RateLimitState(NamedTuple):
    """The rest of a limit after this request. `epoch` is None when Redis could not be asked."""

    allowed: bool
    limit: int
    remaining: int
    full_again_in_s: float
    retry_after_s: int
    epoch: bytes | None

    def write_headers(self, response: HttpResponseBase) -> None:
        """Adds X-RateLimit-Limit, -Remaining and -Reset (Unix time at which the whole budget is back)."""
        headers = response.headers
        headers["X-RateLimit-Limit"] = str(self.limit)
        headers["X-RateLimit-Remaining"] = str(self.remaining)
        headers["X-RateLimit-Reset"] = str(int(time.time() + self.full_again_in_s) + 1)


def spend(key: str, limit: int | None = None) -> RateLimitState:
    """Takes one request from the budget of `key` (default limit: settings.API_RATE_LIMIT a minute)."""
    limit = limit or settings.API_RATE_LIMIT
    try:
        allowed, remaining, full_ms, wait_ms, epoch = redis.ask(lambda client: take(client, key, limit))
    except redis.RedisAway:
        metrics.RATE_LIMIT_FAILED_OPEN.inc()
        return RateLimitState(True, limit, limit, 0.0, 0, None)
    return RateLimitState(bool(allowed), limit, remaining, full_ms / 1000, -(-wait_ms // 1000), epoch)


def take(client: Redis, key: str, limit: int) -> tuple[int, int, int, int, bytes]:
    """The script's answer: allowed, remaining, ms to the whole budget, ms to one request, the epoch."""
    arguments = (2, f"limit:{key}", EPOCH_KEY, limit, WINDOW_MS, time.time_ns())
    try:
        answer = client.evalsha(_GCRA_SHA, *arguments)
    except NoScriptError:
        answer = client.eval(_GCRA, *arguments)
    allowed, remaining, full_ms, wait_ms, epoch = cast("list[Any]", answer)
    return allowed, remaining, full_ms, wait_ms, epoch


_GCRA_SHA = hashlib.sha1(_GCRA.encode(), usedforsecurity=False).hexdigest()


def begin_new_epoch() -> bool:
    """Makes every process forget the permissions it has cached, from its next request on.

    Call it after the commit that changed a token, its widget or its account. False when Redis could not be told; while
    it is away nothing is cached, but what was cached before may be used again should it return with the old epoch.
    """
    try:
        redis.ask(lambda client: client.set(EPOCH_KEY, time.time_ns()))
    except redis.RedisAway:
        metrics.EPOCH_NOT_TOLD.inc()
        return False
    return True


def wait_before(key: str, *, every_ms: int) -> int:
    """How long a thing that may be done once in a given time has to wait, by Redis's clock; without Redis, not at all.

    0 if the thing named `key` may be done now, which is then noted; else the milliseconds until it may be.

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
