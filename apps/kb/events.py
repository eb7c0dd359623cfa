"""The events of the knowledge base."""

from dataclasses import dataclass

from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingFailed(DomainEvent):
    """The widget's provider makes no embeddings now: of new knowledge, or of a question to be answered.
    Until it does again, that is found by its text alone.
    """

    widget_id: int
    asked_for_answer: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSucceeded(DomainEvent):
    """The background's work on a widget's rules is done: the provider makes embeddings."""

    widget_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingModelMended(DomainEvent):
    """The models of a widget were changed, or answer again: what waits for one is tried at once."""

    widget_id: int
