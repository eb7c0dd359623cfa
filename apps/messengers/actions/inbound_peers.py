"""The writers of conversations: their peers and contacts, by the name that a conversation has, or had.

A writer is read by one statement, and an update is taken where it comes in by another. By hand: each message asks
them, and compiling a queryset costs more than running it.
"""

from typing import Any, NamedTuple

from apps.accounts.rules import phone_refusal
from apps.chats import actions as chats
from apps.chats.models import Contact
from apps.chats.rules.contacts import MAX_ATTRIBUTE_VALUE
from apps.core import database
from apps.core.parsing.names import one_line
from apps.messengers.models import Connection, Inbound, Peer
from apps.messengers.rules.inbound import InboundContent, known_by

_PEER_FIELDS = ("id", "widget_id", "channel", "account", "conversation", "contact_id")
_CONTACT_FIELDS = ("id", "widget_id", "guid", "name", "phone")
# Indexes: messengers_peer_one_a_conversation, chats_block_of_widget, messengers_inbound_once.
_FIND_WRITER = f"""
SELECT {", ".join(f"peer.{name}" for name in _PEER_FIELDS)}, {", ".join(f"contact.{name}" for name in _CONTACT_FIELDS)},
       EXISTS (SELECT FROM chats_block block
               WHERE block.widget_id = %(widget_id)s AND block.contact_id = peer.contact_id
                     AND coalesce(block.until, 'infinity') > statement_timestamp()),
       EXISTS (SELECT FROM messengers_inbound early
               WHERE early.widget_id = %(widget_id)s AND early.connection_id = %(connection_id)s
                     AND early.conversation = %(conversation)s AND early.changes = %(external_id)s)
FROM messengers_peer peer JOIN chats_contact contact ON contact.id = peer.contact_id
WHERE peer.widget_id = %(widget_id)s AND peer.channel = %(channel)s AND peer.account = %(account)s
      AND peer.conversation = ANY(%(names)s)
ORDER BY array_position(%(names)s::text[], peer.conversation::text) LIMIT 1"""  # noqa: S608 - of constants


# No call waits longer for a lock that another holds: the update is left to a worker.
PATIENCE = "250ms"
# Index: messengers_inbound_open.
_TAKE_AT_ONCE = """
WITH conversation AS MATERIALIZED (
    SELECT set_config('lock_timeout', %(patience)s, true),
           bool_and(pg_try_advisory_xact_lock(hashtextextended(name, 0))) AS is_free
    FROM unnest(%(locks)s::text[]) name
)
INSERT INTO messengers_inbound (widget_id, connection_id, conversation, external_id, part, handled_at)
SELECT %(widget_id)s, %(connection_id)s, %(conversation)s, %(external_id)s, %(part)s, statement_timestamp()
FROM conversation WHERE is_free AND NOT EXISTS (
    SELECT FROM messengers_inbound waiting
    WHERE waiting.widget_id = %(widget_id)s AND waiting.connection_id = %(connection_id)s
          AND waiting.conversation = ANY(%(names)s) AND waiting.handled_at IS NULL)
ON CONFLICT DO NOTHING"""


class KnownWriter(NamedTuple):
    """A writer who is known. Loads only the common columns of peer and contact; the others are deferred.

    `is_blocked`: the widget has blocked them, by their contact, as no address of theirs is known here. `has_changes`:
    there are edits or a deletion of the message that is looked at.
    """

    peer: Peer
    is_blocked: bool
    has_changes: bool


def known_writer(connection: Connection, row: Inbound, content: InboundContent) -> KnownWriter | None:
    """The writer of a message that came in; None for one who is not known yet."""
    found = database.fetch_one(
        _FIND_WRITER,
        {
            "widget_id": connection.widget_id,
            "connection_id": connection.pk,
            "channel": connection.channel,
            "account": connection.account,
            "names": [row.conversation, *content.aliases],
            "conversation": row.conversation,
            "external_id": row.external_id,
        },
    )
    if found is None:
        return None
    *about, is_blocked, has_changes = found
    peer = Peer.from_db(None, _PEER_FIELDS, about[: len(_PEER_FIELDS)])
    peer.contact = Contact.from_db(None, _CONTACT_FIELDS, about[len(_PEER_FIELDS) :])
    return KnownWriter(peer, is_blocked, has_changes)


def lock_conversation(connection: Connection, row: Inbound, content: InboundContent) -> None:
    """Keeps two first messages of one person, by two names of theirs, from making two of them, and a message that is
    stored where it comes in from passing what a worker does in the conversation.
    """
    for name in _locks(connection, row, content):
        database.lock(name)


def take_at_once(connection: Connection, row: Inbound, content: InboundContent) -> bool:
    """Stores a message that comes in as dealt with, under its conversation's lock, in the transaction under way, whose
    statements wait for others' locks for PATIENCE from then on. Returns whether that was done.

    It is not done where something of the conversation waits, a worker or another call is at it, or the message has come
    before. All that has been answered by now is seen: it waits, or is stored in its chat.
    """
    values = {
        "patience": PATIENCE,
        "locks": _locks(connection, row, content),
        "names": [row.conversation, *content.aliases],
        "widget_id": connection.widget_id,
        "connection_id": connection.pk,
        "conversation": row.conversation,
        "external_id": row.external_id,
        "part": Inbound._meta.get_field("part").get_prep_value(row.part),
    }
    return bool(database.execute(_TAKE_AT_ONCE, values))


def _locks(connection: Connection, row: Inbound, content: InboundContent) -> list[str]:
    names = sorted({row.conversation, *content.aliases})
    return [f"messenger_peer:{connection.pk}:{name}" for name in names]


def new_peer(connection: Connection, conversation: str, content: InboundContent) -> Peer:
    """Makes who writes for the first time, with their contact, in the transaction under way."""
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


def moved_on(peer: Peer, row: Inbound, content: InboundContent) -> Peer:
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


def fill_phone(contact: Contact, phone: str) -> None:
    """Gives a contact without a number the one that they have told."""
    if phone and not contact.phone:
        changes = {"phone": phone[:32]}
        chats.update_contact(widget_id=contact.widget_id, guid=contact.guid, changes=changes)
