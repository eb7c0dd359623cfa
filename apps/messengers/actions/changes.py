"""Operators' edits and deletions of messages that leave by a messenger: what has not left goes as it is by then, or not
at all; what has left is changed there, behind the call that sent it, where the messenger takes changes.

A change is told of by the message's own row in the queue, which is worked on once more (`OutboundMessage.changed_at`).
An edit that says what stands there already, and the deletion of what is gone, are taken for done: a change that is
repeated doubles nothing.
"""

from django.utils import timezone

from apps import leases
from apps.chats.actions.delivery import forget_deliveries, note_change_of_sent
from apps.chats.models import Message
from apps.chats.rules import Via
from apps.chats.rules.edits import MessageChange
from apps.messengers.actions.outgoing import Outgoing
from apps.messengers.actions.provider_calls import Way
from apps.messengers.adapters import ADAPTERS, is_messenger
from apps.messengers.models import OutboundJob, OutboundMessage
from apps.messengers.rules.delivery import CALL_BACK_S, Failure, MessagePart
from apps.messengers.rules.providers import AVITO, cabinet_of


def can_change(widget_id: int, message_id: int, channel: str) -> bool:
    """Whether a message to a messenger may be edited and deleted: it has not left yet, or the messenger takes changes.

    Called in the transaction of the change: until it ends no worker begins to send the message.
    """
    if not is_messenger(channel):
        return False
    row = _locked(widget_id, message_id)
    if row is None:
        # It was written before the chat went on here: there was nothing to deliver.
        return Message.objects.for_widget(widget_id).filter(pk=message_id, delivery=None).exists()
    return not has_left(row) or takes_changes(row.channel)


def queue_change(*, widget_id: int, chat_id: int, message_id: int, change: MessageChange) -> None:
    """Has a message's change reach its messenger; one that has not left yet leaves as it is by then, or not at all."""
    row = _locked(widget_id, message_id)
    if row is None:
        return
    if not has_left(row):
        if change is MessageChange.DELETED:
            row.delete()
            forget_deliveries(widget_id=widget_id, chat_id=chat_id, message_ids=[message_id])
        return
    if not takes_changes(row.channel) or row.peer_id is None:
        return
    if row.is_failed and change is MessageChange.EDITED:
        return  # what of it was taken is edited when the rest is sent again (`outbox.queue_again`)
    if row.done_at is not None:
        row.is_sent, row.attempts, row.done_at = row.is_sent or not row.is_failed, 0, None
    row.changed_at = timezone.now()
    row.save(update_fields=["is_sent", "changed_at", "attempts", "done_at"])
    leases.enqueue(OutboundJob, unique={"peer_id": row.peer_id}, values={"widget_id": widget_id})
    leases.wake_workers()


def takes_changes(channel: str) -> bool:
    """Whether what has left by a channel can be edited and called back there."""
    return ADAPTERS[AVITO if cabinet_of(channel) is not None else channel].can.takes_changes


def call_back_s(channel: str, via: str | None) -> int:
    """For how many seconds a message stays here, so that its writer may take it back: what people write in the console,
    where the messenger takes no changes.
    """
    return CALL_BACK_S if via == Via.CONSOLE and not takes_changes(channel) else 0


def has_left(row: OutboundMessage) -> bool:
    """Whether the provider may have heard of a message."""
    if row.is_failed:
        return bool(row.external_ids)
    return row.is_begun or row.done_at is not None or bool(row.external_ids)


def drop(row: OutboundMessage, message: Message) -> None:
    """A message that was deleted before any of it was taken is not sent any more."""
    OutboundMessage.objects.for_widget(row.widget_id).filter(pk=row.pk).delete()
    forget_deliveries(widget_id=row.widget_id, chat_id=message.chat_id, message_ids=[message.pk])


async def call_back(way: Way, outgoing: Outgoing, keep: int = 0) -> None:
    """Has the provider delete a message's parts but the first `keep`, the last one first. Raises ProviderCallFailed."""
    row = outgoing.row
    while len(row.external_ids) > keep:
        await outgoing.adapter.delete(outgoing.client(way), outgoing.peer.conversation, row.external_ids[-1])
        row.external_ids = row.external_ids[:-1]
        await way.ask(outgoing.keep, "external_ids")


async def edit(way: Way, outgoing: Outgoing, parts: list[MessagePart]) -> None:
    """Has the provider give what it has of a message the texts that it has now; what is too much of it is deleted.

    Raises ProviderCallFailed.
    """
    for part, external_id in zip(parts, outgoing.row.external_ids, strict=False):
        await outgoing.adapter.edit(outgoing.client(way), outgoing.peer.conversation, external_id, part)
        await way.ask(outgoing.lease.renew)
    await call_back(way, outgoing, keep=len(parts))


def note_refused(row: OutboundMessage, failure: Failure) -> None:
    """Records that the provider did not change a message that it has taken; for the transaction of the row."""
    _note(row, failure)


def note_changed(row: OutboundMessage) -> None:
    """Records that the provider has the message as it is here; for the transaction of the row."""
    _note(row, None)


def _note(row: OutboundMessage, failure: Failure | None) -> None:
    refused = None if failure is None else failure.detail or failure.code.value
    note_change_of_sent(widget_id=row.widget_id, message_id=row.message_id, refused=refused, at=timezone.now())


def _locked(widget_id: int, message_id: int) -> OutboundMessage | None:
    return OutboundMessage.objects.for_widget(widget_id).select_for_update().filter(pk=message_id).first()
