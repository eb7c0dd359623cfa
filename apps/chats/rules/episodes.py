"""The episodes of a chat: the one rule that reports, ratings and their letters count by. Pure.

A chat lasts for ever, so an episode is counted: from the visitor's word while none is open, to a close, a day in which
nobody waited and nothing was said, or thirty days in which nobody answered. It is read off rows that are kept (words,
steps, ratings), never off states that the sweep moves. The order of the talk is that of the messages' ids; a step
stands behind the message that it names. A clock that was set back makes a wait of nothing, never of less.

The rule knows no present: an ending that only time brings is told with the moment from which it is true (`ended_from`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from apps.chats.rules.courtesies import is_courtesy, is_question
from apps.chats.rules.histories import ChatHistory, ChatWord, EpisodeStep, EpisodeStepKind, WordSide

# An episode in which nobody waits and nothing is said for longer is over.
SILENCE = timedelta(hours=24)
# An episode is over whose visitor waits, and has said nothing for longer.
UNANSWERED = timedelta(days=30)
# A visitor who comes back so soon after an end was not done.
RETURN = timedelta(days=7)
# A machine's word that a handover names is its phrase, if the handover follows within this time.
PHRASE = timedelta(minutes=1)
# A longer text is no courtesy.
LONGEST_COURTESY = 1_000
# The reason of a chat's return for a low rating, which is no handover.
LOW_RATING = "low_rating"
_MOMENT = timedelta(microseconds=1)


class OpenedBy(StrEnum):
    VISITOR = "visitor"
    OPERATOR = "operator"


class EpisodeEnd(StrEnum):
    """The ways in which an episode ends."""

    OPERATOR = "operator"
    API = "api"
    SILENCE = "silence"
    NOBODY = "nobody"


class EpisodeOutcome(StrEnum):
    """The outcomes of an ended episode; that of one which is not is `open`."""

    PERSON = "person"
    AI = "ai"
    DISMISSED = "dismissed"
    UNANSWERED = "unanswered"


class Reply(NamedTuple):
    """An answer, and the begin of the time that it took."""

    at: datetime
    since: datetime
    kind: WordSide
    agent_id: int | None

    @property
    def seconds(self) -> int:
        return seconds_between(self.since, self.at)


class EpisodeAnswer(NamedTuple):
    """A message of an episode that answers."""

    id: int
    kind: WordSide
    agent_id: int | None
    assistant_id: int | None = None


class EpisodeRating(NamedTuple):
    """The rating of an episode, and who wrote its last answer before it."""

    value: int
    at: datetime
    kind: WordSide | None
    agent_id: int | None


@dataclass(slots=True)
class ChatEpisode:
    """An episode, by the number of its first message. Its ending is true from `ended_from` on; before, it is open.

    `waits` are over by an answer, by a close, or since they need no answer; `waits_since` is the begin of one that
    ends with the episode. `department_id` is the one once it ended, `open_department_id` that of before.
    """

    id: int
    opened_at: datetime
    opened_by: OpenedBy
    ended_at: datetime
    ended_from: datetime
    ended_by: EpisodeEnd = EpisodeEnd.SILENCE
    ended_by_agent_id: int | None = None
    language: str | None = None
    page: str | None = None
    first_reply: Reply | None = None
    person_reply: Reply | None = None
    waits: list[tuple[datetime, datetime]] = field(default_factory=list)
    waits_since: datetime | None = None
    handed_over_at: datetime | None = None
    handed_over_reason: str | None = None
    answers: list[EpisodeAnswer] = field(default_factory=list)
    assistants: list[int] = field(default_factory=list)
    messages: dict[WordSide, int] = field(default_factory=lambda: dict.fromkeys(WordSide, 0))
    is_answered_by_person: bool = False
    is_settled_by_ai: bool = False  # a machine answered after the last handover, or without one
    department_id: int | None = None
    open_department_id: int | None = None
    reopened_at: datetime | None = None
    asked_at: datetime | None = None
    rating: EpisodeRating | None = None

    @property
    def outcome(self) -> EpisodeOutcome:
        """The outcome once it ended."""
        if self.ended_by is EpisodeEnd.NOBODY:
            return EpisodeOutcome.UNANSWERED
        if self.is_answered_by_person:
            return EpisodeOutcome.PERSON
        return EpisodeOutcome.AI if self.is_settled_by_ai else EpisodeOutcome.DISMISSED

    @property
    def is_ai_involved(self) -> bool:
        """Whether a machine answered in it or handed it over."""
        return self.handed_over_at is not None or any(answer.kind is WordSide.AI for answer in self.answers)

    @property
    def agents(self) -> list[int]:
        """The operators who wrote answers in it, AI operators too."""
        return sorted({answer.agent_id for answer in self.answers if answer.agent_id is not None})

    @property
    def longest_wait_seconds(self) -> int | None:
        """The longest of the waits that are over."""
        return max((seconds_between(since, until) for since, until in self.waits), default=None)

    def is_ended(self, as_of: datetime) -> bool:
        return as_of >= self.ended_from


def seconds_between(since: datetime, until: datetime) -> int:
    """The whole seconds of a wait; none where a clock was set back."""
    return max(0, (until - since) // timedelta(seconds=1))


def episodes_of(history: ChatHistory) -> list[ChatEpisode]:
    """The episodes of a chat, in order, without the returns of its person (`note_returns`)."""
    walk = _EpisodeWalk(history)
    for fact in history.in_order():
        if isinstance(fact, ChatWord):
            walk.hear(fact)
        else:
            walk.see(fact)
    walk.finish()
    for episode in walk.episodes:
        episode.department_id = _department(history, episode.ended_at)
        episode.open_department_id = _department(history, None)
    _rate(walk.episodes, history)
    return walk.episodes


def episode_at(episodes: Sequence[ChatEpisode], message_id: int) -> ChatEpisode | None:
    """The episode of a chat to which a moment behind a message belongs: from its begin to the begin of the next."""
    return next((episode for episode in reversed(episodes) if episode.id <= message_id), None)


def note_returns(episodes: Iterable[ChatEpisode]) -> None:
    """Notes of all episodes of one person, in any chats, which visitor's return soon came after each."""
    found = list(episodes)
    returns = sorted((each.opened_at, each.id) for each in found if each.opened_by is OpenedBy.VISITOR)
    for episode in found:
        later = bisect_left(returns, (episode.ended_at, 0))
        if later < len(returns) and returns[later][1] == episode.id:
            later += 1
        came_at = returns[later][0] if later < len(returns) else None
        is_soon = came_at is not None and came_at - episode.ended_at <= RETURN
        episode.reopened_at = came_at if is_soon else None


@dataclass(slots=True)
class _EpisodeWalk:
    """The walk through a chat: the episode that is open, and since when its visitor waits."""

    history: ChatHistory
    episodes: list[ChatEpisode] = field(default_factory=list)
    phrases: dict[int, datetime] = field(default_factory=dict)  # when a handover named the message first
    episode: ChatEpisode | None = None
    wait_from: datetime | None = None
    said_at: datetime | None = None  # by either side
    visitor_said_at: datetime | None = None
    dealt_with_at: datetime | None = None  # since the last word
    is_outbound: bool = False  # the last word came from the operators' side, and was of no episode
    answer: ChatWord | None = None  # the last one, while nothing but courtesies follow

    def __post_init__(self) -> None:
        handovers = (step for step in self.history.steps if step.kind is EpisodeStepKind.HANDED_OVER)
        for step in handovers:
            self.phrases[step.after_id] = min(step.at, self.phrases.get(step.after_id, step.at))

    def hear(self, word: ChatWord) -> None:
        self._lapse(word.at)
        if word.side is WordSide.VISITOR:
            self._hear_visitor(word)
        else:
            self._hear_operators(word)
        self.said_at, self.dealt_with_at = word.at, None
        if self.episode is not None:
            self.episode.messages[word.side] += 1

    def see(self, step: EpisodeStep) -> None:
        self._lapse(step.at)
        episode = self.episode
        if episode is None:
            return
        if step.kind is EpisodeStepKind.CLOSED:
            self._end_wait(step.at)
            episode.ended_by_agent_id = step.agent_id
            self._end(episode, step.at, EpisodeEnd.API if step.agent_id is None else EpisodeEnd.OPERATOR, step.at)
        elif step.kind is EpisodeStepKind.HANDED_OVER:
            if episode.handed_over_at is None:
                episode.handed_over_at, episode.handed_over_reason = step.at, step.reason
            episode.is_settled_by_ai = False
            self.wait_from = self.wait_from or step.at
        elif step.kind is EpisodeStepKind.DEALT_WITH and self.wait_from is not None:
            self._end_wait(step.at)
            self.dealt_with_at = step.at

    def finish(self) -> None:
        """The end that time will bring to an episode that nothing has ended."""
        if self.episode is not None:
            self._time_out(self.episode)

    def _lapse(self, at: datetime) -> None:
        """Ends an episode that was over by a moment without anybody's deed."""
        since, most = (self.said_at, SILENCE) if self.wait_from is None else (self.visitor_said_at, UNANSWERED)
        if self.episode is not None and since is not None and at - since > most:
            self._time_out(self.episode)

    def _time_out(self, episode: ChatEpisode) -> None:
        if self.wait_from is None:
            said_at = self.said_at or episode.opened_at
            true_from = max(said_at + SILENCE + _MOMENT, self.dealt_with_at or said_at)
            self._end(episode, said_at, EpisodeEnd.SILENCE, true_from)
        else:
            episode.waits_since = self.wait_from
            ended_at = (self.visitor_said_at or episode.opened_at) + UNANSWERED
            self._end(episode, ended_at, EpisodeEnd.NOBODY, ended_at + _MOMENT)

    def _end(self, episode: ChatEpisode, at: datetime, end: EpisodeEnd, true_from: datetime) -> None:
        episode.ended_at, episode.ended_by, episode.ended_from = at, end, true_from
        self.episode = self.wait_from = self.dealt_with_at = None

    def _end_wait(self, at: datetime) -> None:
        if self.episode is not None and self.wait_from is not None:
            self.episode.waits.append((self.wait_from, max(at, self.wait_from)))
        self.wait_from = None

    def _hear_visitor(self, word: ChatWord) -> None:
        if not self._is_courtesy(word):
            if self.episode is None:
                self._open(word)
            self.answer = None
            self.wait_from = self.wait_from or word.at
        self.visitor_said_at, self.is_outbound = word.at, False

    def _open(self, word: ChatWord) -> None:
        opened_by = OpenedBy.OPERATOR if self.is_outbound else OpenedBy.VISITOR
        episode = ChatEpisode(word.id, word.at, opened_by, word.at, word.at, language=word.language, page=word.page)
        self.episode = episode
        self.episodes.append(episode)

    def _is_courtesy(self, word: ChatWord) -> bool:
        """Whether it waits for nothing: thanks for an answer that asked nothing, of the day before at most."""
        answer = self.answer
        if answer is None or not word.text or len(word.text) > LONGEST_COURTESY or word.at - answer.at > SILENCE:
            return False
        return not is_question(answer.text or "") and is_courtesy(word.text)

    def _hear_operators(self, word: ChatWord) -> None:
        named_at = self.phrases.get(word.id) if word.side is WordSide.AI else None
        is_phrase = named_at is not None and named_at - word.at <= PHRASE
        self.is_outbound = self.episode is None
        self.answer = None if is_phrase else word
        if self.episode is not None and not is_phrase:
            self._answer(self.episode, word)

    def _answer(self, episode: ChatEpisode, word: ChatWord) -> None:
        if episode.first_reply is None:
            episode.first_reply = Reply(word.at, episode.opened_at, word.side, word.agent_id)
        if word.side is WordSide.PERSON and not episode.is_answered_by_person:
            since = episode.handed_over_at or self.wait_from
            episode.person_reply = Reply(word.at, since, word.side, word.agent_id) if since else None
            episode.is_answered_by_person = True
        elif word.side is WordSide.AI:
            episode.is_settled_by_ai = True
        episode.answers.append(EpisodeAnswer(word.id, word.side, word.agent_id, word.assistant_id))
        if word.assistant_id is not None and word.assistant_id not in episode.assistants:
            episode.assistants.append(word.assistant_id)
        self._end_wait(word.at)


def _department(history: ChatHistory, until: datetime | None) -> int | None:
    """The department of the last step by a moment that names one; the chat's, if no later step names one."""
    naming = [step for step in history.steps if step.department_id is not None]
    by_then = naming if until is None else [step for step in naming if step.at <= until]
    if by_then:
        return by_then[-1].department_id
    return None if naming else history.department_id


def _rate(episodes: Sequence[ChatEpisode], history: ChatHistory) -> None:
    for request in sorted(history.requests, key=lambda one: one.at, reverse=True):
        if episode := episode_at(episodes, request.after_id):
            episode.asked_at = request.at
    for rating in sorted(history.ratings, key=lambda one: one.at):
        if episode := episode_at(episodes, rating.after_id):
            before = [answer for answer in episode.answers if answer.id <= rating.after_id]
            kind, agent_id = (before[-1].kind, before[-1].agent_id) if before else (None, None)
            episode.rating = EpisodeRating(rating.value, rating.at, kind, agent_id)
