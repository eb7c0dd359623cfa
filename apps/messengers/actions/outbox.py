"""Queueing a message for its provider: by the statement that stores it, and again after it has failed."""

from typing import Any

from django.utils import timezone

from apps import leases
from apps.core.bus import Cte
from apps.messengers.actions.outbound import connection_to
from apps.messengers.models import OutboundJob, OutboundMessage, Peer
from apps.messengers.rules.providers import AVITO, cabinet_of

_QUEUE = f"""
messengers_to AS MATERIALIZED (
    SELECT written.id, written.widget_id, peer.id AS peer_id, coalesce(connection.id, 0) AS connection_id
    FROM written JOIN chats_chat chat ON chat.id = written.chat_id
    LEFT JOIN LATERAL (
        SELECT id, account FROM messengers_peer
        WHERE widget_id = chat.widget_id AND contact_id = chat.contact_id AND channel = chat.channel
        ORDER BY id LIMIT 1
    ) peer ON true
    LEFT JOIN messengers_connection connection
           ON connection.widget_id = written.widget_id AND connection.provider = %(messengers_provider)s::text
          AND CASE WHEN %(messengers_cabinet_id)s::bigint IS NULL THEN connection.account = peer.account
              ELSE connection.id = %(messengers_cabinet_id)s::bigint AND peer.id IS NOT NULL END
), messengers_out AS (
    INSERT INTO messengers_outboundmessage (message_id, widget_id, peer_id, channel, not_before)
    SELECT messengers_to.id, messengers_to.widget_id, peer_id, %(messengers_channel)s::text,
           statement_timestamp() + %(messengers_waits_s)s::int * interval '1 second'
    FROM messengers_to JOIN written ON written.id = messengers_to.id
    RETURNING message_id
), messengers_line AS (
    INSERT INTO messengers_outboundline AS t (peer_id, widget_id, connection_id, due_at, waiting_since)
    SELECT peer_id, widget_id, connection_id, statement_timestamp(), statement_timestamp()
    FROM messengers_to JOIN messengers_out ON message_id = id
    {leases.on_conflict(unique=["peer_id"], changes=["connection_id"], longest="0").strip()}
    RETURNING t.id
)"""  # noqa: S608 - of constants


def queue_cte(*, channel: str, waits_s: int = 0) -> Cte:
    """Queues the message that the statement stores for the peer behind its chat, after what waits for them already;
    without a peer it fails. The statement itself finds the peer, and by which connection they are written to.

    It leaves after `waits_s`, or at once.
    """
    cabinet_id = cabinet_of(channel)
    parameters = {
        "messengers_channel": channel,
        "messengers_provider": channel if cabinet_id is None else AVITO,
        "messengers_cabinet_id": cabinet_id,
        "messengers_waits_s": waits_s or None,
    }
    value = "EXISTS (SELECT FROM messengers_line)"
    return Cte(_QUEUE, parameters, value, lambda _: leases.wake_workers(), is_for_each=True)


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
