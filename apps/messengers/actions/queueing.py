"""Queueing a message for its provider, by the statement that stores it."""

from apps.core import leases
from apps.core.bus import Cte
from apps.messengers.actions.sending import QUEUE, connection_to
from apps.messengers.models import Peer

_QUEUE = f"""
messengers_out AS (
    INSERT INTO messengers_outboundmessage (message_id, widget_id, peer_id, channel)
    SELECT id, %(messengers_widget_id)s, %(messengers_peer_id)s, %(messengers_channel)s FROM written
    RETURNING message_id
), messengers_line AS (
    INSERT INTO messengers_outboundline AS t (peer_id, widget_id, connection_id, due_at, waiting_since)
    SELECT %(messengers_peer_id)s, %(messengers_widget_id)s, %(messengers_connection_id)s, statement_timestamp(),
           statement_timestamp() FROM messengers_out
    {leases.on_conflict(unique=["peer_id"], changes=["connection_id"], longest="0").strip()}
    RETURNING t.id
)"""  # noqa: S608 - of constants


def queue_cte(peer: Peer) -> Cte:
    """Queues the message that the statement stores, behind what waits for the peer already."""
    connection = connection_to(peer)
    parameters = {
        "messengers_widget_id": peer.widget_id,
        "messengers_peer_id": peer.pk,
        "messengers_channel": peer.channel,
        "messengers_connection_id": connection.pk if connection else 0,
    }
    return Cte(_QUEUE, parameters, "(SELECT true FROM messengers_line)", lambda _: QUEUE.wake())
