"""What becomes of a message on its way to a messenger. Which app carries it on, chats does not know."""

from datetime import datetime
from typing import Any

from django.db import transaction

from apps.chats.actions.changes import raise_version
from apps.chats.events import ChatUpdated
from apps.chats.models import Message
from apps.chats.rules.delivery import DeliveryState, moves
from apps.core import bus


@transaction.atomic
def note_delivery(
    *,
    widget_id: int,
    message_id: int,
    state: DeliveryState,
    at: datetime,
    attempts: int = 0,
    code: str | None = None,
    detail: str | None = None,
) -> bool:
    """Writes what is known of a message's delivery, which goes forward only; returns whether that was so.

    A failed one is queued again by whoever sends it again (`state` QUEUED from FAILED).
    """
    message = Message.objects.of(widget_id).select_for_update(of=("self",), no_key=True).filter(pk=message_id).first()
    if message is None or message.delivery is None or not moves(message.delivery["state"], state):
        return False
    delivery: dict[str, Any] = {"state": state, "code": code, "detail": detail, "attempts": attempts}
    message.delivery = {**delivery, "at": at.isoformat().replace("+00:00", "Z")}
    message.save(update_fields=["delivery"])
    raise_version(message.chat_id)
    bus.publish(ChatUpdated(widget_id=widget_id, chat_id=message.chat_id))
    return True
