"""The names under which messages that come in are stored, so that each is stored once however often it comes."""

from collections.abc import Sequence
from uuid import UUID

from apps.chats.models import Message
from apps.messengers.actions.provider_calls import adapter_of
from apps.messengers.models import Connection, Inbound, Peer
from apps.messengers.rules.inbound import InboundContent, stored_under


def keys_of(
    connection: Connection, row: Inbound, external_id: str, content: InboundContent | None = None, *, number: int = 0
) -> Sequence[UUID]:
    """The names of a message, the one of now first.

    Ids that are unique everywhere are not counted by conversation, as that may get another name; those that were
    stored before this was so are found by the conversation's names.
    """
    names = [row.conversation, *(content.aliases if content else ())]
    if adapter_of(connection).has_global_ids:
        names.insert(0, "")
    return [stored_under(connection.provider, connection.account, name, external_id, number) for name in names]


def is_stored(connection: Connection, peer: Peer, row: Inbound, content: InboundContent) -> bool:
    """Whether a message was stored under a name that it would no longer get. Index: chats_message_client_id."""
    older = keys_of(connection, row, row.external_id, content)[1:]
    if not older:
        return False
    rows = Message.objects.for_widget(peer.widget_id).filter(chat__contact=peer.contact_id, client_id__in=older)
    return rows.exists()
