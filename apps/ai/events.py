"""The events of a widget's AI."""

from dataclasses import dataclass

from apps.ai.rules.actors import Actor
from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True)
class AiConfigurationChanged(DomainEvent):
    """Settings, an assistant, an operator or a credential has changed: who answers, or how, may be another."""

    widget_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOver(DomainEvent):
    """An AI operator handed a chat to people, and told the visitor so. `mode`: see `rules.decisions`."""

    widget_id: int
    chat_id: int
    reason: str
    mode: str


@dataclass(frozen=True, slots=True)
class PersonaRewritten(DomainEvent):
    """The text of an assistant has a new version, by that cause (`PersonaCause`). Its first version is none."""

    widget_id: int
    assistant_id: int
    version: int
    cause: str
    actor: Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(DomainEvent):
    """An AI operator answered a visitor's burst, or handed the chat over instead. `question` is redacted.

    `first_message_id` is the burst's; `reason` why it was handed over, "" where it was not.
    """

    widget_id: int
    chat_id: int
    first_message_id: int
    question: str
    rag_status: str
    transformation: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRated(DomainEvent):
    """A visitor said of an AI's message whether it helped; None takes it back.

    `question` is what it answered, redacted, and `first_message_id` where that begins; 0 where it is not known.
    """

    widget_id: int
    chat_id: int
    first_message_id: int
    question: str
    helpful: bool | None
