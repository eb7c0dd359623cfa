"""A worker's way through the cases of a run: each asked as a visitor would, checked by code, and judged at last.

A judge is a model too, asked only where all that code can check holds and the case has a criterion.
"""

import time
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, NamedTuple

from apps.ai.actions.examination import Passage, piece_of
from apps.ai.actions.model_calls import Asker
from apps.ai.actions.replies.drafting import Composition, at_floor_of, compose
from apps.ai.actions.testing import OPERATIONS, Subject, detached_request, subject_of
from apps.ai.actions.usage import is_budget_left_for_automatic
from apps.ai.drivers import ProviderFailed
from apps.ai.models import Assistant, EvaluationCase, EvaluationResult, EvaluationRun
from apps.ai.rules import evaluations as rules
from apps.ai.rules import judges
from apps.ai.rules.configuration import reply_seconds
from apps.ai.rules.evaluations import (
    AUTOMATIC,
    CaseOutcome,
    EvaluationState,
    ExpectedAnswer,
    Fault,
    GivenAnswer,
    JudgedAnswer,
    StopReason,
    Verdict,
)
from apps.ai.rules.grounds import Statement
from apps.ai.rules.judges import Ruling
from apps.ai.rules.languages import language_of
from apps.ai.rules.prompts import Prompt, PromptMessage
from apps.ai.rules.redaction import Redaction
from apps.ai.settings import settings_of
from apps.core.problems import Problem
from apps.egress.call_budget import CallBudget, SpentError
from apps.kb.questions import BudgetExhausted


class RunEnd(NamedTuple):
    """The end of a run, and why it ended before its last case."""

    state: EvaluationState
    reason: str = ""


class _PersonaChanged(Exception):
    """The assistant has another text than the one that the run began with."""


def same_run(run: EvaluationRun) -> Any:
    """The run's row."""
    return EvaluationRun.objects.for_widget(run.widget_id).filter(pk=run.pk)


def with_draft(assistant: Assistant, draft: Mapping[str, Any] | None) -> Assistant:
    """The assistant as it would be with a draft; nothing is stored."""
    if not draft:
        return assistant
    drafted = copy(assistant)
    for name, value in draft.items():
        setattr(drafted, name, value)
    return drafted


class EvaluationPass:
    """One worker's way through the cases that have no result yet."""

    def __init__(self, run: EvaluationRun, told: Callable[[EvaluationResult], object] = lambda result: None) -> None:
        self.run, self.told = run, told
        self.before: dict[int, JudgedAnswer] = {}

    def work(self, goes_on: Callable[[], bool]) -> RunEnd | None:
        """The end of the run, or None where it is to go on later."""
        run = self.run
        same_run(run).active().update(state=EvaluationState.RUNNING)
        results = EvaluationResult.objects.for_widget(run.widget_id)
        for row in results.filter(run_id=run.previous_id) if run.previous_id else ():
            self.before[row.case_id] = JudgedAnswer(row.question, row.verdict, row.answer)
        done = results.filter(run=run).values("case_id")
        cases = EvaluationCase.objects.for_widget(run.widget_id).asked_of(run.assistant_id)
        failures = 0
        for case in cases.exclude(pk__in=done):
            if not goes_on():
                return None
            if run.cause in AUTOMATIC and not is_budget_left_for_automatic(settings_of(run.widget_id)):
                return RunEnd(EvaluationState.STOPPED, StopReason.BUDGET_EXHAUSTED)
            try:
                result = self._result(case)
            except BudgetExhausted:
                return RunEnd(EvaluationState.STOPPED, StopReason.BUDGET_EXHAUSTED)
            except _PersonaChanged:
                return RunEnd(EvaluationState.STOPPED, StopReason.PERSONA_CHANGED)
            except Problem:
                return RunEnd(EvaluationState.STOPPED, StopReason.NO_CREDENTIAL)
            EvaluationResult.objects.bulk_create([result], ignore_conflicts=True)
            self.told(result)
            failures = failures + 1 if result.verdict == Verdict.FAILED else 0
            if failures >= rules.MOST_FAILURES:
                return RunEnd(EvaluationState.STOPPED, StopReason.PROVIDER_FAILURE)
        return RunEnd(EvaluationState.FINISHED)

    def _subject(self) -> Subject:
        """The assistant that answers, with the draft. Raises _PersonaChanged; Problem if none is there."""
        assistant: Assistant = Assistant.objects.for_widget(self.run.widget_id).get(pk=self.run.assistant_id)
        if assistant.persona_version != self.run.persona_version:
            raise _PersonaChanged
        return subject_of(assistant=with_draft(assistant, self.run.draft), operator_id=None)

    def _result(self, case: EvaluationCase) -> EvaluationResult:
        """The result of a case, not stored. Raises BudgetExhausted, and as `_subject`."""
        subject = self._subject()
        asker = _asker(subject)
        began = time.monotonic()
        result = EvaluationResult(run=self.run, case_id=case.pk, question=case.question, expects=case.expects)
        try:
            composition = _drafted(subject, case, asker)
            if self._check(result, case, composition) and case.judge:
                _ask_judge(result, case, composition, subject.assistant, asker)
        except ProviderFailed as failure:
            result.verdict, result.reason = Verdict.FAILED, failure.reason
        except SpentError:
            result.verdict, result.reason = Verdict.FAILED, "timeout"
        result.operations, result.seconds = asker.budget.spent, round(time.monotonic() - began, 2)
        result.prompt_tokens, result.completion_tokens = asker.prompt_tokens, asker.completion_tokens
        now = JudgedAnswer(case.question, result.verdict, result.answer)
        result.change = rules.change_of(self.before.get(case.pk), now)
        return result

    def _check(self, result: EvaluationResult, case: EvaluationCase, composition: Composition) -> bool:
        """Writes down the checks by code; whether all of them hold."""
        piece = piece_of(case)
        rests = _rests(case, composition, piece) if case.piece else None
        language = language_of(composition.text) or ""
        named = [text for one in composition.grounds for text in (one["title"], one["url"]) if text]
        judgement = rules.judged(
            ExpectedAnswer(case.expects, case.must, case.must_not, case.language, case.sources),
            GivenAnswer(composition.text, composition.hands_over, rests, language, named, composition.facts_removed),
        )
        is_right = judgement.verdict == Verdict.RIGHT and judgement.outcome == CaseOutcome.ANSWER
        result.grounds = {
            "rests": bool(composition.grounds or case.must) and is_right if rests is None else rests,
            "sources": composition.grounds,
            "stands": {"title": piece.title, "url": piece.url, "text": piece.content} if piece else None,
        }
        result.outcome, result.verdict = judgement.outcome, judgement.verdict
        result.faults = [list(fault) for fault in judgement.faults]
        result.checks = rules.checks_of(judgement.faults)
        result.answer, result.reason = composition.text, composition.reason or ""
        result.language, result.rag_status = language, composition.rag_status
        return judgement.verdict == Verdict.RIGHT


def _ask_judge(
    result: EvaluationResult, case: EvaluationCase, composition: Composition, assistant: Assistant, asker: Asker
) -> None:
    """Asks a model whether the criterion holds. The result is unsure where its answer can't be read."""
    ruling = _ruling(case, composition, assistant, asker)
    faults = [] if ruling is None or ruling.ok else [Fault("judge", ruling.reason)]
    if ruling is None:
        result.verdict = Verdict.UNSURE
    elif not ruling.ok:
        result.verdict = Verdict.WRONG
    result.faults = [list(fault) for fault in faults]
    result.checks = rules.checks_of(faults, judge=ruling.ok if ruling else None, is_judged=True)


def _asker(subject: Subject) -> Asker:
    """A run leaves the end of the day's budget to visitors, whoever started it."""
    assistant = subject.assistant
    seconds = reply_seconds(int(one.endpoint.timeout_s) for one in subject.sources)
    return Asker(
        assistant.widget_id,
        subject.sources,
        CallBudget(operations=OPERATIONS, seconds=seconds),
        assistant_id=assistant.pk,
        operator_id=subject.operator_id,
        temperature=assistant.temperature,
        automatic=True,
    )


def _drafted(subject: Subject, case: EvaluationCase, asker: Asker) -> Composition:
    """The answer as a visitor would get it while operators are online, so that runs of day and night compare."""
    asked = detached_request(
        subject,
        question=case.question,
        presence="online",
        locale=None if language_of(case.question) else case.language or None,
    )
    return at_floor_of(asked) or compose(asked, asker)


def _ruling(case: EvaluationCase, composition: Composition, assistant: Assistant, asker: Asker) -> Ruling | None:
    """The judge's answer, asked for twice where it can't be read; None where that is no better.

    Personal data leaves as names, but for the owner's texts: all may read those, and a judge may need them.
    """
    public = [
        *(f"{piece.title}\n{piece.content}\n{piece.url or ''}" for piece in composition.pieces),
        *(assistant.persona, assistant.system_prompt, assistant.greeting, case.judge),
    ]
    redaction = Redaction(public)
    question, answer = redaction.hide(case.question), redaction.hide(composition.text)
    task = judges.task_of(question=question, answer=answer, criterion=case.judge)
    prompt = Prompt(judges.SYSTEM, [PromptMessage("user", task)])
    for _ in range(judges.ASKED):
        reply = asker.ask(judges.PURPOSE, prompt, max_tokens=judges.MAX_TOKENS)
        if (ruling := judges.ruling_of(reply.text)) is not None:
            return ruling
    return None


def _rests(case: EvaluationCase, composition: Composition, passage: Passage | None) -> bool:
    """Whether an answer rests on the piece that its question was made of; on anything, where the source is gone."""
    if composition.hands_over or passage is None:
        return bool(composition.grounds)
    others = [f"{one.title}\n{one.content}" for one in composition.pieces if one.source_ref != passage.ref]
    return Statement(composition.text, question=case.question).rests_on(passage.text, others=others)
