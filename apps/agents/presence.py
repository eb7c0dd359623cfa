"""Who of a widget's operators is online: live presence, not the stored status.

It lives in Redis alone, as one sorted set a widget: operators by the time until which they count as online. Who holds
an operator's socket marks them online again before LASTS_S are over. Without Redis no operator counts as online.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from redis import Redis

from apps.core import redis

LASTS_S = 45.0


def mark_online(*, widget_id: int, agent_id: int) -> None:
    """Lets an operator count as online for the next LASTS_S seconds."""
    _tell(lambda client: client.zadd(_key(widget_id), {str(agent_id): time.time() + LASTS_S}))


def mark_offline(*, widget_id: int, agent_id: int) -> None:
    """Ends an operator's presence at once."""
    _tell(lambda client: client.zrem(_key(widget_id), agent_id))


def online_agents(widget_id: int) -> frozenset[int]:
    """The ids of the widget's operators who are online."""
    try:
        found = redis.ask(lambda client: client.zrangebyscore(_key(widget_id), time.time(), "+inf"))
    except redis.RedisAway:
        return frozenset()
    return frozenset(int(agent_id) for agent_id in found)  # type: ignore[union-attr]


def _key(widget_id: int) -> str:
    return f"presence:{widget_id}"


def _tell(command: Callable[[Redis], Any]) -> None:
    with suppress(redis.RedisAway):  # it is marked again before long
        redis.ask(command)
