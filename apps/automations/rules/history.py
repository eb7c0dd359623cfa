"""A chat's past, replayed: the events in it, and its facts of then. Pure.

Words, steps and answer times that are kept are walked in their order. The sweep leaves no row: a chat counts as
closed once nothing was said for its seven minutes. Tags, snoozes, and the fields without a history leave no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from apps.automations.rules.waits import WaitFacts, began_at, lasts_until
from apps.chats.rules import Handling, Status
from apps.chats.rules.activities import StepKind
from apps.chats.rules.episodes import SILENCE
from apps.chats.rules.histories import WordSide
from apps.chats.rules.priorities import Priority
from apps.chats.rules.states import IDLE_AFTER
from apps.routing.rules.clocks import OpenTime
from apps.routing.rules.waits import SpokenWord

# Events that leave no trace: nothing can be tried with them.
WITHOUT_HISTORY = ("tag.added", "snooze.ended")

_SPOKE = {WordSide.VISITOR: "visitor.wrote", WordSide.PERSON: "person.wrote", WordSide.AI: "ai.answered"}
_HANDLING: Mapping[tuple[WordSide | None, WordSide | None], Handling] = {
    (WordSide.PERSON, WordSide.PERSON): Handling.HUMAN,
    (WordSide.AI, WordSide.AI): Handling.AI,
    (WordSide.AI, WordSide.PERSON): Handling.AI_TO_HUMAN,
    (WordSide.PERSON, WordSide.AI): Handling.HUMAN_TO_AI,
}


class PastWord(NamedTuple):
    """A word of the talk, as it was stored."""

    spoken: SpokenWord
    type: str
    text: str


class PastStep(NamedTuple):
    """A step of the chat; `after_id` is the newest message then."""

    after_id: int
    at: datetime
    kind: str
    agent_id: int | None
    to_agent_id: int | None
    department_id: int | None
    comment: str


class PastMark(NamedTuple):
    """An answer time that warned or was missed."""

    at: datetime
    event: str


class PastChat(NamedTuple):
    """A chat as it is now, with its rows oldest first. `is_whole`: they begin with its first word."""

    id: int
    channel: str
    department_id: int | None
    is_spam: bool
    is_returning: bool  # its contact has other chats
    is_whole: bool
    words: Sequence[PastWord]
    steps: Sequence[PastStep]
    marks: Sequence[PastMark] = ()


class PastMoment(NamedTuple):
    """An event, or a wait that was due, with the facts of then."""

    at: datetime
    message_id: int | None
    facts: Mapping[str, Any]


def moments(
    chat: PastChat, when: Mapping[str, Any], time_of: Callable[[int | None], OpenTime], until: datetime
) -> Iterator[PastMoment]:
    """The moments until then at which an automation with that `when` would have been asked, in their order.

    `time_of` has the open time of a department's chats.
    """
    walk = _ChatWalk(chat, when, time_of)
    for row in _in_order(chat):
        at = row.spoken.at if isinstance(row, PastWord) else row.at
        yield from walk.until(at)
        walk.take(row, at)
        yield from walk.told()
    yield from walk.until(until)


def _in_order(chat: PastChat) -> list[PastWord | PastStep | PastMark]:
    """A step stands behind the word that it names; an answer time by its moment."""
    rows: list[PastWord | PastStep | PastMark] = [*chat.words, *chat.steps, *chat.marks]
    at_of = {word.spoken.id: word.spoken.at for word in chat.words}
    return sorted(rows, key=lambda row: _place(row, at_of))


def _place(row: PastWord | PastStep | PastMark, at_of: Mapping[int, datetime]) -> tuple[datetime, int]:
    if isinstance(row, PastWord):
        return row.spoken.at, 0
    if isinstance(row, PastStep):
        return max(row.at, at_of.get(row.after_id, row.at)), 1
    return row.at, 2


@dataclass
class _ChatWalk:
    """The walk through a chat's rows: its state at each of them."""

    chat: PastChat
    when: Mapping[str, Any]
    time_of: Callable[[int | None], OpenTime]
    department_id: int | None = None
    agent_id: int | None = None
    priority: str = Priority.NORMAL
    is_closed: bool = False  # by somebody
    was_swept: bool = True  # its closing by the sweep was told, or there was none
    last: PastWord | None = None
    answer: SpokenWord | None = None
    first_by: WordSide | None = None  # whose answer was the first
    newest: PastWord | None = None  # of the visitor
    messages: int = 0
    is_later: bool = False  # an episode came before this one
    rating: int | None = None
    waits: datetime | None = None
    freed_at: datetime | None = None
    acted_at: datetime | None = None
    judged: datetime | None = None  # the wait that was told of, by its beginning
    _told: list[PastMoment] = field(default_factory=list)

    def __post_init__(self) -> None:
        sent = any(step.kind == StepKind.TRANSFERRED and step.department_id for step in self.chat.steps)
        self.department_id = None if sent else self.chat.department_id
        self.is_later = not self.chat.is_whole

    def told(self) -> Iterator[PastMoment]:
        """The moments of the last row."""
        yield from self._told
        self._told.clear()

    def until(self, at: datetime) -> Iterator[PastMoment]:
        """The moments that time alone brought before that one: a wait that was due, and the sweep."""
        due = self._due()
        swept_at = None if self.was_swept or self.last is None else self.last.spoken.at + IDLE_AFTER
        if due is not None and due < at and (swept_at is None or due <= swept_at):
            yield from self._judge(due)
            due = None
        if swept_at is not None and swept_at < at:
            self.was_swept = True
            self._event("chat.closed", swept_at, previous={"status": str(Status.ACTIVE)})
            yield from self.told()
        if due is not None and due < at:
            yield from self._judge(due)

    def take(self, row: PastWord | PastStep | PastMark, at: datetime) -> None:
        if isinstance(row, PastWord):
            self._word(row)
        elif isinstance(row, PastStep):
            self._step(row)
        else:
            self._event(row.event, at)

    # Words

    def _word(self, word: PastWord) -> None:
        spoken, side = word.spoken, word.spoken.side
        is_first = self.last is None and self.chat.is_whole
        reopened = self._status(spoken.at) == Status.EXPIRED and self.last is not None
        if side is WordSide.VISITOR:
            self._count(word)
        self.last, self.was_swept, self.is_closed = word, False, False
        if is_first and side is WordSide.VISITOR:
            self._event("chat.started", spoken.at, word)
        if reopened:
            self._event("chat.reopened", spoken.at, word, previous={"status": str(Status.EXPIRED)})
        if side is not WordSide.VISITOR:
            self.first_by = self.first_by or side
            self.answer, self.waits = spoken, None
        self._event(_SPOKE[side], spoken.at, word)

    def _count(self, word: PastWord) -> None:
        """The visitor's word: in this episode or the next, and whether a wait begins with it."""
        spoken, last = word.spoken, self.last
        lapsed = last is not None and last.spoken.side is not WordSide.VISITOR and spoken.at - last.spoken.at > SILENCE
        if self.is_closed or lapsed:
            self.messages, self.is_later = 0, True
        self.messages += 1
        self.newest = word
        if self.waits is None and not self._is_courtesy(spoken):
            self.waits = spoken.at

    def _is_courtesy(self, word: SpokenWord) -> bool:
        answer = self.answer
        return word.is_courtesy and answer is not None and not answer.asks and word.at - answer.at <= SILENCE

    # Steps

    def _step(self, step: PastStep) -> None:
        if step.agent_id is not None:
            self.acted_at = step.at
        if step.kind == StepKind.CLOSED:
            self._close(step)
        elif step.kind == StepKind.REOPENED and self._status(step.at) == Status.EXPIRED:
            self.is_closed, self.was_swept = False, True
            self._event("chat.reopened", step.at, previous={"status": str(Status.EXPIRED)})
        elif step.kind == StepKind.WAITS:
            self.waits = self.waits or step.at
            self._event("chat.handed_over", step.at)
        elif step.kind == StepKind.PRIORITY:
            before, self.priority = self.priority, step.comment
            self._event("priority.changed", step.at, previous={"priority": before})
        elif step.kind == StepKind.RATED:
            self.rating = int(step.comment) if step.comment.isdecimal() else None
            self._event("chat.rated", step.at)
        elif step.kind in _MOVES:
            self._move(step)

    def _close(self, step: PastStep) -> None:
        was_closed = self._status(step.at) == Status.EXPIRED
        self.is_closed, self.was_swept, self.waits = True, True, None
        if not was_closed:
            self._event("chat.closed", step.at, previous={"status": str(Status.ACTIVE)})

    def _move(self, step: PastStep) -> None:
        """Another owner, another department, or nobody's again."""
        agent_id: int | None = None
        if step.kind == StepKind.ACCEPTED:
            agent_id = step.agent_id
        elif step.kind != StepKind.RETURNED:
            agent_id = step.to_agent_id
        owner, department = self.agent_id, self.department_id
        self.agent_id = agent_id
        if step.department_id is not None:
            self.department_id = step.department_id
            if department != self.department_id:
                self._event("department.changed", step.at, previous={"department_id": department, "agent_id": owner})
        if agent_id is None:
            self.freed_at = step.at
        if owner != agent_id:
            name = "chat.unassigned" if agent_id is None else "chat.assigned"
            self._event(name, step.at, previous={"agent_id": owner})

    # Moments that are told

    def _event(
        self, event: str, at: datetime, word: PastWord | None = None, *, previous: Mapping[str, Any] | None = None
    ) -> None:
        if self.when.get("event") == event:
            self._told.append(self._moment(at, word, previous or {}))

    def _judge(self, due: datetime) -> Iterator[PastMoment]:
        self.judged = self._began()
        yield self._moment(due, None, {})

    def _due(self) -> datetime | None:
        """When the wait that stands is due, if it was not told of."""
        began = self._began()
        if began is None or began == self.judged:
            return None
        return lasts_until(self.when, began, self.time_of(self.department_id))

    def _began(self) -> datetime | None:
        if "wait" not in self.when or self.chat.is_spam:
            return None
        facts = WaitFacts(
            waits_since=self.waits,
            spoken_at=self.last.spoken.at if self.last else None,
            is_ours=self.last is not None and self.last.spoken.side is not WordSide.VISITOR,
            is_owned=self.agent_id is not None,
            freed_at=self.freed_at,
            acted_at=self.acted_at,
            woken_at=None,
            is_out=False,
            is_over=self.is_closed,
        )
        return began_at(self.when["wait"], facts)

    def _status(self, at: datetime) -> Status:
        if self.chat.is_spam:
            return Status.SPAM
        is_idle = self.last is not None and at - self.last.spoken.at >= IDLE_AFTER
        return Status.EXPIRED if self.is_closed or is_idle else Status.ACTIVE

    def _moment(self, at: datetime, word: PastWord | None, previous: Mapping[str, Any]) -> PastMoment:
        said = word or self.newest
        answered_by = (self.first_by, self.answer.side if self.answer else self.first_by)
        waits = None if self.waits is None else max(0, int((at - self.waits).total_seconds()) // 60)
        facts = {
            "text": said.text if said else None,
            "message_type": said.type if said else None,
            "channel": self.chat.channel,
            "department_id": self.department_id,
            "agent_id": self.agent_id,
            "priority": str(self.priority),
            "status": str(self._status(at)),
            "handling": str(_HANDLING.get(answered_by, Handling.MISSED)),
            "messages": self.messages,
            "rating": self.rating,
            "waits_minutes": waits,
            "is_returning": self.is_later or self.chat.is_returning,
            **{f"previous.{name}": value for name, value in previous.items()},
        }
        return PastMoment(at, word.spoken.id if word else None, facts)


_MOVES = (StepKind.ACCEPTED, StepKind.ASSIGNED, StepKind.TRANSFERRED, StepKind.RETURNED)
