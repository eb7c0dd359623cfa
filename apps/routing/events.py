"""The events of routing."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from apps.chats.events import ChatEvent
from apps.core.bus import DomainEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingChanged(DomainEvent):
    """Settings of routing or answer times, or an operator's places, are others now."""

    widget_id: int
    department_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatQueued(ChatEvent):
    """A chat began to wait for a place, or for the operator to whom it is offered; once a wait."""

    contact_guid: str
    department_id: int | None
    priority: Literal["low", "normal", "high", "urgent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatAssigned(ChatEvent):
    """A chat that was routed is an operator's: they accepted the offer, or were given it."""

    contact_guid: str
    operator_id: int
    department_id: int | None
    outcome: Literal["accepted", "assigned"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferEnded(DomainEvent):
    """An offer ended; `outcome` is one of `rules.reasons.OfferOutcome`."""

    widget_id: int
    chat_id: int
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateEnded(DomainEvent):
    """A person has ended a wait whose visitor was told a time: at or under its upper number, if it was kept."""

    widget_id: int
    chat_id: int
    is_kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTimeEvent(ChatEvent):
    """The base of the events of an answer time: which, when it is or was due, and whose chat it is.

    `agent_id` owns the chat; None: nobody does.
    """

    contact_guid: str
    metric: Literal["first_reply", "next_reply", "resolution"]
    due_at: datetime
    department_id: int | None
    agent_id: int | None
    priority: Literal["low", "normal", "high", "urgent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTimeWarned(AnswerTimeEvent):
    """An answer is due soon: as much of its time is used as the settings say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTimeMissed(AnswerTimeEvent):
    """An answer was due, and did not come in time."""
