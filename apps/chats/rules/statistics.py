"""What is counted of chats and messages, and how (specification, Endpoints, "Statistics"; docs/adr/0011)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from apps.chats.rules.attribution import Handling, OperatorType


class Metric(StrEnum):
    """The figures of a widget. Chats are those opened in the window, messages those written in it."""

    CHATS_TOTAL = "chats_total"
    CHATS_MISSED = "chats_missed"
    CHATS_ACCEPTED = "chats_accepted"
    CHATS_ACCEPTED_AI = "chats_accepted_ai"
    CHATS_ACCEPTED_HUMAN = "chats_accepted_human"
    CHATS_HANDLED_AI = "chats_handled_ai"
    CHATS_HANDLED_HUMAN = "chats_handled_human"
    CHATS_AI_TO_HUMAN = "chats_ai_to_human"
    CHATS_HUMAN_TO_AI = "chats_human_to_ai"
    MESSAGES_TOTAL = "messages_total"
    AVG_RESPONSE_TIME_SECONDS = "avg_response_time_seconds"
    RATING_AVERAGE = "rating_average"
    AVG_FIRST_RESPONSE_SECONDS = "avg_first_response_seconds"


# Counted only when asked for: it reads the messages of every chat.
OPT_IN = frozenset({Metric.AVG_FIRST_RESPONSE_SECONDS})
DEFAULT_METRICS = tuple(metric for metric in Metric if metric not in OPT_IN)
SERIES_METRICS = (
    Metric.CHATS_TOTAL,
    Metric.CHATS_MISSED,
    Metric.CHATS_ACCEPTED,
    Metric.CHATS_ACCEPTED_AI,
    Metric.CHATS_ACCEPTED_HUMAN,
    Metric.MESSAGES_TOTAL,
)
CHANNEL_METRICS = (
    Metric.CHATS_ACCEPTED,
    Metric.CHATS_ACCEPTED_AI,
    Metric.CHATS_ACCEPTED_HUMAN,
    Metric.CHATS_MISSED,
)
CHAT_METRICS = frozenset(
    {metric for metric in Metric if metric.startswith("chats_")} | {Metric.AVG_RESPONSE_TIME_SECONDS}
)


@dataclass(frozen=True, slots=True)
class Group:
    """Chats that went alike: who accepted and who handles them, how many there are and how long they waited.

    `answered` are those of them whose moment of acceptance is known, `waited` the sum of their times from the chat's
    creation to it.
    """

    handling: str
    accepted_type: str | None
    handled_type: str | None
    chats: int
    answered: int = 0
    waited: timedelta = timedelta()


@dataclass(frozen=True, slots=True)
class Mean:
    """A sum and how many went into it."""

    count: int
    total: timedelta

    @property
    def seconds(self) -> float | None:
        """The average; None of nothing."""
        return self.total / timedelta(seconds=1) / self.count if self.count else None


def chat_metrics(groups: Iterable[Group], wanted: Collection[Metric]) -> dict[Metric, int | float | None]:
    """Those of CHAT_METRICS that are wanted, of chats grouped by how they went."""
    groups = list(groups)
    total, missed = _count(groups), _count(groups, handling=Handling.MISSED)
    waits = Mean(sum(group.answered for group in groups), sum((group.waited for group in groups), timedelta()))
    metrics: dict[Metric, int | float | None] = {
        Metric.CHATS_TOTAL: total,
        Metric.CHATS_MISSED: missed,
        Metric.CHATS_ACCEPTED: total - missed,
        Metric.CHATS_ACCEPTED_AI: _count(groups, accepted_type=OperatorType.AI),
        Metric.CHATS_ACCEPTED_HUMAN: _count(groups, accepted_type=OperatorType.HUMAN),
        Metric.CHATS_HANDLED_AI: _count(groups, handled_type=OperatorType.AI),
        Metric.CHATS_HANDLED_HUMAN: _count(groups, handled_type=OperatorType.HUMAN),
        Metric.CHATS_AI_TO_HUMAN: _count(groups, handling=Handling.AI_TO_HUMAN),
        Metric.CHATS_HUMAN_TO_AI: _count(groups, handling=Handling.HUMAN_TO_AI),
        Metric.AVG_RESPONSE_TIME_SECONDS: waits.seconds,
    }
    return {metric: metrics[metric] for metric in wanted if metric in CHAT_METRICS}


def _count(groups: Iterable[Group], **of: str) -> int:
    return sum(group.chats for group in groups if all(getattr(group, name) == value for name, value in of.items()))
