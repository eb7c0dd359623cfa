"""The figures of operators in a window, for statistics: one statement for each kind of row."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from apps.chats.models import Chat, Message, Rating, Transfer
from apps.chats.querysets import counts_by
from apps.chats.rules.agent_statistics import RATINGS, AgentMetric, no_figures, rating_average
from apps.core.parsing.periods import Window


def figures_of_agents(
    widget_id: int, agent_ids: Sequence[int], window: Window, wanted: Collection[AgentMetric]
) -> dict[int, dict[AgentMetric, Any]]:
    """The figures of each of these operators: the wanted ones are counted, however many operators there are.

    Chats count when they were opened in the window, messages, transfers and ratings when they happened in it.
    """
    figures = {agent_id: no_figures() for agent_id in agent_ids}
    for metrics, count in _COUNTS.items():
        if not metrics.isdisjoint(wanted):
            for agent_id, found in count(widget_id, agent_ids, window):
                figures[agent_id].update(found)
    return figures


Counted = Iterator[tuple[int, dict[AgentMetric, Any]]]


def _owned(widget_id: int, agent_ids: Sequence[int], window: Window) -> Counted:
    for agent_id, total, missed, waited in Chat.objects.for_widget(widget_id).opened_in(window).by_owner(agent_ids):
        yield (
            agent_id,
            {
                AgentMetric.CHATS_TOTAL: total,
                AgentMetric.CHATS_MISSED: missed,
                AgentMetric.AVG_RESPONSE_TIME_SECONDS: None if waited is None else waited.total_seconds(),
            },
        )


def _rated(widget_id: int, agent_ids: Sequence[int], window: Window) -> Counted:
    distributions = {agent_id: dict.fromkeys(RATINGS, 0) for agent_id in agent_ids}
    for agent_id, value, count in Rating.objects.for_widget(widget_id).given_in(window).by_agent_and_value(agent_ids):
        distributions[agent_id][value] = count
    for agent_id, distribution in distributions.items():
        yield (
            agent_id,
            {
                AgentMetric.RATING_AVERAGE: rating_average(distribution),
                AgentMetric.RATING_DISTRIBUTION: {str(value): count for value, count in distribution.items()},
            },
        )


def _named_in(column: str, metric: AgentMetric, rows: Callable[[int, Window], Any]) -> Any:
    """Makes a counter of the rows that name an operator in a column."""

    def count(widget_id: int, agent_ids: Sequence[int], window: Window) -> Counted:
        for agent_id, found in counts_by(column, rows(widget_id, window), agent_ids).items():
            yield agent_id, {metric: found}

    return frozenset({metric}), count


def _chats(widget_id: int, window: Window) -> Any:
    return Chat.objects.for_widget(widget_id).opened_in(window)


def _messages(widget_id: int, window: Window) -> Any:
    return Message.objects.for_widget(widget_id).counted_in(window)


def _transfers(widget_id: int, window: Window) -> Any:
    return Transfer.objects.for_widget(widget_id).made_in(window)


_COUNTS: Mapping[frozenset[AgentMetric], Callable[[int, Sequence[int], Window], Counted]] = dict(
    (
        (frozenset({AgentMetric.CHATS_TOTAL, AgentMetric.CHATS_MISSED, AgentMetric.AVG_RESPONSE_TIME_SECONDS}), _owned),
        (frozenset({AgentMetric.RATING_AVERAGE, AgentMetric.RATING_DISTRIBUTION}), _rated),
        _named_in("accepted_agent_id", AgentMetric.CHATS_ACCEPTED, _chats),
        _named_in("handled_agent_id", AgentMetric.CHATS_HANDLED, _chats),
        _named_in("agent_id", AgentMetric.MESSAGES_TOTAL, _messages),
        _named_in("from_agent_id", AgentMetric.CHATS_TRANSFERRED_OUT, _transfers),
        _named_in("to_agent_id", AgentMetric.CHATS_TRANSFERRED_IN, _transfers),
    )
)
