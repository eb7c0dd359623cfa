"""Queueing a message for its provider: by the statement that stores it, and again after it has failed."""

from typing import Any

from django.utils import timezone

from apps import leases
from apps.core.bus import Cte
from apps.messengers.actions.outbound import connection_to
from apps.messengers.models import OutboundJob, OutboundMessage, Peer

_QUEUE = f"""
messengers_out AS (
    INSERT INTO messengers_outboundmessage (message_id, widget_id, peer_id, channel, not_before)
    SELECT id, %(messengers_widget_id)s, %(messengers_peer_id)s::bigint, %(messengers_channel)s,
           statement_timestamp() + %(messengers_waits_s)s::int * interval '1 second' FROM written
    RETURNING message_id
), messengers_line AS (
    INSERT INTO messengers_outboundline AS t (peer_id, widget_id, connection_id, due_at, waiting_since)
    SELECT %(messengers_peer_id)s::bigint, %(messengers_widget_id)s, %(messengers_connection_id)s,
           statement_timestamp(), statement_timestamp() FROM messengers_out
    {leases.on_conflict(unique=["peer_id"], changes=["connection_id"], longest="0").strip()}
    RETURNING t.id
)"""  # noqa: S608 - of constants


def queue_cte(*, widget_id: int, channel: str, peer: Peer | None, waits_s: int = 0) -> Cte:
    """Queues the message that the statement stores, behind what waits for the peer already; without a peer it fails.

    It leaves after `waits_s`, or at once.
    """
    line = _line_of(peer)
    parameters = {
        "messengers_widget_id": widget_id,
        "messengers_peer_id": line["peer_id"],
        "messengers_channel": channel,
        "messengers_connection_id": line["connection_id"],
        "messengers_waits_s": waits_s or None,
    }
    return Cte(_QUEUE, parameters, "(SELECT true FROM messengers_line)", lambda _: leases.wake_workers())


def queue_again(*, widget_id: int, channel: str, peer: Peer | None, message_id: int) -> None:
    """Queues a message that had failed; its attempts start from zero. Parts that went out are not sent again, but take
    the message's present text.
    """
    anew = {"peer": peer, "channel": channel, "attempts": 0, "is_failed": False, "done_at": None, "not_before": None}
    now = timezone.now()
    OutboundMessage.objects.for_widget(widget_id).update_or_create(
        message_id=message_id, defaults={"widget_id": widget_id, "queued_at": now, "changed_at": now, **anew}
    )
    line = _line_of(peer)
    values = {"widget_id": widget_id, "connection_id": line["connection_id"]}
    leases.enqueue(OutboundJob, unique={"peer_id": line["peer_id"]}, values=values)
    leases.wake_workers()


def _line_of(peer: Peer | None) -> dict[str, Any]:
    connection = connection_to(peer) if peer else None
    return {"peer_id": peer.pk if peer else None, "connection_id": connection.pk if connection else 0}
