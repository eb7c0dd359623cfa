"""The online operators of a widget: a copy in Redis of live presence, for frequent reads.

The truth stands in PostgreSQL (`actions.presence`); the visitor's side and the events go by that. The copy is one
sorted set a widget: operators by the time until which they count as online. Realtime processes write it again every few
seconds, so a Redis that lost it, or was away, has it again soon.

Without Redis presence can't be read. `presence_of` says so; if an answer has no room for that (the member `online` and
its filter), every operator counts as offline.
"""

import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Any

from redis import Redis

from apps.agents.rules import PRESENCE_LASTS_S
from apps.core import redis


class Presence(StrEnum):
    """The presence of an operator; UNKNOWN while it can't be read."""

    ONLINE = "online"
    OFFLINE = "offline"
    UNKNOWN = "unknown"


def mark_online(*, widget_id: int, agent_id: int) -> None:
    """Lets an operator count as online for the next PRESENCE_LASTS_S seconds."""
    _tell(lambda client: client.zadd(_key(widget_id), {str(agent_id): time.time() + PRESENCE_LASTS_S}))


def mark_offline(*, widget_id: int, agent_id: int) -> None:
    """Ends an operator's presence at once."""
    _tell(lambda client: client.zrem(_key(widget_id), agent_id))


def write_anew(agents: Mapping[int, Collection[int]]) -> None:
    """Makes these operators, by widget, the only ones of their widgets who count as online, in one round trip."""

    def write(client: Redis) -> None:
        until = time.time() + PRESENCE_LASTS_S
        pipeline = client.pipeline(transaction=True)
        for widget_id, agent_ids in agents.items():
            pipeline.delete(_key(widget_id))
            if agent_ids:
                pipeline.zadd(_key(widget_id), {str(agent_id): until for agent_id in agent_ids})
        pipeline.execute()

    _tell(write)


def online_agents(widget_id: int) -> frozenset[int]:
    """The ids of the widget's operators who are online; of none while presence can't be read."""

    def read(client: Redis) -> frozenset[int]:
        found: Any = client.zrangebyscore(_key(widget_id), time.time(), "+inf")
        return frozenset(int(agent_id) for agent_id in found)

    try:
        return redis.ask(read)
    except redis.RedisAway:
        return frozenset()


def presence_of(widget_id: int, agent_ids: Collection[int]) -> Mapping[int, Presence]:
    """The presence of each of the widget's operators that are named, in one question to Redis."""
    ids = list(agent_ids)
    if not ids:
        return {}
    try:
        until: Any = redis.ask(lambda client: client.zmscore(_key(widget_id), [str(id_) for id_ in ids]))
    except redis.RedisAway:
        return dict.fromkeys(ids, Presence.UNKNOWN)
    now = time.time()
    return {
        id_: Presence.OFFLINE if end is None or end < now else Presence.ONLINE
        for id_, end in zip(ids, until, strict=True)
    }


def _key(widget_id: int) -> str:
    return f"presence:{widget_id}"


def _tell(command: Callable[[Redis], Any]) -> None:
    with suppress(redis.RedisAway):  # it is marked again before long
        redis.ask(command)
