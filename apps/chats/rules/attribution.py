"""A chat's attribution (who answered first, who handles it, who owns it) and its change by each event.

Source: specification, "Chat"; where it is silent, docs/adr/0008.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple


class Handling(StrEnum):
    MISSED = "missed"
    HUMAN = "human"
    AI = "ai"
    AI_TO_HUMAN = "ai_to_human"
    HUMAN_TO_AI = "human_to_ai"


class OperatorType(StrEnum):
    HUMAN = "human"
    AI = "ai"


class AttributionEvent(StrEnum):
    """The events that may change a chat's attribution; in brackets the agent whose id comes with it."""

    HUMAN_REPLIED = "a person replied"  # (the person)
    HUMAN_ACCEPTED = "a person accepted the chat"  # (the person)
    HUMAN_ASSIGNED = "the chat was assigned to a person"  # (the person)
    TRANSFERRED = "the chat was transferred to a person"  # (the person)
    AI_ANSWERED = "an AI operator answered, and the visitor sees it"  # (the AI operator)
    AI_ANSWERED_UNSEEN = "an AI operator answered in shadow mode"  # (the AI operator)
    EXTERNAL_ANSWERED = "an external (webhook) operator answered"  # (the webhook operator)
    AI_TOOK_OVER = "an AI operator answered for a person gone silent"  # (the AI operator)
    ESCALATED = "the AI operator handed the chat to people"  # (the person, or None: to whoever comes)


class AttributedOperator(NamedTuple):
    """The operator who answered, and when (None for chats accepted before attribution was recorded)."""

    agent_id: int
    type: OperatorType
    at: datetime | None


class Handover(NamedTuple):
    """A chat waits for a person: since when, and why (a slug of the app that handed it over)."""

    at: datetime
    reason: str


class Attribution(NamedTuple):
    """The operator who answered a chat first, the one who handles it now, how that came, and the person it is routed
    to.

    `handled_by` is None before the first answer, and while a chat that the AI operator handed over waits for people.
    `handover` is there from when a chat was handed to people until one of them has it.
    """

    handling: Handling = Handling.MISSED
    accepted_by: AttributedOperator | None = None
    handled_by: AttributedOperator | None = None
    owner_id: int | None = None
    handover: Handover | None = None

    @classmethod
    def from_columns(cls, columns: Sequence[Any]) -> Attribution:
        """The attribution that a chat's row keeps in ATTRIBUTION_COLUMNS."""
        owner_id, handling, *answered = columns[:8]
        accepted_id, accepted_type, accepted_at, handled_id, handled_type, handled_at = answered
        handed_over_at, handover_reason = columns[8:]
        return cls(
            handling=Handling(handling),
            accepted_by=AttributedOperator(accepted_id, OperatorType(accepted_type), accepted_at)
            if accepted_type
            else None,
            handled_by=AttributedOperator(handled_id, OperatorType(handled_type), handled_at) if handled_type else None,
            owner_id=owner_id,
            handover=Handover(handed_over_at, handover_reason or "") if handed_over_at else None,
        )

    def columns(self) -> dict[str, Any]:
        """The columns of a chat's row, by ATTRIBUTION_COLUMNS."""
        accepted, handled, handover = self.accepted_by, self.handled_by, self.handover
        values = (
            self.owner_id,
            self.handling,
            *((accepted.agent_id, accepted.type, accepted.at) if accepted else (None, None, None)),
            *((handled.agent_id, handled.type, handled.at) if handled else (None, None, None)),
            *(handover or (None, None)),
        )
        return dict(zip(ATTRIBUTION_COLUMNS, values, strict=True))


# A chat's columns that keep its attribution.
ATTRIBUTION_COLUMNS = (
    "agent_id",
    "handling",
    "accepted_agent_id",
    "accepted_type",
    "accepted_at",
    "handled_agent_id",
    "handled_type",
    "handled_at",
    "handed_over_at",
    "handover_reason",
)

_H = Handling
# What `handling` becomes when a person has the chat, when an AI operator answers, when it takes over.
_PERSON_HAS_IT = {
    _H.MISSED: _H.HUMAN,
    _H.HUMAN: _H.HUMAN,
    _H.AI: _H.AI_TO_HUMAN,
    _H.AI_TO_HUMAN: _H.AI_TO_HUMAN,
    _H.HUMAN_TO_AI: _H.AI_TO_HUMAN,
}
_AI_MAKES_IT = {
    _H.MISSED: _H.AI,
    _H.HUMAN: _H.HUMAN_TO_AI,
    _H.AI: _H.AI,
    _H.AI_TO_HUMAN: _H.HUMAN_TO_AI,
    _H.HUMAN_TO_AI: _H.HUMAN_TO_AI,
}
_PEOPLE_HAVE_IT = frozenset({_H.HUMAN, _H.AI_TO_HUMAN})
# Where an AI or external operator has the word, if one is at work and no person owns the chat.
AI_HAS_IT = (_H.MISSED, _H.AI, _H.HUMAN_TO_AI)

_BECOMES_OWNER = frozenset({AttributionEvent.HUMAN_ACCEPTED, AttributionEvent.HUMAN_ASSIGNED})
# What ends a chat's wait for a person: that one has it, or that an AI operator answers in their stead.
_ENDS_WAIT = frozenset(
    {
        AttributionEvent.HUMAN_REPLIED,
        AttributionEvent.HUMAN_ACCEPTED,
        AttributionEvent.HUMAN_ASSIGNED,
        AttributionEvent.TRANSFERRED,
        AttributionEvent.AI_TOOK_OVER,
    }
)
# What a message of an AI or external operator says; that it was shown to the visitor goes without saying.
MACHINE_SPEAKS = frozenset(
    {AttributionEvent.AI_ANSWERED, AttributionEvent.EXTERNAL_ANSWERED, AttributionEvent.AI_TOOK_OVER}
)


def after(
    attribution: Attribution, event: AttributionEvent, *, agent_id: int | None, now: datetime, reason: str = ""
) -> Attribution:
    """The attribution after one more event in the chat.

    The first operator to answer stays `accepted_by` for ever; `handled_by` changes its time only with the operator; an
    AI operator never becomes owner, and a chat that it answers has none. A transfer or an escalation routes the chat
    and is no answer: one that was missed stays missed. A transfer to the owner changes nothing; nor does what an AI
    operator says while people have the chat, unless it takes over. An escalation makes the chat wait for a person, for
    its `reason`; a second one keeps since when. `agent_id` is the agent whom AttributionEvent names; only ESCALATED may
    have none (else ValueError).
    """
    if event is AttributionEvent.AI_ANSWERED_UNSEEN:
        return attribution
    if event is AttributionEvent.ESCALATED:
        return _after_escalation(attribution, agent_id, now, reason)
    if agent_id is None:
        raise ValueError(f"{event}: who?")
    handover = None if event in _ENDS_WAIT else attribution.handover
    found = _after_word_or_routing(attribution, event, agent_id, now)
    return found if found.handover == handover else found._replace(handover=handover)


def waiting_for_person(attribution: Attribution, *, reason: str, now: datetime) -> Attribution:
    """The attribution of a chat that waits for a person, whatever was answered; a chat that waits keeps its
    beginning.
    """
    since = attribution.handover.at if attribution.handover else now
    return attribution._replace(handover=Handover(since, reason))


def _after_word_or_routing(
    attribution: Attribution, event: AttributionEvent, agent_id: int, now: datetime
) -> Attribution:
    if event is AttributionEvent.TRANSFERRED:
        if attribution.owner_id == agent_id:
            return attribution
        return _routed(attribution, agent_id, now)
    if event in MACHINE_SPEAKS:
        if attribution.handling in _PEOPLE_HAVE_IT and event is not AttributionEvent.AI_TOOK_OVER:
            return attribution
        answered_by = AttributedOperator(agent_id, OperatorType.AI, now)
        handling = Handling.AI if _nobody_came(attribution) else _AI_MAKES_IT[attribution.handling]
        return _answered(attribution, answered_by, handling, owner_id=None)
    keeps_owner = event not in _BECOMES_OWNER and attribution.owner_id is not None
    owner_id = attribution.owner_id if keeps_owner else agent_id
    answered_by = AttributedOperator(agent_id, OperatorType.HUMAN, now)
    return _answered(attribution, answered_by, _PERSON_HAS_IT[attribution.handling], owner_id=owner_id)


def is_acceptance(before: Attribution, after: Attribution) -> bool:
    """Whether an event emits `chat.accepted`: it was the chat's first answer."""
    return before.accepted_by is None and after.accepted_by is not None


def _answered(
    attribution: Attribution, operator: AttributedOperator, handling: Handling, *, owner_id: int | None
) -> Attribution:
    return Attribution(
        handling=handling,
        accepted_by=attribution.accepted_by or operator,
        handled_by=_handler(attribution, operator),
        owner_id=owner_id,
        handover=attribution.handover,
    )


def _nobody_came(attribution: Attribution) -> bool:
    """Whether an AI operator has handed the chat to people, none of whom has answered it."""
    accepted_by = attribution.accepted_by
    return attribution.handled_by is None and accepted_by is not None and accepted_by.type is OperatorType.AI


def _routed(attribution: Attribution, agent_id: int, now: datetime) -> Attribution:
    """The chat is a person's now, who answered nothing yet."""
    if attribution.accepted_by is None:
        return Attribution(owner_id=agent_id, handover=attribution.handover)
    operator = AttributedOperator(agent_id, OperatorType.HUMAN, now)
    return _answered(attribution, operator, _PERSON_HAS_IT[attribution.handling], owner_id=agent_id)


def _after_escalation(attribution: Attribution, agent_id: int | None, now: datetime, reason: str) -> Attribution:
    handled_by = attribution.handled_by
    if handled_by is not None and handled_by.type is OperatorType.HUMAN:
        return attribution  # a person was quicker
    waiting = waiting_for_person(attribution, reason=reason, now=now)
    if agent_id is not None:
        return _routed(waiting, agent_id, now)
    if attribution.accepted_by is None:
        return waiting
    return waiting._replace(handling=_H.AI_TO_HUMAN, handled_by=None)


def _handler(attribution: Attribution, operator: AttributedOperator) -> AttributedOperator:
    now_handling = attribution.handled_by
    if now_handling and (now_handling.agent_id, now_handling.type) == (operator.agent_id, operator.type):
        return now_handling
    return operator
