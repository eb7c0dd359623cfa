"""The visitors who look at a page with the widget: in Redis, written every few seconds by who has their sockets.

One sorted set a widget: contacts by when they were last seen looking. A contact not seen for HERE_FOR_S has left.
Without Redis it is not known; nothing else rests on it.
"""

import time
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from django.db.models import Max
from redis import Redis

from apps.chats.models import Chat
from apps.chats.questions import UNKNOWN, VisitorPresence
from apps.core import redis
from apps.widget.models import VisitorSession
from apps.widget.querysets import CHANNEL
from apps.widget.rules.visits import RETURNS_WITHIN

HERE_FOR_S = 15.0
KEPT_S = 86_400


def mark_here(visitors: dict[int, set[int]]) -> None:
    """These contacts, by widget, look at the widget now. One round trip."""

    def write(client: Redis) -> None:
        now = time.time()
        pipeline = client.pipeline(transaction=False)
        for widget_id, contact_ids in visitors.items():
            key = _key(widget_id)
            pipeline.zadd(key, {str(contact_id): now for contact_id in contact_ids})
            pipeline.zremrangebyscore(key, "-inf", now - KEPT_S)
            pipeline.expire(key, KEPT_S)
        pipeline.execute()

    if visitors:
        with suppress(redis.RedisAway):  # it is marked again before long
            redis.ask(write)


def is_unreachable(widget_id: int, chat: Chat, now: datetime) -> bool | None:
    """Whether the visitor of a chat in the widget has not been on the site for long; None for another channel."""
    if chat.channel != CHANNEL:
        return None
    sessions = VisitorSession.objects.for_widget(widget_id).filter(contact_id=chat.contact_id, revoked_at=None)
    return not sessions.filter(last_seen_at__gte=now - RETURNS_WITHIN).exists()


def visitor_presence(widget_id: int, contact_ids: Collection[int]) -> dict[int, VisitorPresence]:
    """The presence of each of these contacts; of who was not seen for a day, when their last session was."""
    ids = list(contact_ids)
    if not ids:
        return {}
    try:
        seen: Any = redis.ask(lambda client: client.zmscore(_key(widget_id), [str(id_) for id_ in ids]))
    except redis.RedisAway:
        return dict.fromkeys(ids, UNKNOWN)
    now = time.time()
    found = {
        id_: VisitorPresence("here") if now - at < HERE_FOR_S else VisitorPresence("left", _moment(at))
        for id_, at in zip(ids, seen, strict=True)
        if at is not None
    }
    missing = [id_ for id_ in ids if id_ not in found]
    if missing:
        sessions = VisitorSession.objects.for_widget(widget_id).filter(contact_id__in=missing)
        latest = dict(sessions.values_list("contact_id").annotate(at=Max("last_seen_at")))
        found |= {id_: VisitorPresence("left", latest.get(id_)) for id_ in missing}
    return found


def _moment(at: float) -> datetime:
    return datetime.fromtimestamp(int(at), UTC)


def _key(widget_id: int) -> str:
    return f"visitors:{widget_id}"
