"""Conversations with messages to send, all on one loop of a process (`apps.leases.Sends`).

A statement claims those that are due, as many of each connection as may be under way; few more read all that their
oldest messages need, and the outcomes of many are written together.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Hashable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from django.db import Error as DatabaseError
from django.db import connection as database
from django.db import transaction
from django.db.models import QuerySet

from apps import leases
from apps.chats.models import Message
from apps.chats.rules.messages import is_ai
from apps.core.database import execute
from apps.egress.batch import GuardedSession
from apps.leases.claims import claim, last_served, look
from apps.leases.queues import CRASHED
from apps.leases.sender import DatabaseThreads
from apps.messengers.actions.outbound import (
    Came,
    fail_without_peer,
    note_sent,
    send,
    spoken_before,
    with_machine_before,
)
from apps.messengers.actions.outgoing import Outgoing
from apps.messengers.actions.provider_calls import Way
from apps.messengers.actions.receipts import apply_early_of
from apps.messengers.adapters.client import SEND_S
from apps.messengers.models import Connection, OutboundJob, OutboundMessage, Peer, VendorSettings

logger = logging.getLogger(__name__)

# Vendors keep a connection for longer than this.
KEEP_S = 4.0
# Threads for the questions of single sends to the database: files, failures, a machine's first word.
THREADS = 4


class ClaimedConversation(NamedTuple):
    """A conversation that this process holds; `outgoing` is its oldest message, None where there is none."""

    lease: leases.Lease[OutboundJob]
    outgoing: Outgoing | None

    @property
    def id(self) -> Hashable:
        return self.lease.claim_id

    @property
    def place(self) -> int:
        return self.lease.row.connection_id


class EndedConversation(NamedTuple):
    """How a claim ends, and the message that has gone out whole."""

    lease_end: leases.LeaseEnd
    sent: tuple[Outgoing, Came] | None = None


class Conversations:
    """Messages to messengers: one a person at a time, and as many of a connection as its queue says."""

    name, ahead = "messengers", 1
    # A call that uploads takes as long as two.
    begins_within_s = 60 - 2 * SEND_S - 5

    def __init__(self, queue: leases.Queue[OutboundJob]) -> None:
        self._queue, self._after = queue, 0
        self.most = queue.in_flight_each

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Way]:
        threads = DatabaseThreads(THREADS, self.name)
        try:
            async with GuardedSession(keep_s=KEEP_S) as guarded:
                yield Way(guarded.fetch, threads.run)
        finally:
            await asyncio.get_running_loop().run_in_executor(None, threads.close)

    def exchange(
        self, ended: Sequence[EndedConversation], wanted: int, room: Mapping[Hashable, int], first_room: int
    ) -> tuple[list[ClaimedConversation], list[EndedConversation]]:
        finish(ended)
        if not wanted or not look([self._queue])[0].is_due:
            return [], []
        claimed = claim(self._queue, wanted=wanted, after=self._after, room=room, default_room=first_room)
        self._after = last_served(claimed, self._after)
        crashed = [lease for lease in claimed if lease.row.claims > self._queue.most_claims]
        held = [lease for lease in claimed if lease not in crashed]
        return read(held), [EndedConversation(lease.end_given_up(CRASHED)) for lease in crashed]

    async def send(self, way: Way, conversation: ClaimedConversation) -> tuple[EndedConversation, bool]:
        lease, outgoing = conversation
        try:
            if outgoing is None:
                if lease.row.peer_id is None:
                    await way.ask(fail_without_peer, lease.row.widget_id)
                return EndedConversation(lease.end("done", is_done=True)), True
            came = await send(way, outgoing)
        except Exception as error:
            return EndedConversation(lease.end_by(error)), True
        if came.wait_s is not None:
            return EndedConversation(lease.end("later", wait_s=came.wait_s)), came.is_answered
        end = lease.end("done", is_done=not outgoing.has_more)
        return EndedConversation(end, (outgoing, came) if came.is_sent else None), came.is_answered

    def given_back(self, conversation: ClaimedConversation) -> EndedConversation:
        return EndedConversation(conversation.lease.end_back())


# --- The messages -----------------------------------------------------------------------------------------------------

_OLDEST = """
    SELECT oldest.* FROM unnest(%(peers)s::bigint[]) AS peer (id) CROSS JOIN LATERAL (
        SELECT * FROM messengers_outboundmessage WHERE peer_id = peer.id AND done_at IS NULL ORDER BY message_id LIMIT 1
    ) oldest"""
# A message that somebody is about to change is left until they have; it is read after this, with their change.
_BEGIN = f"""
WITH oldest AS MATERIALIZED ({_OLDEST}
), free AS MATERIALIZED (
    SELECT message_id FROM messengers_outboundmessage
    WHERE message_id = ANY (ARRAY(SELECT message_id FROM oldest)) AND NOT is_begun
      AND (not_before IS NULL OR not_before <= statement_timestamp())
    FOR UPDATE SKIP LOCKED
)
UPDATE messengers_outboundmessage SET is_begun = true WHERE message_id = ANY (ARRAY(SELECT message_id FROM free))
/* unscoped: of claimed conversations */"""  # noqa: S608 - of constants
_READ = f"""
SELECT oldest.*, EXISTS (
    SELECT FROM messengers_outboundmessage
    WHERE peer_id = oldest.peer_id AND done_at IS NULL AND message_id > oldest.message_id
) AS has_more FROM ({_OLDEST}) oldest /* unscoped: of claimed conversations */"""  # noqa: S608
_MESSAGES = "SELECT * FROM chats_message WHERE id = ANY (%(ids)s::bigint[]) /* unscoped: read with their rows */"
# As `outbound.connection_to`.
_PEERS = r"""
SELECT peer.*, connection.id AS used_id FROM messengers_peer peer LEFT JOIN messengers_connection connection
    ON connection.widget_id = peer.widget_id
   AND CASE WHEN peer.channel ~ '^av__[0-9]+$'
       THEN connection.provider = 'av' AND connection.id = substr(peer.channel, 5)::bigint
       ELSE connection.provider = peer.channel AND connection.account = peer.account END
WHERE peer.id = ANY (%(ids)s::bigint[]) /* unscoped: read with their rows */"""
_CONNECTIONS = "SELECT * FROM messengers_connection WHERE id = ANY (%(ids)s::bigint[]) /* unscoped: of their peers */"
_VENDORS = "SELECT * FROM messengers_vendorsettings"


def read(claimed: Sequence[leases.Lease[OutboundJob]]) -> list[ClaimedConversation]:
    """Claimed conversations with their oldest messages, which from then on may have been heard of by their provider.

    Statements by hand: compiling querysets costs more than running them.
    """
    peer_ids = [lease.row.peer_id for lease in claimed if lease.row.peer_id is not None]
    if not peer_ids:
        return [ClaimedConversation(lease, None) for lease in claimed]
    execute(_BEGIN, {"peers": peer_ids})
    waiting = OutboundMessage.objects.unscoped("of claimed conversations").raw(_READ, {"peers": peer_ids})
    rows: dict[Any, Any] = {row.peer_id: row for row in waiting}
    ids = [row.message_id for row in rows.values()]
    messages = _by_id(Message.objects.unscoped("read with their rows"), _MESSAGES, ids)
    peers = _by_id(Peer.objects.unscoped("read with their rows"), _PEERS, list(rows))
    used = [peer.used_id for peer in peers.values() if peer.used_id is not None]
    connections = _by_id(Connection.objects.unscoped("read with their peers"), _CONNECTIONS, list(set(used)))
    vendors = {one.provider: one for one in VendorSettings.objects.raw(_VENDORS)}
    machines = [one.pk for one in messages.values() if is_ai(one.sender_kind, one.details)]
    known = with_machine_before(machines) if machines else set()
    found = []
    for lease in claimed:
        row, peer = rows.get(lease.row.peer_id), peers.get(lease.row.peer_id)
        if row is None or peer is None:
            found.append(ClaimedConversation(lease, None))
            continue
        message, connection = messages.get(row.message_id), connections.get(peer.used_id)
        outgoing = Outgoing(lease, row, peer, message, connection, None, has_more=row.has_more)
        if connection is not None:
            outgoing.settings = vendors.get(connection.provider) or VendorSettings(provider=connection.provider)
        if message is not None and (message.pk not in machines or message.pk in known):
            outgoing.spoken = spoken_before(message, is_known=True)
        found.append(ClaimedConversation(lease, outgoing))
    return found


def _by_id(rows: QuerySet[Any], sql: str, ids: list[int]) -> dict[Any, Any]:
    return {one.pk: one for one in rows.raw(sql, {"ids": ids})}


# --- The outcomes -----------------------------------------------------------------------------------------------------


def finish(ended: Sequence[EndedConversation]) -> None:
    """Writes the outcomes of claims, by one transaction; one by one if they can't be written together. One that can't
    be written at all is left to its lease: the message is sent again.
    """
    if not ended:
        return
    sent = [one.sent for one in ended if one.sent is not None]
    try:
        with transaction.atomic():
            if sent:
                note_sent(sent)
            leases.finish([one.lease_end for one in ended])
    except Exception as error:
        if isinstance(error, DatabaseError) and not database.is_usable():
            raise
        if len(ended) > 1:
            for one in ended:
                finish([one])
            return
        logger.exception("what came of conversation %s could not be written", ended[0].lease_end.lease.row.pk)
        return
    apply_early_of([outgoing for outgoing, _ in sent])
