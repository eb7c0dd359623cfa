"""Receipts of providers for messages that were sent: delivered, read, or failed.

A receipt is stored like a message that comes in, and handled by a worker: all of a connection in one line.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import orjson
from django.utils import timezone

from apps.chats.actions import mark_seen
from apps.chats.actions.delivery import note_delivery
from apps.chats.models import Message
from apps.chats.rules.delivery import DeliveryState
from apps.messengers.models import Connection, OutboundMessage
from apps.messengers.rules.delivery import FailureCode
from apps.messengers.rules.inbound import InboundMessage, Receipt
from apps.messengers.rules.providers import cleaned

# No provider's conversation is called so.
LINE = "~receipts"
# How many messages one "all until then" is looked for among: the newest.
NEWEST = 100


def as_arrivals(receipts: Iterable[Receipt]) -> list[InboundMessage]:
    """Receipts as what is stored of an update, each under a name of its own."""
    return [_as_arrival(asdict(receipt)) for receipt in receipts]


def _as_arrival(part: Mapping[str, Any]) -> InboundMessage:
    name = hashlib.sha256(orjson.dumps(part, option=orjson.OPT_SORT_KEYS)).hexdigest()
    return InboundMessage(LINE, name, part)


def apply_receipt(connection: Connection, part: Mapping[str, Any]) -> None:
    """Moves the delivery of the messages that a receipt is of forward, never back; who has read, has seen.

    A message of several parts has come as far as its last one; it fails with any of them.
    """
    receipt = Receipt(**part)
    state = DeliveryState(receipt.state)
    for row in _sent(connection, receipt):
        code = receipt.code or FailureCode.REJECTED.value if state == DeliveryState.FAILED else None
        message = Message.objects.for_widget(row.widget_id).filter(pk=row.message_id).first()
        if message is None or message.delivery is None:
            continue
        moved = note_delivery(
            widget_id=row.widget_id,
            message_id=row.message_id,
            state=state,
            at=timezone.now(),
            attempts=message.delivery["attempts"],
            code=code,
            detail=cleaned(receipt.detail, (connection.token, connection.hook_key)) or None if code else None,
        )
        if moved and code:
            OutboundMessage.objects.for_widget(row.widget_id).filter(pk=row.pk).update(is_failed=True)
        if moved and state == DeliveryState.READ:
            mark_seen(widget_id=row.widget_id, chat_id=message.chat_id, message_id=message.pk, seen_by="USER")


def _sent(connection: Connection, receipt: Receipt) -> Sequence[OutboundMessage]:
    """The messages that a receipt is of, which went by this connection. Index: messengers_outbound_external."""
    rows = OutboundMessage.objects.for_widget(connection.widget_id).filter(
        channel=connection.channel, peer__account=connection.account, done_at__isnull=False
    )
    if receipt.until_ms is not None:
        until = datetime.fromtimestamp(min(receipt.until_ms, 2**42) / 1000, UTC)
        rows = rows.filter(peer__conversation=receipt.conversation, queued_at__lte=until, is_failed=False)
        return list(rows.order_by("-message")[:NEWEST])
    ids = set(receipt.external_ids)
    if receipt.conversation:
        rows = rows.filter(peer__conversation=receipt.conversation)
    found = rows.filter(external_ids__overlap=sorted(ids)).order_by("message")
    fails = receipt.state == DeliveryState.FAILED
    return [row for row in found if fails or row.external_ids[-1] in ids]
