"""Inbound messages of providers: stored as they came, and then, one conversation after the other, as messages of chats.

The hook's request stores and answers. A worker takes a conversation's oldest message, fetches what belongs to it, and
makes peer, contact, chat and messages in one transaction. Each is stored under a name made of the provider's own ids,
so that an update which comes again, at once or weeks later, is one message. A blocked contact's message is dropped,
before there is a chat or a message of it.
"""

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from apps import egress, leases
from apps.accounts.rules import phone_refusal
from apps.chats import actions as chats
from apps.chats.actions.files import store_file
from apps.chats.models import Block, Contact
from apps.chats.rules import MessageType, file_refusal, link_refusal
from apps.core import database
from apps.core.endpoints.uploads import ReceivedFile
from apps.core.observability import metrics
from apps.core.parsing.file_types import content_type_of
from apps.core.parsing.names import one_line
from apps.messengers.actions.oauth import renewed
from apps.messengers.actions.provider_calls import adapter_of, line_of, wire_of
from apps.messengers.actions.receipts import LINE as RECEIPTS
from apps.messengers.actions.receipts import apply_receipt, as_arrivals
from apps.messengers.adapters.client import ProviderCallFailed
from apps.messengers.models import Connection, Inbound, InboundJob, Peer
from apps.messengers.rules.channels import MAX_TEXT_LENGTH
from apps.messengers.rules.inbound import (
    MAX_ATTACHMENT_BYTES,
    UNSUPPORTED,
    Attachment,
    InboundContent,
    InboundMessage,
    lost,
    stored_under,
)
from apps.messengers.rules.providers import AVITO, CabinetStatus

logger = logging.getLogger(__name__)

# Of a message: how many files are fetched, each in so many tries of so long, and how long all of them may take. The
# names of others are a message of lines.
MOST_ATTACHMENTS, FETCH_S, TRIES, ALL_S = 10, 10.0, 3, 120.0

Content = Mapping[str, Any]


def accept(connection: Connection, document: Mapping[str, Any]) -> int:
    """Stores the messages and receipts of an update, each once; returns how many there were.

    A worker goes on with them. Updates for a cabinet that is not enabled are dropped. If the connection is removed at
    the same time, nothing is stored, and the call is 404 (`core/endpoints/answers.py`).
    """
    adapter = adapter_of(connection)
    arrivals = [*adapter.arrivals(document, line_of(connection)), *as_arrivals(adapter.receipts(document))]
    if not arrivals or (connection.provider == AVITO and connection.status != CabinetStatus.ENABLED):
        return 0
    with transaction.atomic():
        keep(connection, arrivals)
    return len(arrivals)


def keep(connection: Connection, arrivals: Sequence[InboundMessage]) -> None:
    """Stores those messages, in the transaction under way."""
    ordered = sorted(arrivals, key=lambda one: one.conversation)
    rows = [
        Inbound(
            widget_id=connection.widget_id,
            connection_id=connection.pk,
            conversation=one.conversation,
            external_id=one.external_id,
            part=orjson.dumps(one.part).decode(),
        )
        for one in ordered
    ]
    Inbound.objects.bulk_create(rows, ignore_conflicts=True)
    for conversation in dict.fromkeys(one.conversation for one in ordered):
        unique = {"connection_id": connection.pk, "conversation": conversation}
        leases.enqueue(InboundJob, unique=unique, values={"widget_id": connection.widget_id})
    leases.wake_workers()


def store_conversation(lease: leases.Lease[InboundJob]) -> None:
    """Stores what waits of a conversation, in order."""
    line = lease.row
    connection = Connection.objects.for_widget(line.widget_id).filter(pk=line.connection_id).first()
    if connection is None:
        return
    while not lease.must_stop:
        row = Inbound.objects.for_widget(line.widget_id).waiting(line.connection_id, line.conversation).first()
        if row is None:
            return
        store(connection, row)
    lease.give_back()


def store(connection: Connection, row: Inbound) -> None:
    """Stores a message that came in: its writer's contact, their chat, and what they say; or notes a receipt.

    Nothing of a blocked writer is stored.
    """
    adapter, part = adapter_of(connection), orjson.loads(row.part or "{}")
    if row.conversation == RECEIPTS:
        with transaction.atomic():
            if Inbound.objects.for_widget(row.widget_id).filter(pk=row.pk, handled_at=None).update(handled_at=Now()):
                apply_receipt(connection, part)
        return
    peer = _known(connection, row.conversation)
    if peer is not None and _is_blocked(peer):
        _drop(connection, row)
        return
    said = adapter.said(part)
    name = said.name if peer else _name(connection, said)
    until = time.monotonic() + ALL_S
    fetched = [(given, _fetched(connection, given, until)) for given in said.attachments[:MOST_ATTACHMENTS]]
    with transaction.atomic():
        database.lock(f"messenger_peer:{connection.pk}:{row.conversation}")
        if (
            not Inbound.objects.for_widget(row.widget_id)
            .filter(pk=row.pk, handled_at__isnull=True)
            .update(handled_at=Now())
        ):
            return
        peer = _known(connection, row.conversation) or _new_peer(connection, row.conversation, said, name)
        _fill_phone(peer.contact, said.own_phone)
        for number, content in enumerate(_contents(peer.contact, said, fetched)):
            key = stored_under(connection.provider, connection.account, row.conversation, row.external_id, number)
            chats.post_client_message(contact=peer.contact, content=content, channel=connection.channel, client_id=key)
        Connection.objects.for_widget(row.widget_id).filter(pk=connection.pk).update(last_inbound_at=Now())


def _known(connection: Connection, conversation: str) -> Peer | None:
    peers = Peer.objects.for_widget(connection.widget_id).select_related("contact")
    return peers.filter(channel=connection.channel, account=connection.account, conversation=conversation).first()


def _is_blocked(peer: Peer) -> bool:
    """Whether the widget has blocked who writes: by their contact, as no address of theirs is known here."""
    return Block.objects.for_widget(peer.widget_id).against(peer.contact_id, "", timezone.now()).exists()


def _drop(connection: Connection, row: Inbound) -> None:
    """Leaves out a message, with what it said; the provider has had its 200, and does not repeat it."""
    handled = (
        Inbound.objects.for_widget(row.widget_id).filter(pk=row.pk, handled_at=None).update(handled_at=Now(), part=None)
    )
    if handled:
        metrics.MESSENGER_BLOCKED.labels(connection.provider).inc()
        logger.info("message %s from %s was dropped: its writer is blocked", row.pk, connection.provider)


def _name(connection: Connection, said: InboundContent) -> str:
    """The writer's name, asked for once, at their first message; it may fail."""
    try:
        return adapter_of(connection).profile(wire_of(renewed(connection)), said) or said.name
    except ProviderCallFailed:
        return said.name


def _is_bad_link(name: str, value: str) -> bool:
    return name == "url" and link_refusal(value) is not None


def _new_peer(connection: Connection, conversation: str, said: InboundContent, name: str) -> Peer:
    code = connection.provider
    known_as = {f"{code}_user_id": said.user_id, f"{code}_username": said.username}
    about: dict[str, Any] = {"attributes": {key: value for key, value in known_as.items() if value}}
    about |= {"name": called} if (called := one_line(name)[:255]) else {}
    if said.phone:
        about |= {"phone": said.phone} if phone_refusal(said.phone) is None else {}
    contact = chats.create_contact(widget_id=connection.widget_id, about=about)
    return Peer.objects.create(
        widget_id=connection.widget_id,
        channel=connection.channel,
        account=connection.account,
        conversation=conversation,
        contact=contact,
    )


def _fill_phone(contact: Contact, phone: str) -> None:
    if phone and not contact.phone:
        changes = {"phone": phone[:32]}
        chats.update_contact(widget_id=contact.widget_id, guid=contact.guid, changes=changes)


def _contents(
    contact: Contact, said: InboundContent, fetched: Sequence[tuple[Attachment, ReceivedFile | None]]
) -> list[Content]:
    """The contents to post: files in order, the text with the first; else a place, a sticker or the text alone."""
    text, contents = said.text[:MAX_TEXT_LENGTH], []
    for given, upload in fetched:
        contents.append(_file_content(contact, given, upload, text))
        text = ""
    if left := said.attachments[MOST_ATTACHMENTS:]:
        lines = "\n".join(lost("", given.name) for given in left)
        contents.append({"type": "text", "body": lines[:MAX_TEXT_LENGTH]})
    if said.place:
        coords = {"lat": said.place[0], "lng": said.place[1]}
        contents.append({"type": "location", "body": text, "details": {"coords": coords}})
    elif said.sticker and not contents:
        sticker = {name: value for name, value in said.sticker.items() if value and not _is_bad_link(name, value)}
        contents.append({"type": "sticker", "body": text, "details": {"sticker": sticker}})
    elif text.strip():
        contents.append({"type": "text", "body": text})
    return contents or [{"type": "text", "body": UNSUPPORTED}]


def _file_content(contact: Contact, given: Attachment, upload: ReceivedFile | None, text: str) -> Content:
    if upload is None:
        return {"type": "text", "body": lost(text, given.name)}
    kind = MessageType.IMAGE if given.is_image else MessageType.FILE
    if file_refusal(kind, content_type_of(upload.head)):
        kind = MessageType.FILE
    file = store_file(widget_id=contact.widget_id, upload=upload, contact_id=contact.pk)
    return {"type": kind.value, "body": text, "file_id": file.pk}


def _fetched(connection: Connection, given: Attachment, until: float) -> ReceivedFile | None:
    """A file's content; None for one that can't be had: too big, refused, gone, not within three tries, or not by
    then (`time.monotonic`)."""
    if not given.reference or (given.size or 0) > MAX_ATTACHMENT_BYTES:
        return None
    for _ in range(TRIES):
        if (left := until - time.monotonic()) <= 0:
            return None
        upload = ReceivedFile(given.name)
        try:
            address, headers = adapter_of(connection).file_address(wire_of(connection), given)
            with egress.open_stream(
                "GET", address, headers=headers, timeout=min(FETCH_S, left), max_bytes=MAX_ATTACHMENT_BYTES, redirects=1
            ) as stream:
                for chunk in stream:
                    upload.write(chunk)
                if stream.status == 200 and upload.size:
                    return upload
                return None
        except egress.EgressRefused as refused:
            if refused.is_permanent or refused.reason == "too_large":
                return None
        except ProviderCallFailed as error:
            if error.failure.code != "provider_unavailable":
                return None
    return None


def given_up(lease: leases.Lease[InboundJob], reason: str) -> None:
    """The oldest message of the conversation could not be stored: it is left, and the others go on."""
    line = lease.row
    oldest = Inbound.objects.for_widget(line.widget_id).waiting(line.connection_id, line.conversation).first()
    if oldest is not None:
        logger.error("message %s from a provider could not be stored: it %s", oldest.pk, reason)
        Inbound.objects.for_widget(line.widget_id).filter(pk=oldest.pk).update(handled_at=Now())
        lease.later(0)
