"""The events of cards."""

from dataclasses import dataclass

from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsUpdated(DomainEvent):
    """The cards of a chat have changed, as its operators are shown them."""

    widget_id: int
    chat_id: int
