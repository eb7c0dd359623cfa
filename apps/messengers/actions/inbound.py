"""Inbound messages of providers: stored as they came, and then, one conversation after the other, as messages of chats.

A text of a known writer is stored in its chat where it comes in, if nothing of the conversation waits. The hook's
request stores all else as it came, and answers. A worker takes a conversation's oldest message, fetches what belongs to
it, and makes peer, contact, chat and messages in one transaction; so nothing is called in a request. Each is stored
under a name made of the provider's own ids, so that an update which comes again, at once or weeks later, is one
message. A blocked contact's message is dropped, before there is a chat or a message of it. A person whose conversation
was known by another name keeps their peer.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from apps import leases
from apps.chats import actions as chats
from apps.chats.models import Contact
from apps.core import database
from apps.core.observability import metrics
from apps.core.problems import Problem
from apps.messengers.actions.accounts import with_account
from apps.messengers.actions.continuing import continue_chat, take_token
from apps.messengers.actions.inbound_content import (
    MOST_ATTACHMENTS,
    FetchedFiles,
    contents_of,
    edited_content,
    fetched_files,
    new_files,
)
from apps.messengers.actions.inbound_keys import is_stored, keys_of
from apps.messengers.actions.inbound_peers import (
    KnownWriter,
    fill_phone,
    known_writer,
    lock_conversation,
    moved_on,
    new_peer,
    take_at_once,
)
from apps.messengers.actions.oauth import renewed
from apps.messengers.actions.provider_calls import adapter_of, credentials_of, note_traffic, wire_of
from apps.messengers.actions.receipts import LINE as RECEIPTS
from apps.messengers.actions.receipts import apply_receipt, as_arrivals
from apps.messengers.adapters.client import Credentials, ProviderCallFailed, answered
from apps.messengers.models import Connection, Inbound, InboundJob, Peer
from apps.messengers.rules.inbound import InboundContent, InboundEvent, InboundMessage
from apps.messengers.rules.providers import AVITO, CabinetStatus

logger = logging.getLogger(__name__)

# An album comes as several messages; it is whole when no more of it has come for so long.
ALBUM_QUIET_S = 1.5


def accept(connection: Connection, document: Mapping[str, Any], credentials: Credentials | None = None) -> int:
    """Stores the messages and receipts of an update, each once; returns how many there were.

    `credentials` are the connection's, where they are known already. A worker goes on with messages that are not stored
    in their chat at once. Updates for a cabinet that is not enabled are dropped. If the connection is removed at the
    same time, nothing is stored, and the call is 404 (`core/endpoints/answers.py`).
    """
    adapter, credentials = adapter_of(connection), credentials or credentials_of(connection)
    arrivals = [*adapter.messages(document, credentials), *as_arrivals(adapter.receipts(document))]
    if not arrivals or (connection.provider == AVITO and connection.status != CabinetStatus.ENABLED):
        return 0
    if not _stored_at_once(connection, arrivals, credentials):
        with transaction.atomic():
            keep(connection, arrivals)
    return len(arrivals)


def _stored_at_once(connection: Connection, arrivals: Sequence[InboundMessage], credentials: Credentials) -> bool:
    """Stores a known writer's text in its chat, by the function that the worker calls; returns whether that was done.

    Else nothing was done, and a worker has it: what is no text alone, a writer who is new, blocked or has another name
    by now, a conversation of which something waits, a chat that others hold for longer than PATIENCE, and what fails.
    """
    adapter, (arrival, *others) = adapter_of(connection), arrivals
    is_message = not (others or arrival.event or arrival.album or arrival.conversation == RECEIPTS)
    if not is_message or (adapter.by_app and connection.route is None):
        return False
    try:
        row, content = _row(connection, arrival), adapter.content(arrival.part)
        if not content.is_text_alone or not adapter.is_for(arrival.part, credentials):
            return False
        with transaction.atomic():
            if take_at_once(connection, row, content):
                writer = known_writer(connection, row, content)
                if writer and not writer.is_blocked and writer.peer.conversation == row.conversation:
                    _say(connection, row, writer, content)
                    return True
            transaction.set_rollback(True)
    except Exception as error:
        is_bug = not isinstance(error, Problem) and not database.is_unavailable(error)
        logger.warning("a worker has a message from %s: %s", connection.provider, error, exc_info=is_bug)
    return False


def keep(connection: Connection, arrivals: Sequence[InboundMessage]) -> None:
    """Stores those messages for a worker, in the transaction under way."""
    ordered = sorted(arrivals, key=lambda one: one.conversation)
    Inbound.objects.bulk_create([_row(connection, one) for one in ordered], ignore_conflicts=True)
    for conversation in dict.fromkeys(one.conversation for one in ordered):
        unique = {"connection_id": connection.pk, "conversation": conversation}
        leases.enqueue(InboundJob, unique=unique, values={"widget_id": connection.widget_id})
    leases.wake_workers()


def _row(connection: Connection, arrival: InboundMessage) -> Inbound:
    return Inbound(
        widget_id=connection.widget_id,
        connection_id=connection.pk,
        conversation=arrival.conversation,
        external_id=arrival.external_id,
        part=orjson.dumps(arrival.part).decode(),
        album=arrival.album[:255],
        event=arrival.event or "",
        changes=arrival.changes,
    )


def store_conversation(lease: leases.Lease[InboundJob]) -> None:
    """Stores what waits of a conversation, in order."""
    line = lease.row
    connection = Connection.objects.for_widget(line.widget_id).filter(pk=line.connection_id).first()
    if connection is None:
        return
    while not lease.must_stop:
        waiting = Inbound.objects.for_widget(line.widget_id).waiting(line.connection_id, line.conversation)
        oldest = list(waiting[:2])
        if not oldest:
            return
        row = oldest[0]
        rows = list(waiting.filter(album=row.album)[:MOST_ATTACHMENTS]) if row.album else [row]
        if row.album and (wait_s := _album_lacks(rows)):
            lease.later(wait_s)
            return
        store(connection, *rows)
        if len(oldest) == 1:  # what comes meanwhile is seen where the lease ends
            return
    lease.give_back()


def _album_lacks(rows: Sequence[Inbound]) -> float:
    """The seconds for which the rest of an album is waited for; 0 once nothing of it has come for so long."""
    quiet_s = (timezone.now() - max(row.received_at for row in rows)).total_seconds()
    return max(ALBUM_QUIET_S - quiet_s, 0) if len(rows) < MOST_ATTACHMENTS else 0


def store(connection: Connection, row: Inbound, *album: Inbound) -> None:
    """Stores a message that came in: its writer's contact, their chat, and what they say; or notes a receipt, or what
    was done to an earlier message. An album is one message.

    Nothing of a blocked writer is stored.
    """
    adapter, part = adapter_of(connection), orjson.loads(row.part or "{}")
    if row.conversation == RECEIPTS:
        with transaction.atomic():
            is_kept = _take(row) and apply_receipt(connection, part)
        if is_kept:  # the answer may have come meanwhile
            with transaction.atomic():
                apply_receipt(connection, part)
        return
    connection = with_account(connection)
    if not adapter.is_for(part, credentials_of(connection)):
        _drop(connection, row, "it is for another account")
        return
    content = adapter.content(part)
    writer = known_writer(connection, row, content)
    if row.event == InboundEvent.RENAMED:
        _rename(connection, row, content)
        return
    if writer is not None and writer.is_blocked:
        for each in (row, *album):
            if _drop(connection, each, "its writer is blocked"):
                metrics.MESSENGER_BLOCKED.labels(connection.provider).inc()
        return
    if row.event in (InboundEvent.STARTED, InboundEvent.ADDED):
        _answer_event(connection, row, content)
        return
    if row.event:
        _change(connection, row, writer.peer if writer else None, content)
        return
    if album:
        content = _together([content, *(adapter.content(orjson.loads(each.part or "{}")) for each in album)])
    if writer is None:
        content = _with_profile(connection, content)
    fetched = fetched_files(connection, content)
    with transaction.atomic():
        lock_conversation(connection, row, content)
        if _take(row, *album):
            _say(connection, row, known_writer(connection, row, content), content, fetched)


def _say(
    connection: Connection,
    row: Inbound,
    writer: KnownWriter | None,
    content: InboundContent,
    fetched: FetchedFiles = (),
) -> None:
    """Stores what a message says in its writer's chat, in the transaction that notes the message as dealt with, under
    the conversation's lock (`lock_conversation`).
    """
    if writer is not None and is_stored(connection, writer.peer, row, content):
        return
    peer = moved_on(writer.peer, row, content) if writer else new_peer(connection, row.conversation, content)
    fill_phone(peer.contact, content.own_phone)
    for number, posted in enumerate(contents_of(connection, peer.contact, content, fetched)):
        key = keys_of(connection, row, row.external_id, number=number)[0]
        chats.post_client_message(contact=peer.contact, content=posted, channel=connection.channel, client_id=key)
    if writer is None or writer.has_changes:
        _change_at_once(connection, row, peer)
    if content.unknown_kind:
        Inbound.objects.for_widget(row.widget_id).filter(pk=row.pk).update(is_unknown=True)
    note_traffic(connection, "last_inbound_at")


def _take(*rows: Inbound) -> bool:
    """Notes, in the transaction under way, that those are dealt with; whether the first of them was not yet."""
    open_ = Inbound.objects.for_widget(rows[0].widget_id).filter(handled_at=None)
    if not open_.filter(pk=rows[0].pk).update(handled_at=Now()):
        return False
    if len(rows) > 1:
        open_.filter(pk__in=[row.pk for row in rows[1:]]).update(handled_at=Now())
    return True


def _together(each: Sequence[InboundContent]) -> InboundContent:
    """An album as one content: all its files, and the words that stand under one of them or more."""
    return replace(
        each[0],
        text="\n".join(filter(None, (said.text for said in each))),
        attachments=[given for said in each for given in said.attachments],
        unknown=next(filter(None, (said.unknown for said in each)), ""),
    )


def _answer_event(connection: Connection, row: Inbound, content: InboundContent) -> None:
    """Greets who begins a conversation, or goes on with one that they began on the site, and refuses a group politely;
    neither is a customer's word, so there is no message of it. Their contact keeps what is known of them.
    """
    adapter, visitor = adapter_of(connection), None
    with transaction.atomic():
        if not _take(row):
            return
        if row.event == InboundEvent.STARTED:
            lock_conversation(connection, row, content)
            visitor = take_token(connection, content.attributes.get(f"{connection.provider}_start", ""))
            if visitor is None or continue_chat(connection, row.conversation, content, visitor) is None:
                _begin(connection, row, content, visitor)
    try:
        client = wire_of(answered(renewed(connection)))
        if visitor is not None:
            answered(adapter.welcome(client, row.conversation, content))
        else:
            answered(adapter.greet(client, row.conversation, InboundEvent(row.event), content))
    except ProviderCallFailed as error:
        logger.info("a greeting was not taken by %s: %s", connection.provider, error.failure.code)


def _begin(connection: Connection, row: Inbound, content: InboundContent, visitor: Contact | None) -> None:
    """Keeps who begins a conversation; the token of a visitor who came from the site says nothing of them."""
    if visitor is not None:
        content = replace(content, attributes={})
    writer = known_writer(connection, row, content)
    peer = moved_on(writer.peer, row, content) if writer else new_peer(connection, row.conversation, content)
    if content.attributes:
        about = {"attributes": dict(content.attributes)}
        chats.update_contact(widget_id=peer.widget_id, guid=peer.contact.guid, changes=about)


def _change(connection: Connection, row: Inbound, peer: Peer | None, content: InboundContent) -> None:
    """Notes an edit or a deletion. One that comes before its message waits for it (`_change_at_once`); one of a message
    that is not stored at all, because it came before the messenger was connected, say, changes nothing.
    """
    content = replace(content, attachments=new_files(connection, row, content) if peer else (), sticker=None)
    fetched = fetched_files(connection, content)
    with transaction.atomic():
        lock_conversation(connection, row, content)
        if _take(row) and peer is not None:
            _apply_change(connection, row, peer, content, fetched)


def _apply_change(
    connection: Connection, row: Inbound, peer: Peer, content: InboundContent, fetched: FetchedFiles = ()
) -> None:
    about: Any = {"contact": peer.contact, "channel": connection.channel, "at": content.at or row.received_at}
    now = edited_content(peer.contact, content, fetched) if row.event == InboundEvent.EDITED else {}
    for key in keys_of(connection, row, row.changes, content):
        if row.event == InboundEvent.DELETED:
            is_there = chats.delete_client_message(**about, client_id=key)
        else:
            is_there = chats.edit_client_message(**about, client_id=key, content=now)
        if is_there:
            return


def _change_at_once(connection: Connection, row: Inbound, peer: Peer) -> None:
    """Applies the edits and the deletion that came before their message."""
    early = Inbound.objects.for_widget(row.widget_id).changes_of(row.connection_id, row.conversation, row.external_id)
    for change in early:
        _apply_change(connection, change, peer, adapter_of(connection).content(orjson.loads(change.part or "{}")))


def _rename(connection: Connection, row: Inbound, content: InboundContent) -> None:
    """A person has another id from now on: their peer and their contact move on to it. It is no message."""
    with transaction.atomic():
        lock_conversation(connection, row, content)
        if _take(row) and (writer := known_writer(connection, row, content)) is not None:
            moved_on(writer.peer, row, content)


def _drop(connection: Connection, row: Inbound, why: str) -> bool:
    """Leaves out a message, with what it said; the provider has had its 200, and does not repeat it. Returns whether it
    was not dealt with yet.
    """
    handled = (
        Inbound.objects.for_widget(row.widget_id).filter(pk=row.pk, handled_at=None).update(handled_at=Now(), part=None)
    )
    if handled:
        logger.info("message %s from %s was dropped: %s", row.pk, connection.provider, why)
    return bool(handled)


def _with_profile(connection: Connection, content: InboundContent) -> InboundContent:
    """The content with what the provider tells of its writer, asked once, at their first message; it may fail."""
    try:
        return answered(adapter_of(connection).profile(wire_of(answered(renewed(connection))), content))
    except ProviderCallFailed:
        return content


def given_up(lease: leases.Lease[InboundJob], reason: str) -> None:
    """The oldest message of the conversation could not be stored: it is left, and the others go on."""
    line = lease.row
    oldest = Inbound.objects.for_widget(line.widget_id).waiting(line.connection_id, line.conversation).first()
    if oldest is not None:
        logger.error("message %s from a provider could not be stored: it %s", oldest.pk, reason)
        Inbound.objects.for_widget(line.widget_id).filter(pk=oldest.pk).update(handled_at=Now())
        lease.later(0)
