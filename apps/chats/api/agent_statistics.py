"""Statistics of operators over REST (specification, "Agent", the agent stats row; Endpoints, "Agents")."""

from collections.abc import Collection, Sequence
from typing import Any

from django.utils import timezone
from rest_framework import serializers

from apps.agents.models import Agent
from apps.chats.querysets.agent_statistics import figures_of_agents
from apps.chats.rules.agent_statistics import AgentMetric
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
    def list(self, context: RequestContext) -> Page:
        """The figures of every operator of the widget, newest first; of one who did nothing they are zeros.

        Chats count when they were opened in the window, messages, transfers and ratings when they happened in it.
        """
        window, wanted = _asked_for(context)
        page = context.page(Agent.objects.for_widget(context.widget_id), serializer=StatedAgentSerializer)
        return Page(_with_figures(context.widget_id, page.data, window, wanted), page.next_cursor)

    @operation(summary="Read an agent's statistics", filters=AgentStatsQuery, answers=AgentStatsSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """One operator's figures, banned or not."""
        window, wanted = _asked_for(context)
        agent = Agent.objects.for_widget(context.widget_id).for_api().get_or_404(pk=context.target_id)
        (shown,) = _with_figures(context.widget_id, [StatedAgentSerializer.show(agent)], window, wanted)
        return shown


def _asked_for(context: RequestContext) -> tuple[Window, Sequence[AgentMetric]]:
    """The window and the figures that are asked for, which narrow no list of operators."""
    asked, context.filters = context.filters, {}
    return window_asked_for(asked, now=timezone.now()), asked.get("metric", tuple(AgentMetric))


def _with_figures(
    widget_id: int, agents: Sequence[dict[str, Any]], window: Window, wanted: Collection[AgentMetric]
) -> list[dict[str, Any]]:
    """Operators with their figures."""
    figures = figures_of_agents(widget_id, [agent["agent_id"] for agent in agents], window, wanted)
    return [{**agent, **{metric.value: figures[agent["agent_id"]][metric] for metric in wanted}} for agent in agents]
