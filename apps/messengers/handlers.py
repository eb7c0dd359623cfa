"""An operator's message in a messenger's chat leaves by it; a plan that changed moves ad cabinets."""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import orjson

from apps.accounts.events import PlanChanged
from apps.chats.events import MessageChanged, MessagePosted, MessageQueuedAgain, SystemMessagePosted
from apps.chats.rules.edits import MessageChange
from apps.chats.rules.messages import is_ai
from apps.core import destinations
from apps.core.bus import Cte, adds_cte, handles
from apps.core.destinations import OutgoingEvent
from apps.messengers import rules
from apps.messengers.actions.cabinets import follow_plan
from apps.messengers.actions.changes import call_back_s, queue_change
from apps.messengers.actions.outbox import queue_again, queue_cte
from apps.messengers.adapters import is_messenger
from apps.messengers.models import Peer
from apps.messengers.payloads import SenderData
from apps.messengers.serializers import message_content

EVENT_TYPE = "message.created"


@adds_cte(MessagePosted, SystemMessagePosted)
def send_to_channels(events: Sequence[Any]) -> Cte | None:
    """Queues each message that a custom channel carries, by the statement that stores it.

    Notes never leave. Does nothing unless an app that delivers is installed.
    """
    leaving = [(event, channel_id) for event in events if (channel_id := _channel_of(event)) is not None]
    if not leaving or not destinations.is_available():
        return None
    queued = [outgoing for event, channel_id in leaving if (outgoing := _outgoing(event, channel_id))]
    return destinations.queue_cte(destinations.kinds()[rules.DESTINATIONS], queued) if queued else None


def _channel_of(event: MessagePosted | SystemMessagePosted) -> int | None:
    """The custom channel by which the event's message leaves; None for one that stays."""
    if not event.is_carried or event.said is None:
        return None
    return rules.channel_id_of(event.channel)


def _outgoing(event: MessagePosted | SystemMessagePosted, channel_id: int) -> OutgoingEvent | None:
    """The message for its channel; None without a peer of that contact."""
    peer = event.read_for.get("messengers")
    said, event_id = event.said, uuid4()
    if peer is None or said is None:
        return None
    sender: SenderData = {
        "id": str(said.agent_id) if said.agent_id else None,
        "name": said.sender_name,
        "kind": said.sender_kind,
        "ai": is_ai(said.sender_kind, said.details),
    }
    body = rules.outbound_body(
        event_id=event_id,
        chat_id=event.chat_id,
        sender=sender,
        recipient_id=peer["conversation"],
        external_channel_id=peer["external_channel_id"] or None,
        message=rules.outbound_message(said.type, message_content(event.widget_id, event.message_id, said)),
    )
    return OutgoingEvent(
        widget_id=event.widget_id,
        destination_ids=[channel_id],
        event_id=event_id,
        event_type=EVENT_TYPE,
        body=orjson.dumps(body).decode(),
    )


@adds_cte(MessagePosted, SystemMessagePosted)
def send_to_providers(events: Sequence[Any]) -> Cte | None:
    """Queues a message that a provider carries, by the statement that stores it."""
    for event in reversed(events):
        if event.is_carried and is_messenger(event.channel):
            waits_s = 0 if event.said is None else call_back_s(event.channel, event.said.via)
            return queue_cte(channel=event.channel, waits_s=waits_s)
    return None


@handles(MessageQueuedAgain)
def resend_to_providers(event: MessageQueuedAgain) -> None:
    """Sends a failed message once more, to the contact's present peer in that messenger."""
    peer = Peer.objects.for_widget(event.widget_id).behind(event.contact_guid, event.channel)
    queue_again(widget_id=event.widget_id, channel=event.channel, peer=peer, message_id=event.message_id)


@handles(MessageChanged)
def change_at_providers(event: MessageChanged) -> None:
    """An operator's edit or deletion reaches the messenger that the message went to, or changes what leaves."""
    if not event.is_internal:
        change = MessageChange(event.change)
        queue_change(widget_id=event.widget_id, chat_id=event.chat_id, message_id=event.message_id, change=change)


@handles(PlanChanged)
def apply_plan_to_cabinets(event: PlanChanged) -> None:
    """Ad cabinets are suspended when the plan no longer covers them, and enabled when it does again."""
    follow_plan(widget_id=event.widget_id)
