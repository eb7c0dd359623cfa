"""A message's delivery to a messenger. `chats` does not know which app delivers it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.chats.actions.changes import raise_version
from apps.chats.errors import CHAT_IS_SPAM, MESSAGE_NOT_FAILED
from apps.chats.events import ChatUpdated, MessageQueuedAgain
from apps.chats.models import Chat, Message
from apps.chats.rules import Status
from apps.chats.rules.delivery import EDIT_REFUSED, MOVED_ON, DeliveryState, moves, queued
from apps.core import bus
from apps.core.errors import NOT_FOUND


@transaction.atomic(savepoint=False)
def note_delivery(
    *,
    widget_id: int,
    message_id: int,
    state: DeliveryState,
    at: datetime,
    attempts: int = 0,
    code: str | None = None,
    detail: str | None = None,
    sent_as: str | None = None,
    is_of_part: bool = False,
) -> bool:
    """Writes what is known of a message's delivery, which goes forward only; returns whether that was so.

    sent_as: how its file went, where not as what it is. is_of_part: it is said of a part that is not the last one.

    The app that retries a failed message queues it again (`state` QUEUED from FAILED).
    """
    message = _locked(widget_id, message_id)
    if (
        message is None
        or message.delivery is None
        or not moves(message.delivery["state"], state, is_of_part=is_of_part)
    ):
        return False
    before = message.delivery
    delivery: dict[str, Any] = {"state": state, "code": code, "detail": detail, "attempts": attempts}
    delivery["sent_as"] = sent_as or (before.get("sent_as") if state in MOVED_ON else None)
    if state in MOVED_ON and before["code"] == EDIT_REFUSED:
        delivery |= {"code": before["code"], "detail": before["detail"]}
    _write(message, delivery, at)
    return True


@transaction.atomic
def note_change_of_sent(*, widget_id: int, message_id: int, refused: str | None, at: datetime) -> None:
    """Writes whether a messenger has changed what it had taken of a message that was edited or deleted.

    `refused` is why it has not (EDIT_REFUSED), None once it has. How far the message has come stays as it was.
    """
    message = _locked(widget_id, message_id)
    if message is None or message.delivery is None:
        return
    code = EDIT_REFUSED if refused is not None else None
    if (message.delivery["code"], message.delivery["detail"]) != (code, refused):
        _write(message, {**message.delivery, "code": code, "detail": refused}, at)


def _locked(widget_id: int, message_id: int) -> Message | None:
    """The message, locked behind its chat, as those who change messages do."""
    chats = Chat.objects.for_widget(widget_id).select_for_update(of=("self",), no_key=True)
    if chats.filter(messages=message_id).values_list("pk", flat=True).first() is None:
        return None
    messages = Message.objects.for_widget(widget_id)
    return messages.select_for_update(of=("self",), no_key=True).filter(pk=message_id).first()


def _write(message: Message, delivery: Mapping[str, Any], at: datetime) -> None:
    message.delivery = {**delivery, "at": at.isoformat().replace("+00:00", "Z")}
    message.save(update_fields=["delivery"])
    raise_version(message.chat_id)
    bus.publish(ChatUpdated(widget_id=message.widget_id, chat_id=message.chat_id))


@transaction.atomic
def queue_deliveries(*, widget_id: int, chat_id: int, message_ids: Sequence[int], at: datetime) -> None:
    """On-site messages are on their way by mail: operators see it from now on."""
    rows = Message.objects.for_widget(widget_id).filter(chat_id=chat_id, pk__in=message_ids)
    rows.update(delivery=dict(queued(at)))
    raise_version(chat_id)
    bus.publish(ChatUpdated(widget_id=widget_id, chat_id=chat_id))


@transaction.atomic
def forget_deliveries(*, widget_id: int, chat_id: int, message_ids: Sequence[int]) -> None:
    """On-site messages were seen before they went out by mail: nothing is on its way any more."""
    rows = Message.objects.for_widget(widget_id).filter(chat_id=chat_id, pk__in=message_ids)
    rows.update(delivery=None)
    raise_version(chat_id)
    bus.publish(ChatUpdated(widget_id=widget_id, chat_id=chat_id))


@transaction.atomic
def send_message_again(*, widget_id: int, message_id: int, now: datetime) -> None:
    """Queues a message that had failed on its way to a messenger: it is sent before what waits behind it.

    Raises NOT_FOUND, MESSAGE_NOT_FAILED for one in any other state, and CHAT_IS_SPAM, into which nothing is sent.
    """
    rows = Message.objects.for_widget(widget_id).select_related("chat__contact")
    message = rows.select_for_update(of=("self",), no_key=True).filter(pk=message_id).first()
    if message is None:
        raise NOT_FOUND()
    if message.delivery is None or message.delivery["state"] != DeliveryState.FAILED:
        raise MESSAGE_NOT_FAILED()
    chat = message.chat
    if chat.status == Status.SPAM:
        raise CHAT_IS_SPAM()
    note_delivery(widget_id=widget_id, message_id=message_id, state=DeliveryState.QUEUED, at=now)
    bus.publish(
        MessageQueuedAgain(
            widget_id=widget_id,
            chat_id=chat.pk,
            message_id=message_id,
            contact_guid=str(chat.contact.guid),
            channel=chat.channel,
        )
    )
