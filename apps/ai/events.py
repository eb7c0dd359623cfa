"""What happens to a widget's AI."""

from dataclasses import dataclass

from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True)
class AiConfigurationChanged(DomainEvent):
    """Settings, an assistant, an operator or a credential has changed: who answers, or how, may be another."""

    widget_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOver(DomainEvent):
    """An AI operator handed a chat to people, and told the visitor so. `mode` (`rules.turns`) is the one since then."""

    widget_id: int
    chat_id: int
    reason: str
    mode: str
