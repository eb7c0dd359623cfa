"""Bots as a kind of destination: where a widget's bot is told what happens in its chats."""

from collections.abc import Mapping, Sequence

from apps.compat import rules
from apps.compat.models import LegacyBot
from apps.core.destinations import Destination, DestinationType, PendingDelivery, register


def read_bots(due: Sequence[PendingDelivery]) -> Mapping[int, Destination]:
    """The addresses of deliveries to bots; none for a deleted or disabled one, so that they are dropped."""
    active = LegacyBot.objects.unscoped("of claimed deliveries").active().in_bulk({one.destination_id for one in due})
    return {
        one.id: Destination(url=bot.target, secrets=(bot.secret,))
        for one in due
        if (bot := active.get(one.destination_id))
    }


BOTS = register(DestinationType(name=rules.DESTINATIONS, read=read_bots))
