"""Inbound messages of providers: stored as they came, and then, one conversation after the other, as messages of chats.

The hook's request stores and answers. A worker takes a conversation's oldest message, fetches what belongs to it, and
makes peer, contact, chat and messages in one transaction. Each is stored under a name made of the provider's own ids,
so that an update which comes again, at once or weeks later, is one message. A blocked contact's message is dropped,
before there is a chat or a message of it. A person whose conversation was known by another name keeps their peer.
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
from apps.accounts.rules import phone_refusal
from apps.chats import actions as chats
from apps.chats.models import Block, Contact
from apps.chats.rules.contacts import MAX_ATTRIBUTE_VALUE
from apps.core import database
from apps.core.observability import metrics
from apps.core.parsing.names import one_line
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
from apps.messengers.actions.oauth import renewed
from apps.messengers.actions.provider_calls import adapter_of, credentials_of, note_traffic, wire_of
from apps.messengers.actions.receipts import LINE as RECEIPTS
from apps.messengers.actions.receipts import apply_receipt, as_arrivals
from apps.messengers.adapters.client import Credentials, ProviderCallFailed, answered
from apps.messengers.models import Connection, Inbound, InboundJob, Peer
from apps.messengers.rules.inbound import InboundContent, InboundEvent, InboundMessage, known_by
from apps.messengers.rules.providers import AVITO, CabinetStatus

logger = logging.getLogger(__name__)

# An album comes as several messages; it is whole when no more of it has come for so long.
ALBUM_QUIET_S = 1.5


def accept(connection: Connection, document: Mapping[str, Any], credentials: Credentials | None = None) -> int:
    """Stores the messages and receipts of an update, each once; returns how many there were.

    `line` is the connection's, where it is known already. A worker goes on with them. Updates for a cabinet that is not
    enabled are dropped. If the connection is removed at the same time, nothing is stored, and the call is 404
    (`core/endpoints/answers.py`).
    """
    adapter = adapter_of(connection)
    arrivals = [
        *adapter.messages(document, credentials or credentials_of(connection)),
        *as_arrivals(adapter.receipts(document)),
    ]
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
            album=one.album[:255],
            event=one.event or "",
            changes=one.changes,
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
    peer = _known(connection, row, content)
    if row.event == InboundEvent.RENAMED:
        _rename(connection, row, content)
        return
    if peer is not None and _is_blocked(peer):
        for each in (row, *album):
            if _drop(connection, each, "its writer is blocked"):
                metrics.MESSENGER_BLOCKED.labels(connection.provider).inc()
        return
    if row.event in (InboundEvent.STARTED, InboundEvent.ADDED):
        _answer_event(connection, row, content)
        return
    if row.event:
        _change(connection, row, peer, content)
        return
    if album:
        content = _together([content, *(adapter.content(orjson.loads(each.part or "{}")) for each in album)])
    if peer is None:
        content = _with_profile(connection, content)
    fetched = fetched_files(connection, content)
    with transaction.atomic():
        _lock(connection, row, content)
        if not _take(row, *album):
            return
        known = _known(connection, row, content)
        if known is not None and is_stored(connection, known, row, content):
            return
        peer = _moved_on(known, row, content) if known else _new_peer(connection, row.conversation, content)
        _fill_phone(peer.contact, content.own_phone)
        for number, posted in enumerate(contents_of(connection, peer.contact, content, fetched)):
            key = keys_of(connection, row, row.external_id, number=number)[0]
            chats.post_client_message(contact=peer.contact, content=posted, channel=connection.channel, client_id=key)
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
            _lock(connection, row, content)
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
    known = _known(connection, row, content)
    peer = _moved_on(known, row, content) if known else _new_peer(connection, row.conversation, content)
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


def _lock(connection: Connection, row: Inbound, content: InboundContent) -> None:
    """Keeps two first messages of one person, by two names of theirs, from making two of them."""
    for name in sorted({row.conversation, *content.aliases}):
        database.lock(f"messenger_peer:{connection.pk}:{name}")


def _known(connection: Connection, row: Inbound, content: InboundContent) -> Peer | None:
    """The peer of a conversation, by its name or by one that it had."""
    names = (row.conversation, *content.aliases)
    peers = Peer.objects.for_widget(connection.widget_id).select_related("contact")
    found = peers.filter(channel=connection.channel, account=connection.account, conversation__in=names)
    return min(found, key=lambda peer: names.index(peer.conversation), default=None)


def _rename(connection: Connection, row: Inbound, content: InboundContent) -> None:
    """A person has another id from now on: their peer and their contact move on to it. It is no message."""
    with transaction.atomic():
        _lock(connection, row, content)
        if _take(row) and (peer := _known(connection, row, content)) is not None:
            _moved_on(peer, row, content)


def _moved_on(peer: Peer, row: Inbound, content: InboundContent) -> Peer:
    """The peer, under the name that its conversation has now. Their contact's number goes along, if it was the one that
    they had there.
    """
    if peer.conversation == row.conversation:
        return peer
    peer.conversation = row.conversation
    peer.save(update_fields=["conversation"])
    changes: dict[str, Any] = {"attributes": {f"{peer.channel}_user_id": content.user_id}} if content.user_id else {}
    had = peer.contact.phone.lstrip("+")
    if content.phone and had in content.aliases and phone_refusal(content.phone) is None:
        changes["phone"] = content.phone
    if changes:
        chats.update_contact(widget_id=peer.widget_id, guid=peer.contact.guid, changes=changes)
        peer.contact.refresh_from_db()
    return peer


def _is_blocked(peer: Peer) -> bool:
    """Whether the widget has blocked who writes: by their contact, as no address of theirs is known here."""
    return Block.objects.for_widget(peer.widget_id).against(peer.contact_id, "", timezone.now()).exists()


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


def _new_peer(connection: Connection, conversation: str, content: InboundContent) -> Peer:
    known_as = {**known_by(connection.provider, content), **content.attributes}
    about: dict[str, Any] = {
        "attributes": {key: value[:MAX_ATTRIBUTE_VALUE] for key, value in known_as.items() if value}
    }
    about |= {"name": called} if (called := one_line(content.name)[:255]) else {}
    if content.phone:
        about |= {"phone": content.phone} if phone_refusal(content.phone) is None else {}
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


def given_up(lease: leases.Lease[InboundJob], reason: str) -> None:
    """The oldest message of the conversation could not be stored: it is left, and the others go on."""
    line = lease.row
    oldest = Inbound.objects.for_widget(line.widget_id).waiting(line.connection_id, line.conversation).first()
    if oldest is not None:
        logger.error("message %s from a provider could not be stored: it %s", oldest.pk, reason)
        Inbound.objects.for_widget(line.widget_id).filter(pk=oldest.pk).update(handled_at=Now())
        lease.later(0)
