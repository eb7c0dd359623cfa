"""Statistics of operators over REST (specification, "Agent", the agent stats row; Endpoints, "Agents")."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from django.utils import timezone
from rest_framework import serializers

from apps.agents.models import Agent
from apps.chats.models import Chat, Message, Rating, Transfer
from apps.chats.querysets import counts_by
from apps.chats.rules.agent_statistics import RATINGS, AgentMetric, no_figures, rating_average
from apps.chats.serializers.requests import MetricList
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.row_serializers import RowSerializer
from apps.core.endpoints.serializers import Choice, Integer, Number, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.endpoints.windows import PeriodQuery, window_asked_for
from apps.core.parsing.periods import Window


class AgentStatsQuery(PeriodQuery):
    """The window, and which figures; without any, all."""

    metric = MetricList(
        list(AgentMetric),
        required=False,
        help_text=f"Separated by commas, any of: {', '.join(AgentMetric)}. Default: all.",
    )


class AgentStatsListQuery(PageQuery, AgentStatsQuery):
    """A page of operators, the window, and which figures."""


class RatingDistribution(serializers.DictField):
    """How many ratings there are of each value."""

    child = Integer()


class StatedAgentSerializer(RowSerializer):
    """An operator's id and name beside the figures."""

    agent_id = Integer(source="id")
    name = Text(source="display_name", help_text="The full display name.")
    type = Choice(choices=Agent.Type.values)


class AgentStatsSerializer(StatedAgentSerializer):
    """An operator's figures in a window: those that were asked for. Averages are null where nothing is to average."""

    chats_total = Integer(required=False, help_text="Chats opened in the window that are the operator's.")
    avg_response_time_seconds = Number(
        required=False, allow_null=True, help_text="The average from the creation of these chats to their acceptance."
    )
    messages_total = Integer(required=False, help_text="Messages that the operator wrote in the window.")
    rating_average = Number(required=False, allow_null=True)
    rating_distribution = RatingDistribution(
        required=False, help_text="Ratings given in the window while the operator handled the chat, by value."
    )
    chats_accepted = Integer(required=False, help_text="Chats opened in the window that they answered first.")
    chats_handled = Integer(required=False, help_text="Chats opened in the window that they handle now.")
    chats_transferred_out = Integer(required=False)
    chats_transferred_in = Integer(required=False)
    chats_missed = Integer(required=False, help_text="Their chats without an answer; of an AI operator always 0.")


class AgentStatisticsViewSet(ApiViewSet):
    target = Agent
    reads = ("stats:read",)

    @operation(
        summary="List agents' statistics",
        filters=AgentStatsListQuery,
        answers=AgentStatsSerializer,
        lists=True,
    )
    def list(self, call: RequestContext) -> Page:
        """The figures of every operator of the widget, newest first; of one who did nothing they are zeros.

        Chats count when they were opened in the window, messages, transfers and ratings when they happened in it.
        """
        window, wanted = _asked_for(call)
        page = call.page(Agent.objects.for_widget(call.widget_id), serializer=StatedAgentSerializer)
        return Page(_with_figures(call.widget_id, page.data, window, wanted), page.next_cursor)

    @operation(summary="Read an agent's statistics", filters=AgentStatsQuery, answers=AgentStatsSerializer)
    def retrieve(self, call: RequestContext) -> Answer:
        """One operator's figures, banned or not."""
        window, wanted = _asked_for(call)
        agent = Agent.objects.for_widget(call.widget_id).for_api().get_or_404(pk=call.target_id)
        (shown,) = _with_figures(call.widget_id, [StatedAgentSerializer.show(agent)], window, wanted)
        return shown


def _asked_for(call: RequestContext) -> tuple[Window, Sequence[AgentMetric]]:
    """The window and the figures that are asked for, which narrow no list of operators."""
    asked, call.filters = call.filters, {}
    return window_asked_for(asked, now=timezone.now()), asked.get("metric", tuple(AgentMetric))


def _with_figures(
    widget_id: int, agents: Sequence[dict[str, Any]], window: Window, wanted: Collection[AgentMetric]
) -> list[dict[str, Any]]:
    """Operators with their figures: a statement for each kind of row, however many operators there are."""
    figures = {agent["agent_id"]: no_figures() for agent in agents}
    for metrics, count in _COUNTS.items():
        if not metrics.isdisjoint(wanted):
            for agent_id, found in count(widget_id, list(figures), window):
                figures[agent_id].update(found)
    return [{**agent, **{metric.value: figures[agent["agent_id"]][metric] for metric in wanted}} for agent in agents]


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
