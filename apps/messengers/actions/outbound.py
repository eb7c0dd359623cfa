"""Outbound messages of providers: each conversation's messages one after the other, a part a call, with their outcomes.

At least once: a part is recorded when its provider has answered, so a process that ends in between sends that part
again. VK is given a key a part, by which it takes each once.
"""

import hashlib
import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from apps import leases
from apps.chats.actions.delivery import note_delivery
from apps.chats.models import File, Message
from apps.chats.rules.delivery import DeliveryState
from apps.chats.serializers.files import file_address
from apps.core.files import signed_addresses
from apps.messengers.actions.connections import has_credential_of, note_problem
from apps.messengers.actions.oauth import renewed
from apps.messengers.actions.provider_calls import adapter_of, line_of, wire_of
from apps.messengers.adapters.client import SEND_S, ProviderCallFailed
from apps.messengers.adapters.client import File as WireFile
from apps.messengers.models import Connection, OutboundJob, OutboundMessage, Peer
from apps.messengers.rules.delivery import (
    LONGEST_IN_QUEUE_S,
    PASSES,
    WAITS_S,
    Failure,
    FailureCode,
    MessagePart,
    parts_of,
    wait_of,
)
from apps.messengers.rules.providers import CabinetStatus, ProblemCode, cabinet_of, cleaned

ADDRESS_LIVES = timedelta(days=7)


def send_conversation(lease: leases.Lease[OutboundJob]) -> None:
    """Sends what waits for a conversation, in order, until something has to wait."""
    line = lease.row
    if line.peer_id is None:
        _fail_without_peer(line.widget_id)
        return
    peer = Peer.objects.for_widget(line.widget_id).filter(pk=line.peer_id).first()
    if peer is None:
        return
    while not lease.must_stop:
        row = OutboundMessage.objects.for_widget(line.widget_id).waiting(peer.pk).first()
        if row is None:
            return
        wait_s = send(peer, row)
        if wait_s is not None:
            lease.later(wait_s)
            return
    lease.give_back()


def _fail_without_peer(widget_id: int) -> None:
    """Fails messages to a contact who has not written by that messenger: they have no recipient."""
    for row in OutboundMessage.objects.for_widget(widget_id).waiting(None):
        _fail(row, Failure(FailureCode.NO_RECIPIENT))


def send(peer: Peer, row: OutboundMessage) -> float | None:
    """Sends what is left of a message; returns the seconds after which it is tried again, None once it is done with."""
    message = Message.objects.for_widget(row.widget_id).filter(pk=row.message_id).first()
    if message is None:
        OutboundMessage.objects.for_widget(row.widget_id).filter(pk=row.pk).delete()
        return None
    connection = connection_to(peer)
    if connection is None:
        _fail(row, Failure(FailureCode.NOT_CONNECTED))
        return None
    if connection.provider == "av" and connection.status != CabinetStatus.ENABLED:
        _fail(row, Failure(FailureCode.DISABLED))
        return None
    now = timezone.now()
    if now - row.queued_at > timedelta(seconds=LONGEST_IN_QUEUE_S):
        _fail(row, Failure(FailureCode.UNAVAILABLE, "It waited for a day."))
        return None
    if connection.rests_until is not None and connection.rests_until > now:
        return (connection.rests_until - now).total_seconds()
    try:
        connection = renewed(connection)
        _send_parts(connection, peer, row, message)
    except ProviderCallFailed as error:
        return _failed(connection, row, error.failure)
    _done(connection, row)
    return None


def connection_to(peer: Peer) -> Connection | None:
    """The connection by which a peer is written to, as it is now."""
    rows = Connection.objects.for_widget(peer.widget_id)
    if (cabinet := cabinet_of(peer.channel)) is not None:
        return rows.filter(pk=cabinet, provider="av").first()
    return rows.filter(provider=peer.channel, account=peer.account).first()


def _send_parts(connection: Connection, peer: Peer, row: OutboundMessage, message: Message) -> None:
    adapter, details = adapter_of(connection), message.details or {}
    address = _address(row.widget_id, details)
    for part in parts_of(message.type, message.body, details, adapter.can, address)[len(row.external_ids) :]:
        uploads = adapter.can.uploads
        file = _bytes_of(row.widget_id, part) if part.file and message.type in uploads else None
        wire = wire_of(connection, each_s=SEND_S, all_s=2 * SEND_S)
        sent = adapter.send(wire, peer.conversation, part, key_of(row.message_id, part.number), file)
        row.external_ids = [*row.external_ids, sent[:255]]
        row.save(update_fields=["external_ids"])


def key_of(message_id: int, number: int) -> int:
    """A number that is the same for the same part of a message, and another for any other: 1 to 2^31 - 1."""
    named = hashlib.sha256(f"{message_id}:{number}".encode()).digest()
    return int.from_bytes(named[:4]) % (2**31 - 1) + 1


def _address(widget_id: int, details: Mapping[str, Any]) -> str:
    file = details.get("file")
    if not file:
        return ""
    until = time.time() + ADDRESS_LIVES.total_seconds() - signed_addresses.VALID_SECONDS
    return file_address(widget_id, file["id"], now=until)


def _bytes_of(widget_id: int, part: MessagePart) -> WireFile:
    about = part.file or {}
    stored = File.objects.for_widget(widget_id).filter(pk=about["id"]).first()
    if stored is None:
        raise ProviderCallFailed(Failure(FailureCode.NO_FILE, "The file is gone."))
    try:
        with default_storage.open(stored.storage_key) as content:
            return stored.name, content.read(), stored.content_type
    except FileNotFoundError:
        raise ProviderCallFailed(Failure(FailureCode.NO_FILE, "The file is gone.")) from None


def _failed(connection: Connection, row: OutboundMessage, failure: Failure) -> float | None:
    detail = cleaned(failure.detail, (*line_of(connection).hidden, connection.hook_key))
    failure = Failure(failure.code, detail, failure.retry_after_s)
    if failure.code in (FailureCode.CREDENTIAL_REJECTED, FailureCode.SLOW_DOWN) and not has_credential_of(connection):
        return 0  # said of a credential that has been replaced meanwhile: the new one is tried at once
    if failure.code == FailureCode.CREDENTIAL_REJECTED:
        note_problem(connection, ProblemCode.CREDENTIAL_REJECTED, detail)
    if failure.code not in PASSES:
        _fail(row, failure)
        return None
    if failure.code == FailureCode.SLOW_DOWN:
        wait_s: float = wait_of(failure)
        until = timezone.now() + timedelta(seconds=wait_s)
        Connection.objects.for_widget(row.widget_id).filter(pk=connection.pk).update(rests_until=until)
        return wait_s
    row.attempts += 1
    if row.attempts > len(WAITS_S):
        _fail(row, failure)
        return None
    with transaction.atomic():
        row.save(update_fields=["attempts"])
        _note(row, DeliveryState.QUEUED, failure)
    return WAITS_S[row.attempts - 1]


def _fail(row: OutboundMessage, failure: Failure) -> None:
    with transaction.atomic():
        row.is_failed, row.done_at = True, timezone.now()
        row.save(update_fields=["is_failed", "done_at", "attempts"])
        _note(row, DeliveryState.FAILED, failure)


def _done(connection: Connection, row: OutboundMessage) -> None:
    now = timezone.now()
    with transaction.atomic():
        row.done_at = now
        row.save(update_fields=["done_at"])
        _note(row, DeliveryState.SENT, None)
        changes: dict[str, Any] = {"last_outbound_at": now}
        if connection.problem_code == ProblemCode.CREDENTIAL_REJECTED:
            changes |= {"problem_code": "", "problem_detail": "", "problem_at": None}
        Connection.objects.for_widget(row.widget_id).filter(pk=connection.pk).update(**changes)


def _note(row: OutboundMessage, state: DeliveryState, failure: Failure | None) -> None:
    note_delivery(
        widget_id=row.widget_id,
        message_id=row.message_id,
        state=state,
        at=timezone.now(),
        attempts=row.attempts + (state == DeliveryState.SENT),
        code=failure.code.value if failure else None,
        detail=failure.detail or None if failure else None,
    )
