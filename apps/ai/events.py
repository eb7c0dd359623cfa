"""What happens to a widget's AI."""

from dataclasses import dataclass

from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True)
class AiConfigurationChanged(DomainEvent):
    """Settings, an assistant, an operator or a credential has changed: who answers, or how, may be another."""

    widget_id: int
