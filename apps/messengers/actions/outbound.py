"""Outbound messages of providers: how one is sent, a part a call, with its outcomes. `conversations.py` says which.

At least once: a part is recorded when its provider has answered, so a process that ends in between sends that part
again. VK is given a key a part, by which it takes each once.
"""

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple

import orjson
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone
from PIL import Image

from apps.chats.actions.delivery import DeliveryNote, note_deliveries, note_delivery
from apps.chats.models import File, Message
from apps.chats.questions import ai_disclosure
from apps.chats.rules import MessageType
from apps.chats.rules.delivery import DeliveryState
from apps.chats.rules.markup import MarkedText, read_markdown
from apps.chats.rules.messages import BY_PERSON, MACHINES, is_ai, spoken_name
from apps.chats.serializers.files import file_address
from apps.core.database import execute, fetch_all
from apps.core.files import signed_addresses
from apps.messengers.actions.changes import call_back, drop, edit, note_changed, note_refused
from apps.messengers.actions.connections import has_credential_of, note_problem
from apps.messengers.actions.oauth import renewed
from apps.messengers.actions.outgoing import Outgoing
from apps.messengers.actions.provider_calls import Way, credentials_of, note_traffic
from apps.messengers.actions.receipts import apply_early
from apps.messengers.adapters.client import SEND_S, ProviderCallFailed
from apps.messengers.adapters.client import File as WireFile
from apps.messengers.models import Connection, OutboundMessage, Peer
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
# How soon a message is looked at again that its writer changes while its conversation is claimed.
LOOK_AGAIN_S = 0.2


class Came(NamedTuple):
    """The outcome of a send: by default nothing more is to be done.

    wait_s: it is tried again after so long. is_sent: it has gone out whole, which is still to be written (`note_sent`);
    sent_as: how its file went, if in another way. is_answered: the provider has said something, or was not asked.
    """

    wait_s: float | None = None
    is_sent: bool = False
    sent_as: str | None = None
    is_answered: bool = True


async def send(way: Way, outgoing: Outgoing) -> Came:
    """Sends the rest of a message."""
    row, message, connection, now = outgoing.row, outgoing.message, outgoing.connection, timezone.now()
    if row.not_before is not None and row.not_before > now:
        return Came((row.not_before - now).total_seconds())
    if not row.is_begun:
        return Came(LOOK_AGAIN_S)
    if await _is_over(way, outgoing):
        return Came()
    assert message is not None  # noqa: S101 - else it is over; as without a connection
    if outgoing.used.rests_until is not None and outgoing.used.rests_until > now:
        return Came((outgoing.used.rests_until - now).total_seconds())
    try:
        outgoing.connection = connection = await renewed(outgoing.used, way)
        if "deleted_at" in (message.details or {}):
            await call_back(way, outgoing)
            kind = await way.ask(_choose_kind, row, message, outgoing.adapter.can)
        else:
            kind = await _send_parts(way, outgoing, message)
    except ProviderCallFailed as error:
        wait_s = await way.ask(_failed, outgoing.used, row, error.failure)
        return Came(wait_s, is_answered=error.failure.code != FailureCode.UNAVAILABLE)
    if not row.is_sent:
        return Came(is_sent=True, sent_as=_sent_as(message, kind))
    await way.ask(_done, connection, row, _sent_as(message, kind))
    await way.ask(apply_early, connection, row, outgoing.peer.conversation)
    return Came()


async def _is_over(way: Way, outgoing: Outgoing) -> bool:
    """Whether a message does not leave at all, which is written by then."""
    row, message, connection = outgoing.row, outgoing.message, outgoing.connection
    longest = timedelta(seconds=LONGEST_IN_QUEUE_S)
    if message is None:
        await way.ask(row.delete)
    elif "deleted_at" in (message.details or {}) and not row.external_ids:
        await way.ask(drop, row, message)
    elif connection is None:
        await way.ask(_fail, row, Failure(FailureCode.NOT_CONNECTED))
    elif connection.status != CabinetStatus.ENABLED:
        await way.ask(_fail, row, Failure(FailureCode.DISABLED))
    elif timezone.now() - (row.changed_at or row.queued_at) > longest:
        await way.ask(_fail, row, Failure(FailureCode.UNAVAILABLE, "It waited for a day."))
    else:
        return False
    return True


def fail_without_peer(widget_id: int) -> None:
    """Fails messages to a contact who has not written by that messenger: they have no recipient."""
    for row in OutboundMessage.objects.for_widget(widget_id).waiting(None):
        _fail(row, Failure(FailureCode.NO_RECIPIENT))


def _sent_as(message: Message, kind: FileKind | None) -> str | None:
    """How a file went, where that is not as what it is: `file` for a picture, `link`; else None."""
    if message.type not in (MessageType.IMAGE, MessageType.FILE):
        return None
    if kind is None:
        return LINK
    return kind.name if message.type == MessageType.IMAGE and kind.name != "image" else None


def connection_to(peer: Peer) -> Connection | None:
    """The connection by which a peer is written to, as it is now."""
    rows = Connection.objects.for_widget(peer.widget_id)
    if (cabinet := cabinet_of(peer.channel)) is not None:
        return rows.filter(pk=cabinet, provider=AVITO).first()
    return rows.filter(provider=peer.channel, account=peer.account).first()


async def _send_parts(way: Way, outgoing: Outgoing, message: Message) -> FileKind | None:
    """Sends the parts that have not gone yet; how the message's file went. Raises ProviderCallFailed, LeaseLost."""
    row, is_read = outgoing.row, outgoing.spoken is not None and "file" not in (message.details or {})
    parts, kind = _parts(outgoing, message) if is_read else await way.ask(_parts, outgoing, message)
    if row.changed_at is not None:
        await edit(way, outgoing, parts)
    for part in parts[len(row.external_ids) :]:
        is_uploaded = part.kind is not None and not part.kind.by_address
        file = await way.ask(_bytes_of, row.widget_id, part) if is_uploaded else None
        client, key = outgoing.client(way, all_s=2 * SEND_S), key_of(row.message_id, part.number)
        try:
            sent = await outgoing.adapter.send(client, outgoing.peer.conversation, part, key, file)
        except ProviderCallFailed as error:
            if part.kind is None or error.failure.code != FailureCode.WRONG_KIND:
                raise
            await way.ask(_note_refused, row, part.kind)
            return await _send_parts(way, outgoing, message)
        row.external_ids = [*row.external_ids, sent[:255]]
        if row.is_sent or len(row.external_ids) < len(parts):  # that of the last part is written with its outcome
            await way.ask(outgoing.keep, "external_ids")
    return kind


def _parts(outgoing: Outgoing, message: Message) -> tuple[list[MessagePart], FileKind | None]:
    """The calls that a message needs, and how its file goes. Asks the database only of files, and if `spoken` is not
    known.
    """
    adapter, details = outgoing.adapter, message.details or {}
    kind = _choose_kind(outgoing.row, message, adapter.can)
    spoken = spoken_before(message) if outgoing.spoken is None else outgoing.spoken
    text = read_markdown(message.markdown) if message.markdown else MarkedText(message.body)
    text = text.inserted([(0, spoken)])
    address = _address(outgoing.row.widget_id, details)
    return parts_of(message.type, text, details, adapter.can, address, kind, adapter.style), kind


def spoken_before(message: Message, *, is_known: bool | None = None) -> str:
    """The line that goes before a machine's text, since messengers show the bot's name for all: who speaks, and before
    the first of a chat the sentence that it is an AI. Empty for a person. The message itself has none of it.

    is_known: whether a machine has spoken in the chat before, if that is read.
    """
    if not is_ai(message.sender_kind, message.details):
        return ""
    if is_known is None:
        is_known = message.pk in with_machine_before([message.pk])
    sentence = "" if is_known else ai_disclosure(message.widget_id, message.chat_id)
    name = spoken_name(" ".join(message.sender_name.split()), message.sender_kind, message.details)
    return "".join(f"{line}\n" for line in (sentence, f"{name}:") if line)


_MACHINE_BEFORE = """
SELECT m.id FROM chats_message m WHERE m.id = ANY (%(ids)s::bigint[]) AND EXISTS (
    SELECT FROM chats_message said
    WHERE said.chat_id = m.chat_id AND said.id < m.id AND said.sender_kind = ANY (%(machines)s) AND NOT said.is_internal
      AND coalesce(said.details ? %(by_person)s, false) IS FALSE
) /* unscoped: by their chats */"""


def with_machine_before(message_ids: Sequence[int]) -> set[int]:
    """The messages before which a machine has spoken in their chats, of these."""
    parameters = {"ids": list(message_ids), "machines": [str(kind) for kind in MACHINES], "by_person": BY_PERSON}
    return {id_ for (id_,) in fetch_all(_MACHINE_BEFORE, parameters)}


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
    """A message that had been sent is changed."""
    with transaction.atomic():
        _note(row, DeliveryState.SENT, None, sent_as)
        note_changed(row)
        _finish(row)
        _note_used(connection)


# By hand: each send ends by it. One that was changed after it was read is worked on again. Writing it twice changes
# nothing more.
_SENT = """
WITH sent AS MATERIALIZED (
    SELECT * FROM json_to_recordset(%(sent)s::json) AS r (
        id bigint, external_ids text[], attempts int, changed_at timestamptz
    )
)
UPDATE messengers_outboundmessage o SET
    external_ids = r.external_ids, attempts = r.attempts, is_sent = true,
    done_at = CASE WHEN o.changed_at IS NOT DISTINCT FROM r.changed_at THEN statement_timestamp() END,
    changed_at = CASE WHEN o.changed_at IS DISTINCT FROM r.changed_at THEN o.changed_at END
FROM sent r WHERE o.message_id = ANY (ARRAY(SELECT id FROM sent)) AND o.message_id = r.id AND NOT o.is_sent
/* unscoped: named by who sent them */"""


def note_sent(sent: Sequence[tuple[Outgoing, Came]]) -> None:
    """Records messages that have gone out whole; for the transaction in which their conversations' leases end."""
    now = timezone.now()
    note_deliveries(
        [
            DeliveryNote(
                widget_id=outgoing.row.widget_id,
                message_id=outgoing.row.message_id,
                state=DeliveryState.SENT,
                at=now,
                attempts=outgoing.row.attempts + 1,
                sent_as=came.sent_as,
            )
            for outgoing, came in sent
        ]
    )
    rows = [
        {
            "id": outgoing.row.message_id,
            "external_ids": outgoing.row.external_ids,
            "attempts": outgoing.row.attempts,
            "changed_at": outgoing.row.changed_at,
        }
        for outgoing, _ in sent
    ]
    execute(_SENT, {"sent": orjson.dumps(rows).decode()})
    for connection in {outgoing.used.pk: outgoing.used for outgoing, _ in sent}.values():
        _note_used(connection)


def _note_used(connection: Connection) -> None:
    """A message went out by the connection, so it has no problem any more."""
    note_traffic(connection, "last_outbound_at")
    if connection.problem_code in PROBLEM_OF.values():
        rows = Connection.objects.for_widget(connection.widget_id).filter(pk=connection.pk)
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
