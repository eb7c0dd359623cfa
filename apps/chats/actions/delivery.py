"""A message's delivery to a messenger. `chats` does not know which app delivers it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import orjson
from django.db import transaction

from apps.chats.actions.changes import raise_version
from apps.chats.errors import CHAT_IS_SPAM, MESSAGE_NOT_FAILED
from apps.chats.events import ChatUpdated, MessageQueuedAgain
from apps.chats.models import Message
from apps.chats.rules import Status
from apps.chats.rules.delivery import EDIT_REFUSED, MOVED_ON, DeliveryState, moves, queued
from apps.core import bus
from apps.core.bus import Write
from apps.core.database import fetch_all
from apps.core.errors import NOT_FOUND


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryNote:
    """A delivery of a message, as far as it is known.

    sent_as: how its file went, where not as what it is. is_of_part: it is said of a part that is not the last one.
    """

    widget_id: int
    message_id: int
    state: DeliveryState
    at: datetime
    attempts: int = 0
    code: str | None = None
    detail: str | None = None
    sent_as: str | None = None
    is_of_part: bool = False


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

    The app that retries a failed message queues it again (`state` QUEUED from FAILED).
    """
    note = DeliveryNote(
        widget_id=widget_id,
        message_id=message_id,
        state=state,
        at=at,
        attempts=attempts,
        code=code,
        detail=detail,
        sent_as=sent_as,
        is_of_part=is_of_part,
    )
    return bool(note_deliveries([note]))


@transaction.atomic(savepoint=False)
def note_deliveries(notes: Sequence[DeliveryNote]) -> set[int]:
    """`note_delivery` of many messages, each once, by two statements; returns the ids of the deliveries that moved."""
    found, changes = _locked([note.message_id for note in notes]), []
    for note in notes:
        message = found.get(note.message_id)
        if message is None or message.widget_id != note.widget_id or message.delivery is None:
            continue
        before = message.delivery
        if not moves(before["state"], note.state, is_of_part=note.is_of_part):
            continue
        delivery: dict[str, Any] = {
            "state": note.state,
            "code": note.code,
            "detail": note.detail,
            "attempts": note.attempts,
        }
        delivery["sent_as"] = note.sent_as or (before.get("sent_as") if note.state in MOVED_ON else None)
        if note.state in MOVED_ON and before["code"] == EDIT_REFUSED:
            delivery |= {"code": before["code"], "detail": before["detail"]}
        changes.append((message, delivery, note.at))
    _write(changes)
    return {message.id for message, _, _ in changes}


@transaction.atomic
def note_change_of_sent(*, widget_id: int, message_id: int, refused: str | None, at: datetime) -> None:
    """Writes whether a messenger has changed what it had taken of a message that was edited or deleted.

    `refused` is why it has not (EDIT_REFUSED), None once it has. How far the message has come stays as it was.
    """
    message = _locked([message_id]).get(message_id)
    if message is None or message.widget_id != widget_id or message.delivery is None:
        return
    code = EDIT_REFUSED if refused is not None else None
    if (message.delivery["code"], message.delivery["detail"]) != (code, refused):
        _write([(message, {**message.delivery, "code": code, "detail": refused}, at)])


class _Delivered(NamedTuple):
    """A message, as it is locked."""

    id: int
    widget_id: int
    chat_id: int
    delivery: Mapping[str, Any] | None


# By hand: each send and each receipt asks it. The messages behind their chats, as those who change messages lock them,
# and the chats in one order, so that two who lock several wait for each other, and none fails.
_LOCK = """
WITH chat AS MATERIALIZED (
    SELECT id FROM chats_chat
    WHERE id = ANY (ARRAY(SELECT chat_id FROM chats_message WHERE id = ANY (%(ids)s::bigint[])))
    ORDER BY id FOR NO KEY UPDATE
)
SELECT id, widget_id, chat_id, delivery FROM chats_message
WHERE id = ANY (%(ids)s::bigint[]) AND chat_id = ANY (ARRAY(SELECT id FROM chat))
ORDER BY id FOR NO KEY UPDATE
/* unscoped: who asks compares each message's widget */"""
_NOTE = Write(
    """
noted AS MATERIALIZED (
    SELECT * FROM json_to_recordset(%(notes)s::json) AS note (id bigint, chat_id bigint, delivery jsonb)
), noted_message AS (
    UPDATE chats_message m SET delivery = noted.delivery FROM noted
    WHERE m.id = ANY (ARRAY(SELECT id FROM noted)) AND m.id = noted.id /* unscoped: locked before */
), noted_chat AS (
    UPDATE chats_chat c SET version = c.version + 1
    WHERE c.id = ANY (ARRAY(SELECT chat_id FROM noted)) /* unscoped: locked before */
), written AS (SELECT count(*) AS done FROM noted)""",
    "done",
)


def _locked(message_ids: Sequence[int]) -> dict[int, _Delivered]:
    """Messages by their ids, locked behind their chats."""
    rows = fetch_all(_LOCK, {"ids": list(message_ids)})
    return {
        id_: _Delivered(id_, widget_id, chat_id, orjson.loads(delivery) if delivery else None)
        for id_, widget_id, chat_id, delivery in rows
    }


def _write(changes: Sequence[tuple[_Delivered, Mapping[str, Any], datetime]]) -> None:
    if not changes:
        return
    notes = [
        {
            "id": message.id,
            "chat_id": message.chat_id,
            "delivery": {**delivery, "at": at.isoformat().replace("+00:00", "Z")},
        }
        for message, delivery, at in changes
    ]
    chats = {message.chat_id: message.widget_id for message, _, _ in changes}
    events = (ChatUpdated(widget_id=widget_id, chat_id=chat_id) for chat_id, widget_id in chats.items())
    bus.write_and_publish(_NOTE, {"notes": orjson.dumps(notes).decode()}, *events)


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
