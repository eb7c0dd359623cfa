"""An owner's evaluation: what an answer has to have, whether it is right, and what has changed since the run before.

Pure. An answer is one of three outcomes: it answers, it says that the assistant does not know, or it calls a person.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

MAX_CASES, MAX_QUESTION = 200, 4_000
MAX_TEXTS, MAX_TEXT = 20, 200
# The titles or addresses that an answer must name among its sources; the criterion of a judge, and how much of its
# reason is kept.
MAX_SOURCES, MAX_SOURCE, MAX_JUDGE, MAX_REASON = 5, 500, 500, 500
# The piece of knowledge that a question was made of: as much of it as is compared.
MAX_PIECE = 4_000
RUNS_KEPT = 30
# Between two looks of a page at a run that is under way.
REFRESH_S = 3
# After so many cases in a row that no vendor answered, the others are not asked.
MOST_FAILURES = 3
# After a change, so long nothing else must change before the test set is run by itself.
QUIET = timedelta(minutes=10)
# A run that nobody started leaves the rest of the day's tokens to visitors.
AUTOMATIC_PERCENT = 50
# Between texts one of which is enough.
OR = "|"


class CaseOutcome(StrEnum):
    """The outcomes of a question; of a case, the one that its owner expects."""

    ANSWER = "answer"
    REFUSAL = "refusal"
    PERSON = "person"


class Verdict(StrEnum):
    """`FAILED`: no vendor answered. `UNSURE`: the judge could not be read, so it is neither right nor wrong."""

    RIGHT = "right"
    WRONG = "wrong"
    FAILED = "failed"
    UNSURE = "unsure"


class CaseOrigin(StrEnum):
    """The place where a case was made. `CHAT`: of a message, in one click; `DRAFT`: of a draft that a person edited."""

    HAND = "hand"
    API = "api"
    CHAT = "chat"
    THUMB = "thumb"
    DEMAND = "demand"
    WIZARD = "wizard"
    DRAFT = "draft"


class EvaluationGate(StrEnum):
    """Whether a change that loses a case waits for a person. An edit by hand applies at once anyway."""

    ASK = "ask"
    OFF = "off"


class CheckName(StrEnum):
    """The checks of an answer, in their order. The judge is asked last, and only where all others hold."""

    OUTCOME = "outcome"
    MUST = "must"
    MUST_NOT = "must_not"
    LANGUAGE = "language"
    SOURCES = "sources"
    FACTS = "facts"
    JUDGE = "judge"


class CaseChange(StrEnum):
    """A case beside the same one of the run before. `REWORDED`: as right as before, in other words."""

    NEW = "new"
    BETTER = "better"
    WORSE = "worse"
    REWORDED = "reworded"
    SAME = "same"


class RunCause(StrEnum):
    """The cause of a run. `DRAFT`: a change that is not live yet. `BY_ITSELF`: a change that is. `CYCLE`: a tuning
    cycle asks before it changes anything."""

    PERSON = "person"
    DRAFT = "draft"
    BY_ITSELF = "by_itself"
    CYCLE = "cycle"


class EvaluationState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"


class StopReason(StrEnum):
    """Why a run did not come to its end."""

    BUDGET_EXHAUSTED = "budget_exhausted"
    PROVIDER_FAILURE = "provider_failure"
    NO_CREDENTIAL = "no_credential"
    CANCELLED = "cancelled"
    CRASHED = "crashed"
    PERSONA_CHANGED = "persona_changed"


# The causes of runs that nobody started.
AUTOMATIC = (RunCause.BY_ITSELF, RunCause.CYCLE)
ACTIVE = (EvaluationState.QUEUED, EvaluationState.RUNNING)


class Fault(NamedTuple):
    """A fault of an answer. `kind`: `outcome` (`text` is the one that came), `missing`, `forbidden`, `language` (that
    of the answer), `source` (one that it does not rest on), `ungrounded` (nothing of it stands where the question is
    from), `facts` (a fact had to be taken out) or `judge` (`text` is its reason)."""

    kind: str
    text: str


# The check that a fault belongs to.
CHECK_OF = {
    "outcome": CheckName.OUTCOME,
    "missing": CheckName.MUST,
    "forbidden": CheckName.MUST_NOT,
    "language": CheckName.LANGUAGE,
    "source": CheckName.SOURCES,
    "ungrounded": CheckName.SOURCES,
    "facts": CheckName.FACTS,
    "judge": CheckName.JUDGE,
}


class Judgement(NamedTuple):
    outcome: CaseOutcome
    verdict: Verdict
    faults: list[Fault]


class ExpectedAnswer(NamedTuple):
    """The answer that a case wants. `language`: one of the seven, or none; `sources`: titles or addresses."""

    outcome: str = CaseOutcome.ANSWER
    must: Sequence[str] = ()
    must_not: Sequence[str] = ()
    language: str = ""
    sources: Sequence[str] = ()


class GivenAnswer(NamedTuple):
    """The answer that came. `rests`: whether the answer to a question that was made of a piece of knowledge rests on it
    (`grounds.py`); None for other questions. `language` is empty where it can't be told."""

    answer: str
    hands_over: bool = False
    rests: bool | None = None
    language: str = ""
    sources: Sequence[str] = ()
    facts_removed: Sequence[str] = ()


class JudgedAnswer(NamedTuple):
    """A result as it is compared with that of another run."""

    question: str
    verdict: str
    answer: str


# How an assistant says that it does not know.
_REFUSALS = (
    "don't know", "do not know", "don't have", "do not have information", "do not have any information",
    "no information", "not sure", "can't find", "cannot find", "unable to find", "couldn't find", "not mentioned",
    "not specified", "can't help", "cannot help", "can't answer", "cannot answer", "unable to answer",
    "не знаю", "нет информации", "нет данных", "нет сведений", "не располагаю", "не могу ответить", "не могу помочь",
    "не могу сказать", "не нашёл", "не нашел", "не нашла", "не указано", "не указана", "не указан", "не уверен",
    "δεν γνωρίζω", "δεν ξέρω", "δεν έχω πληροφορίες", "δεν διαθέτω", "δεν μπορώ να απαντήσω",
    "weiß ich nicht", "ich weiß nicht", "weiß es nicht", "weiß das nicht", "keine information",
    "keine angaben", "nicht bekannt", "kann ich nicht beantworten", "liegen mir nicht vor",
    "no lo sé", "no sé", "no tengo información", "no dispongo", "no tengo datos", "no puedo responder",
    "لا أعرف", "لا أعلم", "ليس لدي معلومات", "لا تتوفر لدي", "لا أملك معلومات", "لا يمكنني الإجابة",
    "不知道", "不清楚", "没有相关信息", "没有信息", "无法回答", "没有找到", "不确定",
)  # fmt: skip
_SPACES = re.compile(r"\s+")


def outcome_of(answer: str, *, hands_over: bool) -> CaseOutcome:
    """The outcome of an answer. Words alone tell a refusal, in the seven languages of phrases."""
    if hands_over:
        return CaseOutcome.PERSON
    return CaseOutcome.REFUSAL if not answer.strip() or is_refusal(answer) else CaseOutcome.ANSWER


def is_refusal(text: str) -> bool:
    """Whether a text says that something is not known, in words of the seven languages."""
    plain = _plain(text)
    return any(words in plain for words in _refusals())


def judged(expected: ExpectedAnswer, given: GivenAnswer) -> Judgement:
    """The judgement on an answer by code alone: a judge is asked afterwards, where it says `RIGHT`.

    A person is as good as a refusal that is expected: both make nothing up. An answer that has all that it must have
    counts as one, whatever else it does not know.
    """
    plain = _plain(given.answer)
    outcome = outcome_of(given.answer, hands_over=given.hands_over)
    missing = [Fault("missing", text) for text in expected.must if not _has(plain, text)]
    if outcome == CaseOutcome.REFUSAL and ((expected.must and not missing) or given.rests):
        outcome = CaseOutcome.ANSWER
    is_refusal_fine = expected.outcome == CaseOutcome.REFUSAL
    fine = {CaseOutcome.REFUSAL, CaseOutcome.PERSON} if is_refusal_fine else {expected.outcome}
    faults = [] if outcome in fine else [Fault("outcome", outcome)]
    faults += missing
    faults += [Fault("forbidden", text) for text in expected.must_not if _has(plain, text)]
    if expected.language and given.language not in ("", expected.language):
        faults.append(Fault("language", given.language))
    if given.rests is False and outcome == expected.outcome == CaseOutcome.ANSWER:
        faults.append(Fault("ungrounded", ""))
    known = {_plain(name) for name in given.sources}
    faults += [Fault("source", text) for text in expected.sources if _plain(text) not in known]
    faults += [Fault("facts", text) for text in given.facts_removed]
    return Judgement(outcome, Verdict.WRONG if faults else Verdict.RIGHT, faults)


def checks_of(faults: Sequence[Fault], *, judge: bool | None = None, is_judged: bool = False) -> list[dict[str, Any]]:
    """The checks of a result, in order: whether each holds, and why not.

    `is_judged`: whether a judge was asked; `judge` is its answer, None where it could not be read.
    """
    names = [name for name in CheckName if name != CheckName.JUDGE or is_judged]
    details = {name: [fault.text for fault in faults if CHECK_OF[fault.kind] == name] for name in names}
    return [
        {
            "name": name.value,
            "ok": judge if name == CheckName.JUDGE else not details[name],
            "detail": "; ".join(filter(None, details[name])) or None,
        }
        for name in names
    ]


def change_of(before: JudgedAnswer | None, now: JudgedAnswer) -> CaseChange:
    """The change since the run before. A case whose question was rewritten is new."""
    if before is None or before.question != now.question:
        return CaseChange.NEW
    if before.verdict != now.verdict and Verdict.UNSURE not in (before.verdict, now.verdict):
        if now.verdict == Verdict.RIGHT:
            return CaseChange.BETTER
        if before.verdict == Verdict.RIGHT:
            return CaseChange.WORSE
    return CaseChange.SAME if _plain(before.answer) == _plain(now.answer) else CaseChange.REWORDED


class Evaluated(NamedTuple):
    """The state that a run examined: the knowledge (`KnowledgeState.mark`), the version of the text, the model."""

    knowledge: str
    persona_version: int | None
    model: str


def is_due(before: Evaluated, now: Evaluated, *, changed_at: datetime | None, at: datetime) -> bool:
    """Whether the test set is to be run by itself: something is another than it was, and has been quiet for QUIET."""
    return before != now and (changed_at is None or changed_at <= at - QUIET)


def is_for_automatic(spent: int, limit: int | None) -> bool:
    """Whether a run that nobody started may spend tokens of the day's."""
    return limit is None or spent * 100 < limit * AUTOMATIC_PERCENT


@cache
def _refusals() -> list[str]:
    return [_plain(words) for words in _REFUSALS]


def _has(plain: str, wanted: str) -> bool:
    """Whether one of the texts between bars stands in the answer."""
    return any(_stands(plain, each) for each in map(_plain, wanted.split(OR)) if each)


def _stands(plain: str, text: str) -> bool:
    """Whether a text stands there, a number of it not as a part of a longer number."""
    at = plain.find(text)
    while at >= 0:
        end = at + len(text)
        before, after = plain[at - 1 : at], plain[end : end + 1]
        if not (text[0].isdigit() and before.isdigit()) and not (text[-1].isdigit() and after.isdigit()):
            return True
        at = plain.find(text, at + 1)
    return False


def _plain(text: str) -> str:
    """Small letters, straight apostrophes, single spaces."""
    return _SPACES.sub(" ", text.casefold().replace("’", "'")).strip()
