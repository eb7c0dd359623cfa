"""The events of the knowledge base."""

from dataclasses import dataclass

from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingFailed(DomainEvent):
    """The widget's provider makes no embeddings now. `message` says to people what that means until it does again."""

    widget_id: int
    message: str
