"""The waits of a chat, read off its words and steps since it was looked at last. Pure.

`waits_since` (chats/querysets/waiting.py) says whether the visitor waits now. A chat may have been answered and asked
again since the last look: those waits are read off its words, so that a look that comes late misses none. An
episode begins with the visitor's word in a new chat, after a close, or after a day without a word in which nobody
waited. A courtesy within a day after an answer that asks nothing begins no wait.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from apps.chats.rules.episodes import SILENCE
from apps.chats.rules.histories import WordSide
from apps.routing.rules.clocks import EndedBy


class WaitStepKind(StrEnum):
    CLOSED = "closed"
    HANDED_OVER = "handed_over"


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """A message that both sides see, neither the system's nor deleted."""

    id: int
    at: datetime
    side: WordSide
    is_courtesy: bool = False  # nothing but thanks, a goodbye, an ok or emoji
    asks: bool = False  # it ends in a question mark


@dataclass(frozen=True, slots=True)
class WaitStep:
    """A step of the chat: it was closed by somebody, or handed over to people."""

    after_id: int
    at: datetime
    kind: WaitStepKind


@dataclass(frozen=True, slots=True)
class Sight:
    """A chat as it is looked at.

    `words` and `steps` after `known_at` are new; those before tell of the episode. `waiting_from` is the begin of the
    wait that was known, `waited_at` that of the last one, over or not. `people_have_it`: no machine answers the
    widget's visitors; else a word waits for people only if `is_owned` and a person answered before. `resumed_at`: when
    its snooze ended, if one did.
    """

    words: Sequence[SpokenWord]
    steps: Sequence[WaitStep]
    known_at: datetime
    waiting_from: datetime | None
    waited_at: datetime | None
    waits_since: datetime | None
    as_of: datetime
    people_have_it: bool = True
    is_owned: bool = False
    is_spam: bool = False
    is_aside: bool = False
    dealt_with_id: int = 0
    resumed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class WaitBegins:
    """A wait begins, or one that stopped goes on at `resumed_at`. `is_first`: of its episode."""

    at: datetime
    is_first: bool
    resumed_at: datetime


@dataclass(frozen=True, slots=True)
class WaitAnswered:
    at: datetime
    by: EndedBy
    message_id: int


@dataclass(frozen=True, slots=True)
class EpisodeOver:
    """All of the episode's clocks end."""

    at: datetime
    by: EndedBy


@dataclass(frozen=True, slots=True)
class EpisodeLapsed:
    """The episode ended by silence, with its last word."""

    at: datetime


@dataclass(frozen=True, slots=True)
class WaitStops:
    """A wait stops without an answer: the chat is put aside, or a machine has it."""

    at: datetime
    is_aside: bool


Moment = WaitBegins | WaitAnswered | EpisodeOver | EpisodeLapsed | WaitStops


def moments(sight: Sight) -> list[Moment]:
    """The moments of a chat's waits since it was looked at last, in order."""
    walk = _FactWalk(sight)
    is_new = False
    for fact in _in_order(sight):
        if not is_new and fact.at > sight.known_at:
            is_new = True
            walk.catch_up()
        walk.take(fact)
    if not is_new:
        walk.catch_up()
    walk.finish()
    return walk.told


def _in_order(sight: Sight) -> Iterator[SpokenWord | WaitStep]:
    facts: list[SpokenWord | WaitStep] = [*sight.words, *sight.steps]
    return iter(sorted(facts, key=_place))


def _place(fact: SpokenWord | WaitStep) -> tuple[int, int, datetime]:
    """A step is behind the word that it names."""
    return (fact.id, 0, fact.at) if isinstance(fact, SpokenWord) else (fact.after_id, 1, fact.at)


@dataclass
class _FactWalk:
    """The walk through the facts: whether an episode is open, and since when its visitor waits."""

    sight: Sight
    told: list[Moment] = field(default_factory=list)
    is_open: bool = False
    opened_at: datetime | None = None
    has_waited: bool = False  # in this episode
    begin: datetime | None = None
    is_sure: bool = False  # that people were waited for
    quiet_since: datetime | None = None
    last: SpokenWord | None = None
    answer: SpokenWord | None = None
    only_courtesies: bool = False  # since the answer
    courtesy_at: datetime | None = None

    def catch_up(self) -> None:
        """Forgets the moments that were known; the wait that is known goes on."""
        self.told.clear()
        self.begin, self.is_sure = self.sight.waiting_from, self.sight.waiting_from is not None
        self.is_open = self.is_open or self.begin is not None
        waited_at, opened_at = self.sight.waited_at, self.opened_at
        has_waited = waited_at is not None and (opened_at is None or waited_at >= opened_at)
        self.has_waited = self.is_open and (self.has_waited or has_waited)

    def take(self, fact: SpokenWord | WaitStep) -> None:
        if isinstance(fact, WaitStep):
            self._steps(fact)
            return
        self._lapse(fact.at)
        if fact.side is WordSide.VISITOR:
            self._visitor(fact)
        else:
            self._answer(fact)
        self.last = fact
        self.quiet_since = max(fact.at, self.quiet_since or fact.at)

    def finish(self) -> None:
        """The chat's own columns decide whether the visitor waits now."""
        sight = self.sight
        if sight.waits_since is None:
            self._no_wait()
        elif self.begin is not None or self.courtesy_at is None or sight.waits_since < self.courtesy_at:
            self._lapse(self.begin or sight.waits_since)
            self._begin(self.begin or sight.waits_since)

    def _steps(self, step: WaitStep) -> None:
        if step.kind is WaitStepKind.CLOSED:
            self._over(step.at, EndedBy.CLOSED)
            self.is_open = self.has_waited = False
            self.quiet_since = None
            return
        self.begin, self.is_sure = self.begin or step.at, True
        self._open(step.at)

    def _lapse(self, at: datetime) -> None:
        """An episode ends in which nobody waited and nothing was said for a day."""
        silent_since = self.quiet_since
        if self.is_open and self.begin is None and silent_since is not None and at - silent_since > SILENCE:
            self.told.append(EpisodeLapsed(silent_since))
            self.is_open = self.has_waited = False

    def _visitor(self, word: SpokenWord) -> None:
        if self._is_courtesy(word):
            self.courtesy_at = self.courtesy_at or word.at
            return
        self.only_courtesies, self.courtesy_at = False, None
        if self._was_dealt_with(word):
            self._over(word.at, EndedBy.DEALT_WITH)
        if self.begin is None:
            self.begin, self.is_sure = word.at, self._waits_for_people()
        self._open(word.at)

    def _is_courtesy(self, word: SpokenWord) -> bool:
        answer = self.answer
        if not word.is_courtesy or self.begin is not None or answer is None or not self.only_courtesies:
            return False
        return not answer.asks and word.at - answer.at <= SILENCE

    def _was_dealt_with(self, word: SpokenWord) -> bool:
        dealt_with, last = self.sight.dealt_with_id, self.last
        return self.begin is not None and self.is_sure and last is not None and last.id == dealt_with < word.id

    def _answer(self, word: SpokenWord) -> None:
        since = self.sight.waits_since
        if word.side is WordSide.AI and (self._is_phrase(word) or (since is not None and word.at >= since)):
            return  # the wait goes on
        if self.begin is not None and self.is_sure:
            self._tell_of_begin()
            by = EndedBy.AI if word.side is WordSide.AI else EndedBy.PERSON
            self.told.append(WaitAnswered(word.at, by, word.id))
        self.begin, self.answer, self.only_courtesies, self.courtesy_at = None, word, True, None

    def _waits_for_people(self) -> bool:
        is_theirs = self.sight.is_owned and self.answer is not None and self.answer.side is WordSide.PERSON
        return self.sight.people_have_it or is_theirs

    def _is_phrase(self, word: SpokenWord) -> bool:
        """Whether a machine's word is that of a handover, which answers nothing."""
        handovers = (step for step in self.sight.steps if step.kind is WaitStepKind.HANDED_OVER)
        return any(step.after_id == word.id and (step.at - word.at).total_seconds() <= 60 for step in handovers)

    def _tell_of_begin(self) -> None:
        """Tells of a wait that began since the last look and is over by now."""
        if self.begin is not None and self.is_sure and self.begin != self.sight.waiting_from:
            self._begin(self.begin)

    def _begin(self, at: datetime) -> None:
        sight = self.sight
        resumed = [each for each in (sight.resumed_at, self._new_word_at()) if each]
        self.told.append(WaitBegins(at, not self.has_waited, min(resumed, default=sight.as_of)))
        self._open(at)
        self.has_waited = True

    def _open(self, at: datetime) -> None:
        if not self.is_open:
            self.is_open, self.opened_at = True, at

    def _new_word_at(self) -> datetime | None:
        """When the visitor had the last word, if it is new."""
        last = self.last
        is_new = last is not None and last.side is WordSide.VISITOR and last.at > self.sight.known_at
        return last.at if last is not None and is_new else None

    def _over(self, at: datetime, by: EndedBy) -> None:
        self._tell_of_begin()
        self.told.append(EpisodeOver(at, by))
        self.begin = None

    def _no_wait(self) -> None:
        sight, last_id = self.sight, self.last.id if self.last else 0
        if sight.is_spam:
            self._over(sight.as_of, EndedBy.SPAM)
        elif last_id and sight.dealt_with_id >= last_id and self.is_open:
            self._over(sight.as_of, EndedBy.DEALT_WITH)
        elif self.begin is not None and self.is_sure:
            self._tell_of_begin()
            self.told.append(WaitStops(sight.as_of, sight.is_aside))
