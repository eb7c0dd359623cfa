"""The metrics of chats and messages, and how they are counted (specification, Endpoints, "Statistics";
docs/adr/0011).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from apps.chats.rules.attribution import Handling, OperatorType
from apps.core.parsing.periods import Window


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
    """Chats of the same attribution: who accepted and who handles them, how many there are and how long they waited.

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
        """The average; None without any."""
        return self.total / timedelta(seconds=1) / self.count if self.count else None


def chat_metrics(groups: Iterable[Group], wanted: Collection[Metric]) -> dict[Metric, int | float | None]:
    """The wanted ones of CHAT_METRICS, of chats grouped by attribution."""
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


class Tallied(StrEnum):
    """The things that are counted beforehand, hour by hour (docs/adr/0015)."""

    CHATS = "chats"
    MESSAGES = "messages"
    RESPONSES = "responses"


TALLY_EVERY = timedelta(minutes=5)
HOUR = timedelta(hours=1)
# An hour is tallied once it is over for so long. Rows that are stored LATE_AFTER their own time are noted by
# triggers (triggers.sql). What lies between the two is how far the database's clock may be set back.
SETTLED_AFTER = timedelta(hours=1)
LATE_AFTER = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Portions:
    """How to count a window: hours from `first` to `last` as tallied, but for the `stale` ones; the rest by rows."""

    first: datetime
    last: datetime
    stale: Sequence[datetime]
    by_rows: Sequence[Window]


def portions(buckets: Sequence[Window], *, until: datetime | None, stale: Collection[datetime]) -> Portions:
    """How to count buckets that follow each other, at least one, when hours before `until` are tallied.

    If buckets change within an hour (Moscow's clock was not always whole hours ahead), everything is counted by rows.
    """
    start, end = buckets[0].start, buckets[-1].end
    last = min(hour_of(end), until) if until else start
    first = start if start >= last or start == hour_of(start) else hour_of(start) + HOUR
    if first >= last or any(bucket.start != hour_of(bucket.start) for bucket in buckets[1:]):
        return Portions(end, end, [], buckets[:0] if start == end else [Window(start, end)])
    stale = sorted(hour for hour in stale if first <= hour < last)
    edges = [Window(start, first), *(Window(hour, hour + HOUR) for hour in stale), Window(last, end)]
    return Portions(first, last, stale, [window for window in edges if window.start < window.end])


def hour_of(moment: datetime) -> datetime:
    """The first moment of its hour, in UTC."""
    return moment.replace(minute=0, second=0, microsecond=0)
