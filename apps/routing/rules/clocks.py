"""The clock of one answer time: how much open time it has used, when it warns, when it is missed, how it ends. Pure.

A clock holds whole seconds. Times that are not open pass without it; a pause keeps the seconds that were used.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum

from apps.agents.rules.hours import OpenHours
from apps.chats.rules.episodes import SILENCE


class SlaMetric(StrEnum):
    FIRST_REPLY = "first_reply"
    NEXT_REPLY = "next_reply"
    RESOLUTION = "resolution"


class EndedBy(StrEnum):
    PERSON = "person"
    AI = "ai"
    CLOSED = "closed"
    DEALT_WITH = "dealt_with"
    SPAM = "spam"


class ClockState(StrEnum):
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


REPLIES = (SlaMetric.FIRST_REPLY, SlaMetric.NEXT_REPLY)
# The ends that meet a clock; all else gives it up.
MET_BY: dict[SlaMetric, frozenset[EndedBy]] = {
    SlaMetric.FIRST_REPLY: frozenset({EndedBy.PERSON, EndedBy.AI}),
    SlaMetric.NEXT_REPLY: frozenset({EndedBy.PERSON, EndedBy.AI}),
    SlaMetric.RESOLUTION: frozenset({EndedBy.CLOSED, EndedBy.DEALT_WITH}),
}


@dataclass(frozen=True, slots=True)
class OpenTime:
    """The time that counts: while it is open, or, without hours, all of it."""

    hours: OpenHours | None = None

    def between(self, since: datetime, until: datetime) -> int:
        """The seconds that count between two moments."""
        if self.hours is None:
            return max(0, int(until.timestamp()) - int(since.timestamp()))
        return self.hours.open_seconds(since, until)

    def after(self, since: datetime, seconds: int) -> datetime | None:
        """When so many seconds have counted; None where that is not within 400 days."""
        if seconds <= 0:
            return since
        if self.hours is None:
            return datetime.fromtimestamp(int(since.timestamp()) + seconds, UTC)
        return self.hours.after(since, seconds)


@dataclass(frozen=True, slots=True)
class AnswerTarget:
    """The minutes in which an answer is due, and the share of them after which a warning is; None: no answer time.

    `is_always`: they are minutes round the clock, at any hours.
    """

    minutes: int | None
    warn_percent: int = 80
    is_always: bool = False


@dataclass(frozen=True, slots=True)
class AnswerClock:
    """`used_seconds` counted until `running_since`, or, of one that does not run, in all.

    `ended_after_id` is the answer that ended it. Without a target it counts all the same: another department's or
    priority's may come.
    """

    metric: SlaMetric
    since: datetime
    target: AnswerTarget
    used_seconds: int = 0
    running_since: datetime | None = None
    paused_at: datetime | None = None
    warned_at: datetime | None = None
    breached_at: datetime | None = None
    ended_at: datetime | None = None
    ended_by: EndedBy | None = None
    ended_after_id: int | None = None
    id: int | None = None  # of its row, once it has one

    @classmethod
    def begun(cls, metric: SlaMetric, at: datetime, target: AnswerTarget) -> AnswerClock:
        return cls(metric, at, target, running_since=at)

    @property
    def state(self) -> ClockState:
        if self.ended_at is not None:
            return ClockState.ENDED
        return ClockState.PAUSED if self.running_since is None else ClockState.RUNNING

    @property
    def is_met(self) -> bool:
        """Whether it ended by the answer that it waited for, in time."""
        return self.breached_at is None and self.ended_by in MET_BY[self.metric]

    def used(self, time: OpenTime, at: datetime) -> int:
        """The seconds used until a moment."""
        if self.running_since is None:
            return self.used_seconds
        return self.used_seconds + self._counting(time).between(self.running_since, at)

    def due_at(self, time: OpenTime) -> datetime | None:
        """When a running clock is missed; None for any other, without a target, and where it never opens again."""
        return None if self.target.minutes is None else self._reaches(self.target.minutes * 60, time)

    def warns_at(self, time: OpenTime) -> datetime | None:
        """When a running clock warns; None as `due_at` is."""
        if self.target.minutes is None:
            return None
        return self._reaches(self.target.minutes * 60 * self.target.warn_percent // 100, time)

    def paused(self, at: datetime, time: OpenTime) -> AnswerClock:
        """Stopped; as it is unless it runs."""
        if self.running_since is None:
            return self
        at = max(at, self.running_since)
        return replace(self, used_seconds=self.used(time, at), running_since=None, paused_at=at)

    def resumed(self, at: datetime) -> AnswerClock:
        """Running on; as it is unless it is paused."""
        if self.state is not ClockState.PAUSED:
            return self
        return replace(self, running_since=max(at, self.paused_at or at), paused_at=None)

    def ended(self, at: datetime, by: EndedBy, time: OpenTime, *, after_id: int | None = None) -> AnswerClock:
        """EpisodeOver, and judged: one that ends when its time is used up is missed."""
        if self.ended_at is not None:
            return self
        over = self.judged(at, time).paused(at, time)
        return replace(over, paused_at=None, ended_at=at, ended_by=by, ended_after_id=after_id)

    def reopened(self) -> AnswerClock:
        """Running on since it ended: the answer that ended it is deleted."""
        if self.ended_at is None:
            return self
        return replace(self, running_since=self.ended_at, ended_at=None, ended_by=None, ended_after_id=None)

    def aimed(self, target: AnswerTarget, at: datetime, time: OpenTime) -> AnswerClock:
        """With another target, from the same begin; `time` is of before. A warning and a miss stay told."""
        if self.ended_at is not None:
            return self
        clock = self
        if self.running_since is not None:
            clock = replace(self, used_seconds=self.used(time, at), running_since=max(at, self.running_since))
        return replace(clock, target=target)

    def judged(self, at: datetime, time: OpenTime) -> AnswerClock:
        """With the warning and the miss that have come by now, each once, at the moment at which they came.

        A clock that is found late to be missed is warned as well.
        """
        warns_at, due_at = self.warns_at(time), self.due_at(time)
        clock = self
        if clock.warned_at is None and warns_at is not None and warns_at <= at:
            clock = replace(clock, warned_at=warns_at)
        if clock.breached_at is None and due_at is not None and due_at <= at:
            clock = replace(clock, breached_at=due_at)
        return clock

    def settled(self, now: datetime) -> AnswerClock:
        """As it is read: a resolution whose episode ended by silence is over since its last pause."""
        is_silent = self.paused_at is not None and now - self.paused_at > SILENCE
        if self.metric is not SlaMetric.RESOLUTION or self.state is not ClockState.PAUSED or not is_silent:
            return self
        return replace(self, ended_at=self.paused_at, ended_by=EndedBy.CLOSED, paused_at=None)

    def _reaches(self, seconds: int, time: OpenTime) -> datetime | None:
        if self.running_since is None or self.ended_at is not None:
            return None
        return self._counting(time).after(self.running_since, seconds - self.used_seconds)

    def _counting(self, time: OpenTime) -> OpenTime:
        return OpenTime() if self.target.is_always else time
