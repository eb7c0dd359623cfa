"""Redis (or Valkey): what can be lost. Rate limits, hints to other processes that there is something to look at.

`ask` is the way to a question; without Redis it raises RedisAway at once, and the caller goes on without.
"""

from apps.core.redis.connection import RedisAway, ask

__all__ = ["RedisAway", "ask"]
