"""A chat's clocks move with its waits. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from apps.routing.rules.clocks import REPLIES, AnswerClock, AnswerTarget, EndedBy, OpenTime, SlaMetric
from apps.routing.rules.waits import EpisodeLapsed, EpisodeOver, Moment, WaitAnswered, WaitBegins, WaitStops


@dataclass
class ChatClocks:
    """The clocks of one chat, by the order in which they began: of those that are not ended, one reply's at most and
    one resolution's.

    `target` gives the target of a metric for a clock that begins; `time` is the chat's open time.
    """

    all: list[AnswerClock]
    target: Callable[[SlaMetric], AnswerTarget]
    time: OpenTime

    @property
    def reply(self) -> AnswerClock | None:
        return self._open(*REPLIES)

    @property
    def resolution(self) -> AnswerClock | None:
        return self._open(SlaMetric.RESOLUTION)

    def follow(self, moments: Sequence[Moment]) -> None:
        """Moves the clocks by the moments, in order: they begin, stop, go on and end."""
        for moment in moments:
            match moment:
                case WaitBegins():
                    self._begins(moment)
                case WaitAnswered():
                    self._is_answered(moment)
                case EpisodeOver():
                    self._is_over(moment)
                case EpisodeLapsed():
                    self._lapses(moment)
                case WaitStops():
                    self._stops(moment)

    def _begins(self, wait: WaitBegins) -> None:
        resolution, reply = self.resolution, self.reply
        if wait.is_first and resolution is not None:  # of an episode before: nothing closed it
            self._change(resolution, lambda clock: clock.ended(clock.paused_at or wait.at, EndedBy.CLOSED, self.time))
            resolution = None
        if reply is None:
            metric = SlaMetric.FIRST_REPLY if wait.is_first else SlaMetric.NEXT_REPLY
            self.all.append(AnswerClock.begun(metric, wait.at, self.target(metric)))
            self._change(resolution, lambda clock: clock.resumed(wait.at))
        else:
            for clock in (reply, resolution):
                self._change(clock, lambda clock: clock.resumed(wait.resumed_at))
        if wait.is_first:
            self.all.append(AnswerClock.begun(SlaMetric.RESOLUTION, wait.at, self.target(SlaMetric.RESOLUTION)))

    def _is_answered(self, answered: WaitAnswered) -> None:
        self._change(
            self.reply, lambda clock: clock.ended(answered.at, answered.by, self.time, after_id=answered.message_id)
        )
        self._change(self.resolution, lambda clock: clock.paused(answered.at, self.time))

    def _is_over(self, over: EpisodeOver) -> None:
        for clock in (self.reply, self.resolution):
            self._change(clock, lambda clock: clock.ended(over.at, over.by, self.time))

    def _lapses(self, lapsed: EpisodeLapsed) -> None:
        self._change(
            self.resolution, lambda clock: clock.ended(clock.paused_at or lapsed.at, EndedBy.CLOSED, self.time)
        )

    def _stops(self, stop: WaitStops) -> None:
        """A snooze stops no first reply: nobody has answered at all."""
        for clock in (self.reply, self.resolution):
            if clock is not None and not (stop.is_aside and clock.metric is SlaMetric.FIRST_REPLY):
                self._change(clock, lambda clock: clock.paused(stop.at, self.time))

    def _open(self, *metrics: SlaMetric) -> AnswerClock | None:
        return next((each for each in reversed(self.all) if each.metric in metrics and each.ended_at is None), None)

    def _change(self, clock: AnswerClock | None, change: Callable[[AnswerClock], AnswerClock]) -> None:
        if clock is not None:
            self.all[_place(self.all, clock)] = change(clock)


def _place(clocks: Sequence[AnswerClock], answer_clock: AnswerClock) -> int:
    return next(place for place, clock in enumerate(clocks) if clock is answer_clock)


def rewound(clocks: Sequence[AnswerClock], is_deleted: Callable[[int], bool]) -> list[AnswerClock]:
    """The clocks as if the answers that are deleted had never been: the first of them lets its clock run on.

    ChatClocks of waits that began behind it are of that same wait, and go.
    """
    for place, clock in enumerate(clocks):
        if clock.ended_after_id is None or clock.ended_at is None or not is_deleted(clock.ended_after_id):
            continue
        ended_at = clock.ended_at
        left = [each for each in clocks[place + 1 :] if each.metric is SlaMetric.RESOLUTION and each.since <= ended_at]
        kept = [*clocks[:place], clock.reopened(), *left]
        return [_running_on(each) if each.metric is SlaMetric.RESOLUTION else each for each in kept]
    return list(clocks)


def _running_on(clock: AnswerClock) -> AnswerClock:
    """A resolution that was paused by the deleted answer had not to be."""
    return replace(clock, running_since=clock.paused_at, paused_at=None) if clock.paused_at is not None else clock
