"""The metrics of each operator (specification, "Agent", the agent stats row)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from apps.chats.rules.ratings import HIGHEST_RATING, LOWEST_RATING


class AgentMetric(StrEnum):
    """The figures of an operator in a window."""

    CHATS_TOTAL = "chats_total"
    AVG_RESPONSE_TIME_SECONDS = "avg_response_time_seconds"
    MESSAGES_TOTAL = "messages_total"
    RATING_AVERAGE = "rating_average"
    RATING_DISTRIBUTION = "rating_distribution"
    CHATS_ACCEPTED = "chats_accepted"
    CHATS_HANDLED = "chats_handled"
    CHATS_TRANSFERRED_OUT = "chats_transferred_out"
    CHATS_TRANSFERRED_IN = "chats_transferred_in"
    CHATS_MISSED = "chats_missed"


RATINGS = tuple(range(LOWEST_RATING, HIGHEST_RATING + 1))


def no_figures() -> dict[AgentMetric, Any]:
    """The figures before anything is counted: zeros, and averages that are undefined."""
    figures: dict[AgentMetric, Any] = dict.fromkeys(AgentMetric, 0)
    figures[AgentMetric.AVG_RESPONSE_TIME_SECONDS] = figures[AgentMetric.RATING_AVERAGE] = None
    figures[AgentMetric.RATING_DISTRIBUTION] = {str(value): 0 for value in RATINGS}
    return figures


def rating_average(distribution: Mapping[int, int]) -> float | None:
    """The mean of ratings that are counted by value; None without any."""
    count = sum(distribution.values())
    return sum(value * times for value, times in distribution.items()) / count if count else None
