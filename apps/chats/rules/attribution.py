"""Who answered a chat first, and who handles it. Source: specification, "Chat"."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Handling(StrEnum):
    MISSED = "missed"
    HUMAN = "human"
    AI = "ai"
    AI_TO_HUMAN = "ai_to_human"
    HUMAN_TO_AI = "human_to_ai"


class OperatorType(StrEnum):
    HUMAN = "human"
    AI = "ai"


@dataclass(frozen=True, slots=True)
class Operator:
    """Who answered, and when (None for chats accepted before attribution was recorded)."""

    agent_id: int
    type: OperatorType
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Attribution:
    """Who answered a chat first, who handles it now, and how that came."""

    handling: Handling = Handling.MISSED
    accepted_by: Operator | None = None
    handled_by: Operator | None = None


_PERSON_TAKES_OVER = {
    Handling.MISSED: Handling.HUMAN,
    Handling.HUMAN: Handling.HUMAN,
    Handling.AI: Handling.AI_TO_HUMAN,
    Handling.AI_TO_HUMAN: Handling.AI_TO_HUMAN,
    Handling.HUMAN_TO_AI: Handling.AI_TO_HUMAN,
}


def after_human_answer(attribution: Attribution, *, agent_id: int, now: datetime) -> Attribution:
    """The attribution after a person replied to, accepted or was assigned the chat.

    The first operator to answer stays `accepted_by`; `handled_by` changes its time only when the operator changes.
    """
    operator = Operator(agent_id, OperatorType.HUMAN, now)
    handled_by = attribution.handled_by
    if handled_by is None or (handled_by.agent_id, handled_by.type) != (agent_id, OperatorType.HUMAN):
        handled_by = operator
    return Attribution(
        handling=_PERSON_TAKES_OVER[attribution.handling],
        accepted_by=attribution.accepted_by or operator,
        handled_by=handled_by,
    )
