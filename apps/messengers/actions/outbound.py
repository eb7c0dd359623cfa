"""Outbound messages of providers: each conversation's messages one after the other, a part a call, with their outcomes.

At least once: a part is recorded when its provider has answered, so a process that ends in between sends that part
again. VK is given a key a part, by which it takes each once.
"""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone
from PIL import Image

from apps import leases
from apps.chats.actions.delivery import note_delivery
from apps.chats.models import File, Message
from apps.chats.questions import ai_disclosure
from apps.chats.rules import MessageType
from apps.chats.rules.delivery import DeliveryState
from apps.chats.rules.markup import MarkedText, read_markdown
from apps.chats.rules.messages import BY_PERSON, MACHINES, is_ai, spoken_name
from apps.chats.serializers.files import file_address
from apps.core.files import signed_addresses
from apps.messengers.actions.changes import begin, call_back, drop, edit, note_changed, note_refused
from apps.messengers.actions.connections import has_credential_of, note_problem
from apps.messengers.actions.oauth import renewed
from apps.messengers.actions.provider_calls import adapter_of, credentials_of, note_traffic, wire_of
from apps.messengers.actions.receipts import apply_early
from apps.messengers.adapters.client import SEND_S, ProviderCallFailed
from apps.messengers.adapters.client import File as WireFile
from apps.messengers.models import Connection, OutboundJob, OutboundMessage, Peer
from apps.messengers.rules.delivery import (
    LINK,
    LONGEST_IN_QUEUE_S,
    PASSES,
    PROBLEM_OF,
    WAITS_S,
    Abilities,
    Failure,
    FailureCode,
    FileKind,
    MessagePart,
    kinds_for,
    parts_of,
    wait_of,
)
from apps.messengers.rules.providers import AVITO, CabinetStatus, cabinet_of, cleaned

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
        oldest = list(OutboundMessage.objects.for_widget(line.widget_id).waiting(peer.pk)[:2])
        if not oldest:
            return
        row = oldest[0]
        wait_s = _left_s(row) or (send(peer, row) if begin(row) else None)
        if wait_s is not None:
            lease.later(wait_s)
            return
        if len(oldest) == 1:  # what comes meanwhile is seen where the lease ends
            return
    lease.give_back()


def _left_s(row: OutboundMessage) -> float | None:
    """The seconds for which a message still stays here; None if it may leave."""
    left_s = (row.not_before - timezone.now()).total_seconds() if row.not_before else 0
    return left_s if left_s > 0 else None


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
    is_deleted = "deleted_at" in (message.details or {})
    if is_deleted and not row.external_ids:
        drop(row, message)
        return None
    connection = connection_to(peer)
    if connection is None:
        _fail(row, Failure(FailureCode.NOT_CONNECTED))
        return None
    if connection.status != CabinetStatus.ENABLED:
        _fail(row, Failure(FailureCode.DISABLED))
        return None
    now = timezone.now()
    if now - (row.changed_at or row.queued_at) > timedelta(seconds=LONGEST_IN_QUEUE_S):
        _fail(row, Failure(FailureCode.UNAVAILABLE, "It waited for a day."))
        return None
    if connection.rests_until is not None and connection.rests_until > now:
        return (connection.rests_until - now).total_seconds()
    try:
        connection = renewed(connection)
        if is_deleted:
            call_back(connection, peer, row)
        else:
            _send_parts(connection, peer, row, message)
    except ProviderCallFailed as error:
        return _failed(connection, row, error.failure)
    _done(connection, row, _sent_as(row, message, adapter_of(connection).can))
    apply_early(connection, row, peer.conversation)
    return None


def _sent_as(row: OutboundMessage, message: Message, can: Abilities) -> str | None:
    """How a file went, where that is not as what it is: `file` for a picture, `link`; else None."""
    if message.type not in (MessageType.IMAGE, MessageType.FILE):
        return None
    kind = _choose_kind(row, message, can)
    if kind is None:
        return LINK
    return kind.name if message.type == MessageType.IMAGE and kind.name != "image" else None


def connection_to(peer: Peer) -> Connection | None:
    """The connection by which a peer is written to, as it is now."""
    rows = Connection.objects.for_widget(peer.widget_id)
    if (cabinet := cabinet_of(peer.channel)) is not None:
        return rows.filter(pk=cabinet, provider=AVITO).first()
    return rows.filter(provider=peer.channel, account=peer.account).first()


def _send_parts(connection: Connection, peer: Peer, row: OutboundMessage, message: Message) -> None:
    adapter, details = adapter_of(connection), message.details or {}
    address = _address(row.widget_id, details)
    kind = _choose_kind(row, message, adapter.can)
    text = read_markdown(message.markdown) if message.markdown else MarkedText(message.body)
    text = text.inserted([(0, spoken_before(message))])
    parts = parts_of(message.type, text, details, adapter.can, address, kind, adapter.style)
    if row.changed_at is not None:
        edit(connection, peer, row, parts)
    for part in parts[len(row.external_ids) :]:
        is_uploaded = part.kind is not None and not part.kind.by_address
        file = _bytes_of(row.widget_id, part) if is_uploaded else None
        client = wire_of(connection, each_s=SEND_S, all_s=2 * SEND_S)
        try:
            sent = adapter.send(client, peer.conversation, part, key_of(row.message_id, part.number), file)
        except ProviderCallFailed as error:
            if part.kind is None or error.failure.code != FailureCode.WRONG_KIND:
                raise
            _note_refused(row, part.kind)
            _send_parts(connection, peer, row, message)
            return
        row.external_ids = [*row.external_ids, sent[:255]]
        row.save(update_fields=["external_ids"])


def spoken_before(message: Message) -> str:
    """The line that goes before a machine's text, since messengers show the bot's name for all: who speaks, and before
    the first of a chat the sentence that it is an AI. Empty for a person. The message itself has none of it.
    """
    if not is_ai(message.sender_kind, message.details):
        return ""
    said = Message.objects.for_widget(message.widget_id).filter(
        chat_id=message.chat_id, id__lt=message.pk, sender_kind__in=MACHINES, is_internal=False
    )
    is_known = said.exclude(details__has_key=BY_PERSON).exists()
    sentence = "" if is_known else ai_disclosure(message.widget_id, message.chat_id)
    name = spoken_name(" ".join(message.sender_name.split()), message.sender_kind, message.details)
    return "".join(f"{line}\n" for line in (sentence, f"{name}:") if line)


def _choose_kind(row: OutboundMessage, message: Message, can: Abilities) -> FileKind | None:
    """How a message's file goes: as the best kind that it fits into and that was not refused; None without one."""
    file = (message.details or {}).get("file")
    if not file or not can.files:
        return None
    has_limits = any(kind.max_sides or kind.max_ratio for kind in can.files)
    sides = _sides_of(row.widget_id, file) if has_limits and message.type == MessageType.IMAGE else None
    kinds = [kind for kind in kinds_for(message.type, file, can, sides) if kind.name not in row.refused_kinds]
    return kinds[0] if kinds else None


def _note_refused(row: OutboundMessage, kind: FileKind) -> None:
    """The provider does not take the file so: it is sent as the next best, also by a worker that goes on later."""
    row.refused_kinds = [*row.refused_kinds, kind.name]
    row.save(update_fields=["refused_kinds"])


def _sides_of(widget_id: int, file: Mapping[str, Any]) -> tuple[int, int] | None:
    """The width and height of a picture, by its header; None for one that can't be read."""
    stored = File.objects.for_widget(widget_id).filter(pk=file["id"]).first()
    try:
        with default_storage.open(stored.storage_key if stored else "") as content, Image.open(content) as picture:
            return picture.size
    except Exception:
        # Any: what is malformed makes decoders raise whatever they stumble over. Without a file, sending says so.
        return None


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
    detail = cleaned(failure.detail, (*credentials_of(connection).hidden, connection.hook_key))
    failure = replace(failure, detail=detail)
    if failure.hook_lost:  # asked at the next minute, and registered again (`health.py`)
        Connection.objects.for_widget(row.widget_id).filter(pk=connection.pk).update(checked_at=None)
    if failure.code in (FailureCode.CREDENTIAL_REJECTED, FailureCode.SLOW_DOWN) and not has_credential_of(connection):
        return 0  # said of a credential that has been replaced meanwhile: the new one is tried at once
    if problem := PROBLEM_OF.get(failure.code):
        note_problem(connection, problem, detail)
    if failure.code not in PASSES:
        _fail(row, failure)
        return None
    if failure.code == FailureCode.SLOW_DOWN:
        wait_s: float = wait_of(failure)
        if failure.one_person:
            return wait_s
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
    """The message has not gone out, or what was sent before is not changed."""
    with transaction.atomic():
        if row.is_sent:
            note_refused(row, failure)
        else:
            _note(row, DeliveryState.FAILED, failure)
        row.is_failed = not row.is_sent
        _finish(row)


def _finish(row: OutboundMessage) -> None:
    """Nothing more is done, unless the message was changed after it was read. Locks it behind its message, as a change
    does.
    """
    rows = OutboundMessage.objects.for_widget(row.widget_id)
    is_as_read = (
        rows.select_for_update().values_list("changed_at", flat=True).filter(pk=row.pk).first() == row.changed_at
    )
    row.done_at = timezone.now() if is_as_read else None
    saved = ["is_failed", "is_sent", "done_at", "attempts"]
    if is_as_read:
        row.changed_at = None
        saved.append("changed_at")
    row.save(update_fields=saved)


def _done(connection: Connection, row: OutboundMessage, sent_as: str | None) -> None:
    with transaction.atomic():
        _note(row, DeliveryState.SENT, None, sent_as)
        if row.is_sent:
            note_changed(row)
        row.is_sent = True
        _finish(row)
        note_traffic(connection, "last_outbound_at")
        if connection.problem_code in PROBLEM_OF.values():
            rows = Connection.objects.for_widget(row.widget_id).filter(pk=connection.pk)
            rows.update(problem_code="", problem_detail="", problem_at=None)


def _note(row: OutboundMessage, state: DeliveryState, failure: Failure | None, sent_as: str | None = None) -> None:
    note_delivery(
        widget_id=row.widget_id,
        message_id=row.message_id,
        state=state,
        at=timezone.now(),
        attempts=row.attempts + (state == DeliveryState.SENT),
        code=failure.code.value if failure else None,
        detail=failure.detail or None if failure else None,
        sent_as=sent_as,
    )
