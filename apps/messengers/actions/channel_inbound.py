"""Messages that come in by a custom channel."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.chats import actions as chats
from apps.chats.actions import PostedMessage
from apps.messengers import rules
from apps.messengers.errors import CHANNEL_DISABLED
from apps.messengers.models import Channel, Peer


@transaction.atomic
def receive_message(
    *,
    channel: Channel,
    external_client_id: str,
    external_channel_id: str,
    text: str,
    message_id: str | None = None,
    about: Mapping[str, Any] | None = None,
) -> PostedMessage:
    """Stores a text that a client wrote by a channel; their first one makes their contact and their chat.

    `message_id` is what the channel calls the message: the same one again gives the message that it stored. `about`
    may have the name, email and phone that the contact is made with; later changes of them touch nothing.

    Raises CHANNEL_DISABLED (409).
    """
    if not channel.is_active:
        raise CHANNEL_DISABLED()
    peer = _peer(channel, external_client_id, external_channel_id, about or {})
    return chats.post_client_message(
        contact=peer.contact,
        content={"type": "text", "body": text},
        channel=channel.code,
        client_id=rules.client_id_of(channel.code, external_client_id, message_id),
    )


def _peer(channel: Channel, external_client_id: str, external_channel_id: str, about: Mapping[str, Any]) -> Peer:
    """The writer, made with a contact at their first message. Two first messages at once make one of each."""
    named = Peer.objects.for_widget(channel.widget_id).named(channel.code, external_client_id)
    peer = named.first()
    if peer is None:
        Channel.objects.for_widget(channel.widget_id).select_for_update(no_key=True).get_or_404(pk=channel.pk)
        peer = named.all().first() or _new_peer(channel, external_client_id, external_channel_id, about)
    if external_channel_id and peer.external_channel_id != external_channel_id:
        peer.external_channel_id = external_channel_id
        peer.save(update_fields=["external_channel_id"])
    return peer


def _new_peer(channel: Channel, external_client_id: str, external_channel_id: str, about: Mapping[str, Any]) -> Peer:
    known_as = {rules.attribute_name(channel.code): external_client_id}
    contact = chats.create_contact(widget_id=channel.widget_id, about={**about, "attributes": known_as})
    return Peer.objects.create(
        widget_id=channel.widget_id,
        channel=channel.code,
        conversation=external_client_id,
        external_channel_id=external_channel_id,
        contact=contact,
    )
