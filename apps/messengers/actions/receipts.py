"""Receipts of providers for messages that were sent: delivered, read, or failed.

A receipt is stored like a message that comes in, and handled by a worker: all of a connection in one line.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.chats.actions import mark_seen
from apps.chats.actions.delivery import note_delivery
from apps.chats.models import Message
from apps.chats.rules.delivery import DeliveryState
from apps.core.database import fetch_all
from apps.messengers.actions.outgoing import Outgoing
from apps.messengers.models import Connection, EarlyReceipt, OutboundMessage
from apps.messengers.rules.delivery import FailureCode
from apps.messengers.rules.inbound import InboundMessage, Receipt
from apps.messengers.rules.providers import cleaned

# No provider's conversation is called so.
LINE = "~receipts"
# How many messages one "all until then" is looked for among: the newest.
NEWEST = 100
# For how long a receipt waits for the answer of the call that sent, and how many of a connection do.
EARLY_LIVES, MOST_EARLY = timedelta(minutes=10), 1_000


def as_arrivals(receipts: Iterable[Receipt]) -> list[InboundMessage]:
    """Receipts as what is stored of an update, each under a name of its own."""
    return [_as_arrival(asdict(receipt)) for receipt in receipts]


def _as_arrival(part: Mapping[str, Any]) -> InboundMessage:
    name = hashlib.sha256(orjson.dumps(part, option=orjson.OPT_SORT_KEYS)).hexdigest()
    return InboundMessage(LINE, name, part)


def apply_receipt(connection: Connection, part: Mapping[str, Any]) -> bool:
    """Moves the delivery of the messages that a receipt is of forward, never back; who has read, has seen.

    A message of several parts has come as far as its last one; it fails with any of them, also after the last one was
    delivered. An unknown receipt is kept (`apply_early`); returns whether there is something of that.
    """
    receipt = Receipt(**part)
    rows = _sent(connection, receipt)
    known = {external_id for row in rows for external_id in row.external_ids}
    kept = _keep_early(connection, receipt, known)
    fails = receipt.state == DeliveryState.FAILED
    for row in rows:
        if fails or receipt.until_ms is not None or row.external_ids[-1] in receipt.external_ids:
            _move(connection, row, receipt)
    return kept


def apply_early(connection: Connection, row: OutboundMessage, conversation: str) -> None:
    """Looks at the receipts that came before the provider had said what it calls the parts of that message.

    Called when the ids are stored, outside of their transaction: a receipt that comes at the same moment is kept before
    it looks for them once more, so one of both finds the other.
    """
    now = timezone.now()
    early = EarlyReceipt.objects.for_widget(row.widget_id).filter(connection=connection.pk)
    of_it = Q(external_id__in=row.external_ids) | Q(external_id="", conversation=conversation)
    for kept in list(early.filter(of_it, received_at__gt=now - EARLY_LIVES).order_by("id")):
        with transaction.atomic():
            if not apply_receipt(connection, orjson.loads(kept.part)):
                early.filter(pk=kept.pk).exclude(external_id="").delete()


_EARLY = """
SELECT DISTINCT connection_id FROM messengers_earlyreceipt
WHERE connection_id = ANY (%(connections)s::bigint[]) AND received_at > %(since)s
/* unscoped: of connections that have sent */"""


def apply_early_of(sent: Sequence[Outgoing]) -> None:
    """`apply_early` of many messages, of which most have none: one statement tells."""
    used = list({given.used.pk for given in sent})
    if not used:
        return
    early = {id_ for (id_,) in fetch_all(_EARLY, {"connections": used, "since": timezone.now() - EARLY_LIVES})}
    for given in sent:
        if given.used.pk in early:
            apply_early(given.used, given.row, given.peer.conversation)


def _keep_early(connection: Connection, receipt: Receipt, known: Collection[str]) -> bool:
    """Keeps what a receipt says of ids that are not known, while something is on its way by the connection."""
    rows = OutboundMessage.objects.for_widget(connection.widget_id).filter(
        channel=connection.channel, peer__account=connection.account, done_at__isnull=True
    )
    if receipt.until_ms is not None:
        rows, names = rows.filter(peer__conversation=receipt.conversation), [""]
    else:
        names = [external_id for external_id in receipt.external_ids if external_id and external_id not in known]
    begun = rows.filter(Q(is_begun=True) | ~Q(external_ids=[]))
    if not names or not begun.exists():
        return False
    early, now = EarlyReceipt.objects.for_widget(connection.widget_id).filter(connection=connection.pk), timezone.now()
    early.filter(received_at__lt=now - EARLY_LIVES).delete()
    if early.count() >= MOST_EARLY:
        return False
    for name in names:
        part = {**asdict(receipt), "external_ids": [name] if name else []}
        about = {"connection_id": connection.pk, "external_id": name, "conversation": receipt.conversation}
        if not early.filter(external_id=name, conversation=receipt.conversation, state=receipt.state).exists():
            EarlyReceipt.objects.create(
                widget_id=connection.widget_id, **about, state=receipt.state, part=orjson.dumps(part).decode()
            )
    return True


def _move(connection: Connection, row: OutboundMessage, receipt: Receipt) -> None:
    state = DeliveryState(receipt.state)
    code = receipt.code or FailureCode.REJECTED.value if state == DeliveryState.FAILED else None
    message = Message.objects.for_widget(row.widget_id).filter(pk=row.message_id).first()
    if message is None or message.delivery is None:
        return
    moved = note_delivery(
        widget_id=row.widget_id,
        message_id=row.message_id,
        state=state,
        at=timezone.now(),
        attempts=message.delivery["attempts"],
        code=code,
        detail=cleaned(receipt.detail, (connection.token, connection.hook_key)) or None if code else None,
        is_of_part=bool(code) and row.external_ids[-1] not in receipt.external_ids,
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
    return list(rows.filter(external_ids__overlap=sorted(ids)).order_by("message"))
