"""The rules of turns in a chat, and when the AI side may speak (docs/guides/people-and-ai.md). Pure: tables and times.

The mode is read from what the chat says of itself, so what people did while AI was off counts. Every line of the tables
is a test in `tests/ai/test_decisions.py`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

# How long a burst waits for another message, and how long at most after its first.
QUIET_S, LONGEST_QUIET_S = 0.8, 4.0
# A hold of a person is over when the chat had expired and this much time has passed.
HOLD = timedelta(hours=1)
# So often a burst is asked again because of a newer message; then what there is is shown.
MOST_RESTARTS = 2
REPLIES_WINDOW, MOST_REPLIES = timedelta(minutes=10), 20
REPLY_LIMIT, BUDGET, NOT_CONFIGURED = "reply_limit", "budget_exhausted", "not_configured"
PROVIDER_FAILURE = "provider_failure"
# After a handover for one of these the AI gives no answers for a while.
STOPPED = frozenset({REPLY_LIMIT, BUDGET, NOT_CONFIGURED, PROVIDER_FAILURE})
# Where letters carry the chat (a mailbox): they are waited for longer, and few answers in a row go without a person.
LETTERS_QUIET, MOST_LETTERS_IN_A_ROW, LETTERS_LIMIT = timedelta(seconds=60), 3, "letters_limit"


class Mode(StrEnum):
    """The side that answers in a chat."""

    AI = "ai"
    WAITING = "waiting"  # handed over to people, who are there, or may be
    OFFLINE = "offline"  # handed over to people who are known to be away: AI goes on helping
    PERSON = "person"


class ReplyMode(StrEnum):
    """How the AI side speaks: what goes before its answer, and what the chat's attribution makes of it."""

    ANSWER = "answer"
    HELP = "help"  # people have been called, and are away
    RETURNED = "returned"  # a person gave the chat back
    HOLD_OVER = "hold_over"
    TAKEOVER = "takeover"  # nobody of the people came in time


class PendingMessage(NamedTuple):
    """A visitor's message that waits for an answer. `text` is its body, or what stands for a file or a picture."""

    id: int
    at: datetime
    text: str = ""
    body: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyFacts:
    """All that decides whose turn it is.

    answers: AI is on, openly or in shadow mode. bot_has_it: the program of the other platform answers here.
    noted, noted_since: the conversation's mode, and since when. last_word_at: of a person; taken_at: when a person was
    given the chat, or took it. replies: AI messages within REPLIES_WINDOW. burst: oldest first. external_until: the
    deadline of the turn that an external operator has. by_letters: the channel is a mailbox. in_a_row: AI messages
    behind the last word of a person.
    """

    answers: bool = True
    is_spam: bool = False
    is_internal: bool = False
    bot_has_it: bool = False
    owner_id: int | None = None
    handled_by_person: bool = False
    handed_over_at: datetime | None = None
    handover_reason: str | None = None
    noted: Mode | None = None
    noted_since: datetime | None = None
    last_word_at: datetime | None = None
    taken_at: datetime | None = None
    expired_at: datetime | None = None
    burst: Sequence[PendingMessage] = ()
    replies: int = 0
    by_letters: bool = False
    in_a_row: int = 0
    budget_left: bool = True
    takeover_s: int = 300
    external_until: datetime | None = None


class Skip(NamedTuple):
    """The AI side has nothing to say, until something new comes."""

    why: str


class Defer(NamedTuple):
    """The AI side is silent until then, and looks again."""

    until: datetime


class ReplyPlan(NamedTuple):
    """The AI side answers the burst now. `limit`: which limit lets it hand over without asking a model, if one does."""

    way: ReplyMode
    limit: str | None = None

    @property
    def takes_over(self) -> bool:
        """Whether a person had the word, or was called: for this burst nothing hands over again."""
        return self.way in (ReplyMode.TAKEOVER, ReplyMode.HOLD_OVER)


ReplyDecision = Skip | Defer | ReplyPlan


def mode_of(facts: ReplyFacts) -> Mode:
    """The chat's mode, by its own facts."""
    if facts.handed_over_at is not None:
        noted = facts.noted is Mode.OFFLINE and facts.noted_since == facts.handed_over_at
        return Mode.OFFLINE if noted and facts.handover_reason != REPLY_LIMIT else Mode.WAITING
    if facts.owner_id is not None:
        return Mode.PERSON
    if facts.handled_by_person and not _was_returned(facts):
        return Mode.PERSON
    return Mode.AI


def _was_returned(facts: ReplyFacts) -> bool:
    """Whether a person has given the chat back, and none has spoken since."""
    if facts.noted is not Mode.AI or facts.noted_since is None:
        return False
    return facts.last_word_at is None or facts.last_word_at <= facts.noted_since


def decide(facts: ReplyFacts, now: datetime) -> ReplyDecision:
    """Whether, when and how the AI side speaks."""
    if facts.external_until is not None:
        return Defer(facts.external_until)
    silent = {
        "off": not facts.answers,
        "spam": facts.is_spam,
        "internal": facts.is_internal,
        "nothing": not facts.burst,
        "bot": facts.bot_has_it,
    }
    if why := next((why for why, is_so in silent.items() if is_so), None):
        return Skip(why)
    if facts.by_letters and now < (ready_at := facts.burst[-1].at + LETTERS_QUIET):
        return Defer(ready_at)
    mode = mode_of(facts)
    if mode in (Mode.AI, Mode.OFFLINE):
        return _in_turn(facts, mode)
    if facts.handover_reason == REPLY_LIMIT:
        return Skip(REPLY_LIMIT)
    way, due = _instead_of_people(facts, now)
    if due is None or way is None:
        return Skip(mode.value)
    if now < due:
        return Defer(due)
    # To say again that a person is called is no answer.
    limit = limit_of(facts)
    return Skip(limit) if limit else ReplyPlan(way)


def _in_turn(facts: ReplyFacts, mode: Mode) -> ReplyDecision:
    limit = limit_of(facts)
    if mode is Mode.OFFLINE:
        # Who was told that a person is called for this reason isn't told again.
        is_known = limit is not None and limit == facts.handover_reason
        return Skip(limit or "") if is_known else ReplyPlan(ReplyMode.HELP, limit)
    return ReplyPlan(ReplyMode.RETURNED if facts.handled_by_person else ReplyMode.ANSWER, limit)


def limit_of(facts: ReplyFacts) -> str | None:
    """The limit that keeps the AI side from asking a model, if one does."""
    if facts.replies >= MOST_REPLIES:
        return REPLY_LIMIT
    if facts.by_letters and facts.in_a_row >= MOST_LETTERS_IN_A_ROW:
        return LETTERS_LIMIT
    return None if facts.budget_left else BUDGET


def _instead_of_people(facts: ReplyFacts, now: datetime) -> tuple[ReplyMode | None, datetime | None]:
    """How and from when the AI side speaks although the word is people's; None: never."""
    if is_hold_over(facts, now):
        return ReplyMode.HOLD_OVER, now
    if not facts.takeover_s:
        return None, None
    return ReplyMode.TAKEOVER, facts.burst[0].at + timedelta(seconds=facts.takeover_s)


def held_since(facts: ReplyFacts) -> datetime | None:
    """The newest that people did in the chat: a word, that they were given it, or that they were called."""
    times = [at for at in (facts.last_word_at, facts.taken_at, facts.handed_over_at) if at is not None]
    return max(times, default=None)


def is_hold_over(facts: ReplyFacts, now: datetime) -> bool:
    """Whether people have let the chat go: it had expired before the burst, and their last deed is an hour old."""
    since, first = held_since(facts), facts.burst[0]
    if facts.expired_at is None or facts.expired_at > first.at:
        return False
    return since is None or (since < facts.expired_at and now - since >= HOLD)


def says_who_answers(mode: ReplyMode, facts: ReplyFacts) -> bool:
    """Whether the phrase `handoff_to_ai` goes before the answer."""
    return mode is ReplyMode.TAKEOVER or (mode is ReplyMode.RETURNED and facts.last_word_at is not None)


class ReplyVerdict(StrEnum):
    """The fate of an answer that was made, once the chat is read again."""

    SHOW = "show"
    DROP = "drop"  # the word is no longer the AI side's
    AGAIN = "again"  # the question is another by now


def verdict(
    asked: ReplyFacts, mode: ReplyMode, found: ReplyFacts, step: ReplyDecision, *, restarts: int
) -> ReplyVerdict:
    """Whether the answer to the burst of `asked` is shown in the chat as it is `found`, under its lock.

    A newer message of the visitor has it asked again, MOST_RESTARTS times at most; then it is shown, and the rest is
    answered next.
    """
    if not isinstance(step, ReplyPlan):
        return ReplyVerdict.DROP
    if step.way is not mode or found.burst[0].id != asked.burst[0].id:
        return ReplyVerdict.AGAIN
    is_newer = found.burst[-1].id != asked.burst[-1].id
    return ReplyVerdict.AGAIN if is_newer and restarts < MOST_RESTARTS else ReplyVerdict.SHOW


def mode_after(mode: ReplyMode, *, hands_over: bool, reason: str | None, operators: str | None) -> Mode:
    """The mode that the conversation is in after an answer. `operators` is None where presence was not asked for."""
    if hands_over:
        is_away = operators == "offline" and reason != REPLY_LIMIT
        return Mode.OFFLINE if is_away else Mode.WAITING
    return Mode.OFFLINE if mode is ReplyMode.HELP else Mode.AI


@dataclass(frozen=True, slots=True)
class AnsweringOperator:
    """An AI operator as far as it decides who answers."""

    id: int
    is_active: bool
    assistant_enabled: bool
    is_default: bool  # it runs the default assistant

    @property
    def is_able(self) -> bool:
        return self.is_active and self.assistant_enabled


def operator_of(operators: Collection[AnsweringOperator], *, spoke_last: int | None) -> int | None:
    """The AI operator that answers: the one that spoke last in the chat, else the default assistant's, else the lowest
    id.

    None if none is able: `active`, with an enabled assistant.
    """
    able = [one for one in operators if one.is_able]
    chosen = min(able, key=lambda one: (one.id != spoke_last, not one.is_default, one.id), default=None)
    return chosen.id if chosen else None
