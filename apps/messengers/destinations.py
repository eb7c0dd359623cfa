"""Custom channels as a kind of destination: where operators' messages go, and what signs them."""

from collections.abc import Mapping, Sequence

from apps.core.destinations import Destination, DestinationType, PendingDelivery, register
from apps.messengers import rules
from apps.messengers.models import Channel


def read_channels(due: Sequence[PendingDelivery]) -> Mapping[int, Destination]:
    """The addresses of deliveries to channels; none for a deleted or disabled one, so that they are dropped.

    Address and secret are those of now: a new secret counts for what waits too.
    """
    active = Channel.objects.unscoped("of claimed deliveries").active().in_bulk({one.destination_id for one in due})
    return {
        one.id: Destination(url=channel.target, secrets=(channel.secret,))
        for one in due
        if (channel := active.get(one.destination_id))
    }


CHANNELS = register(DestinationType(name=rules.DESTINATIONS, read=read_channels))
