"""Many chats that enter the queue at once, when somebody comes or a department opens."""

from collections.abc import Mapping
from datetime import datetime

from django.db import connection

from apps.chats.events import ChatUpdated
from apps.chats.models import Chat
from apps.core import bus

_ENTER = """
UPDATE chats_chat c SET queued_at = t.since, version = c.version + 1
FROM unnest(%(ids)s::bigint[], %(since)s::timestamptz[]) AS t(id, since)
WHERE c.id = t.id AND c.widget_id = %(widget_id)s AND c.queued_at IS NULL AND c.agent_id IS NULL"""


def enter(widget_id: int, since: Mapping[int, datetime]) -> None:
    """These chats wait for a place since then; one that is being changed is looked at soon, and left here.

    Their integrators are told once each chat is looked at.
    """
    chats = Chat.objects.for_widget(widget_id).filter(pk__in=since, queued_at=None, agent=None)
    locked = list(chats.select_for_update(skip_locked=True).order_by("pk").values_list("pk", flat=True))
    if not locked:
        return
    with connection.cursor() as cursor:
        cursor.execute(_ENTER, {"widget_id": widget_id, "ids": locked, "since": [since[chat_id] for chat_id in locked]})
    bus.publish(*(ChatUpdated(widget_id=widget_id, chat_id=chat_id) for chat_id in locked))
