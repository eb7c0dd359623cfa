"""Statistics over REST (specification, Endpoints, "Statistics")."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from apps.chats.querysets import statistics
from apps.chats.rules.agent_statistics import rating_average
from apps.chats.rules.statistics import (
    CHANNEL_METRICS,
    CHAT_METRICS,
    DEFAULT_METRICS,
    SERIES_METRICS,
    Metric,
    chat_metrics,
)
from apps.chats.serializers.requests import MetricList
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.row_serializers import RowSerializer, Time
from apps.core.endpoints.serializers import Choice, Integer, Number, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.endpoints.windows import PeriodQuery, window_asked_for
from apps.core.errors import INVALID_INPUT
from apps.core.parsing.periods import MAX_BUCKETS, Interval, TooManyBuckets, Window, buckets, in_moscow


class StatsQuery(PeriodQuery):
    """The window, and which metrics; without any, all but `avg_first_response_seconds`."""

    metric = MetricList(
        list(Metric),
        required=False,
        help_text=f"Separated by commas, any of: {', '.join(Metric)}. Default: all but the last.",
    )


class SeriesQuery(PeriodQuery):
    """The window, the length of a bucket, and which metrics."""

    interval = Choice(required=False, default=Interval.DAY.value, choices=list(Interval))
    metric = MetricList(
        SERIES_METRICS,
        required=False,
        help_text=f"Separated by commas, any of: {', '.join(SERIES_METRICS)}. Default: all.",
    )


class MetricsSerializer(RowSerializer):
    """The metrics that were asked for. Averages are null where there is nothing to average."""

    chats_total = Integer(required=False, help_text="Chats opened in the window.")
    chats_missed = Integer(required=False, help_text="The number of these chats without an answer.")
    chats_accepted = Integer(required=False, help_text="`chats_total` minus `chats_missed`.")
    chats_accepted_ai = Integer(required=False, help_text="Answered first by an AI operator.")
    chats_accepted_human = Integer(required=False, help_text="Answered first by a person.")
    chats_handled_ai = Integer(required=False, help_text="Handled by an AI operator now.")
    chats_handled_human = Integer(required=False, help_text="Handled by a person now.")
    chats_ai_to_human = Integer(required=False)
    chats_human_to_ai = Integer(required=False)
    messages_total = Integer(
        required=False,
        help_text="Messages written in the window, but for system messages and what is for operators only.",
    )
    avg_response_time_seconds = Number(
        required=False, allow_null=True, help_text="From the chat's creation to its acceptance."
    )
    rating_average = Number(
        required=False, allow_null=True, help_text="The average of the ratings given in the window."
    )
    avg_first_response_seconds = Number(
        required=False,
        allow_null=True,
        help_text="From the visitor's first message to the first answer after it; only when asked for.",
    )


class _WindowSerializer(RowSerializer):
    vars()["from"] = Time(help_text="In Europe/Moscow; inclusive.")
    to = Time(help_text="In Europe/Moscow; exclusive.")


class StatsSerializer(_WindowSerializer):
    """A widget's figures in a window."""

    metrics = MetricsSerializer()


class ChannelSerializer(RowSerializer):
    """The chats of a channel."""

    channel = Text(help_text="Provider code; `widget` is the on-site widget.")
    chats_accepted = Integer()
    chats_accepted_ai = Integer()
    chats_accepted_human = Integer()
    chats_missed = Integer()


class ChannelStatsSerializer(_WindowSerializer):
    """The channels that had chats in a window, by code."""

    channels = ChannelSerializer(many=True)


class BucketSerializer(_WindowSerializer):
    """The metrics that were asked for, in one bucket."""

    chats_total = Integer(required=False)
    chats_missed = Integer(required=False)
    chats_accepted = Integer(required=False)
    chats_accepted_ai = Integer(required=False)
    chats_accepted_human = Integer(required=False)
    messages_total = Integer(required=False)


class SeriesSerializer(_WindowSerializer):
    """A widget's figures over time: buckets without gaps, from the window's start to its end."""

    interval = Choice(choices=list(Interval))
    buckets = BucketSerializer(many=True)


class StatisticsViewSet(ApiViewSet):
    reads = ("stats:read",)

    @operation(summary="Read statistics", filters=StatsQuery, answers=StatsSerializer)
    def total(self, context: RequestContext) -> dict[str, Any]:
        """The widget's figures in a window: the trailing 30 days unless told otherwise.

        Chats count when they were opened in the window, messages when they were written in it, ratings when they were
        given in it.
        """
        window = window_asked_for(context.filters, now=timezone.now())
        wanted = context.filters.get("metric", DEFAULT_METRICS)
        return {**_bounds(window), "metrics": _metrics(context.widget_id, window, wanted)}

    @operation(summary="Read statistics by channel", filters=PeriodQuery, answers=ChannelStatsSerializer)
    def channels(self, context: RequestContext) -> dict[str, Any]:
        """The chats opened in a window, by channel. Channels without chats are left out, and so are the chats of
        internal departments: the sum may be below `chats_total`.
        """
        window = window_asked_for(context.filters, now=timezone.now())
        channels = statistics.chats_opened_by_channel(widget_id=context.widget_id, window=window)
        shown = [
            {"channel": channel, **_named(chat_metrics(groups, CHANNEL_METRICS))}
            for channel, groups in sorted(channels.items())
        ]
        return {**_bounds(window), "channels": shown}

    @operation(
        summary="Read statistics over time",
        filters=SeriesQuery,
        answers=SeriesSerializer,
        compresses="long",
    )
    def series(self, context: RequestContext) -> dict[str, Any]:
        """The widget's figures day by day, week by week (from Monday) or month by month (from the 1st), in
        Europe/Moscow.

        There is a bucket for every interval, also where nothing happened. The first and the last are as long as the
        window leaves them. At most 366 buckets.
        """
        window = window_asked_for(context.filters, now=timezone.now())
        interval = Interval(context.filters["interval"])
        wanted = context.filters.get("metric", SERIES_METRICS)
        try:
            cut = buckets(window, interval)
        except TooManyBuckets:
            message = f"The window holds more than {MAX_BUCKETS} buckets: shorten it, or take a longer `interval`."
            raise INVALID_INPUT(errors={"interval": [message]}) from None
        return {**_bounds(window), "interval": interval, "buckets": _buckets(context.widget_id, cut, wanted)}


def _bounds(window: Window) -> dict[str, Any]:
    return {"from": in_moscow(window.start), "to": in_moscow(window.end)}


def _named(metrics: Mapping[Metric, Any]) -> dict[str, Any]:
    return {metric.value: value for metric, value in metrics.items()}


def _metrics(widget_id: int, window: Window, wanted: Sequence[Metric]) -> dict[str, Any]:
    """One statement for each kind of row that the wanted metrics are counted from."""
    found: dict[Metric, Any] = {}
    if not CHAT_METRICS.isdisjoint(wanted):
        found.update(chat_metrics(statistics.chats_opened(widget_id=widget_id, window=window), wanted))
    if Metric.MESSAGES_TOTAL in wanted:
        found[Metric.MESSAGES_TOTAL] = statistics.messages_written(widget_id=widget_id, window=window)
    if Metric.AVG_FIRST_RESPONSE_SECONDS in wanted:
        found[Metric.AVG_FIRST_RESPONSE_SECONDS] = statistics.first_responses(
            widget_id=widget_id, window=window
        ).seconds
    if Metric.RATING_AVERAGE in wanted:
        found[Metric.RATING_AVERAGE] = rating_average(statistics.ratings_given(widget_id=widget_id, window=window))
    return {metric.value: found[metric] for metric in wanted}


def _buckets(widget_id: int, cut: Sequence[Window], wanted: Sequence[Metric]) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = [_bounds(bucket) for bucket in cut]
    if shown and not CHAT_METRICS.isdisjoint(wanted):
        for bucket, groups in zip(
            shown, statistics.chats_opened_by_bucket(widget_id=widget_id, buckets=cut), strict=True
        ):
            bucket.update(_named(chat_metrics(groups, wanted)))
    if shown and Metric.MESSAGES_TOTAL in wanted:
        counts = statistics.messages_written_by_bucket(widget_id=widget_id, buckets=cut)
        for bucket, count in zip(shown, counts, strict=True):
            bucket[Metric.MESSAGES_TOTAL.value] = count
    return shown
