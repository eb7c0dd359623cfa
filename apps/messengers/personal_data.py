"""The personal data that messengers hold of a contact: their peers, and the messages beside the chats."""

from collections.abc import Iterator

from apps.chats.actions.personal_data import PersonalData, PersonalRows
from apps.messengers.models import Inbound, InboundJob, OutboundMessage, Peer, StartLink


def held_of_contact(widget_id: int, contact_id: int) -> Iterator[PersonalRows]:
    """Peers first: what is addressed to them goes before them."""
    peers = Peer.objects.for_widget(widget_id).filter(contact_id=contact_id)
    yield PersonalRows(name="messengers", rows=peers, fields=("channel", "account", "conversation", "created_at"))
    conversations = list(peers.values_list("conversation", flat=True))
    yield PersonalRows(
        name="updates", rows=Inbound.objects.for_widget(widget_id).filter(conversation__in=conversations)
    )
    lines = InboundJob.objects.for_widget(widget_id).filter(conversation__in=conversations)
    yield PersonalRows(name="lines", rows=lines)
    links = StartLink.objects.for_widget(widget_id).filter(contact_id=contact_id)
    yield PersonalRows(name="start_links", rows=links)
    outbound = OutboundMessage.objects.for_widget(widget_id).filter(message__chat__contact_id=contact_id)
    yield PersonalRows(name="outbound", rows=outbound)


PERSONAL_DATA = PersonalData(held_of_contact)
