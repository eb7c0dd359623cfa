"""Runs of an owner's test set against an assistant, drafted as the detached test drafts (docs/guides/ai.md).

Each case is paid for as a visitor's question is, through `vendor_call`, so the day's budget holds. No chat is made. A
run is a queue's row: a worker asks for a while and puts it back, so one widget's set does not hold the others up.
"""

import time
from collections.abc import Callable, Mapping
from copy import copy
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_noop

from apps.ai.actions.alerts import end as end_alerts
from apps.ai.actions.alerts import report
from apps.ai.actions.assistants import change_assistant
from apps.ai.actions.model_calls import Asker
from apps.ai.actions.replies.drafting import Composition, at_floor_of, compose
from apps.ai.actions.settings import settings_of
from apps.ai.actions.testing import OPERATIONS, Subject, detached_request, subject_of
from apps.ai.actions.usage import is_budget_left_for_automatic
from apps.ai.drivers import ProviderFailed
from apps.ai.models import AiSettings, Assistant, EvaluationCase, EvaluationResult, EvaluationRun
from apps.ai.querysets.evaluations import knowledge_state
from apps.ai.rules import evaluations as rules
from apps.ai.rules.actors import Actor
from apps.ai.rules.configuration import MAX_TIMEOUT_S, AlertCode, reply_seconds
from apps.ai.rules.evaluations import (
    ACTIVE,
    CaseChange,
    EvaluationState,
    JudgedAnswer,
    RunCause,
    StopReason,
    Verdict,
)
from apps.ai.rules.languages import language_of
from apps.core.problems import Problem
from apps.core.questions import BudgetExhausted, is_moving
from apps.egress.call_budget import CallBudget, SpentError
from apps.leases import Lease, wake_workers

# How long a worker goes on with a run before others have their turn. The case that is asked then takes a reply's time.
SLICE_S = 120
LONGEST_S = SLICE_S + reply_seconds([MAX_TIMEOUT_S]) + 60
_HELD = timedelta(seconds=LONGEST_S)


class NoCases(Exception):
    """There is no case for the assistant."""


class AlreadyRunning(Exception):
    """A run of the assistant is queued or under way."""


# The fields of an assistant that a draft may have: those that an answer is made of.
DRAFTED = ("persona", "system_prompt", "temperature", "rag_enabled", "escalation_triggers", "provider", "model")
_WORSE = gettext_noop(
    "After a change, test questions are answered worse than before. The evaluation in the cabinet shows which."
)


class RunEnd(NamedTuple):
    state: EvaluationState
    reason: str = ""


def start_evaluation(
    *,
    assistant: Assistant,
    held: bool = False,
    cause: RunCause = RunCause.PERSON,
    draft: Mapping[str, Any] | None = None,
) -> EvaluationRun:
    """Queues a run. `held`: the caller works on it (`run_now`), and a worker only should the caller be gone.

    `draft`: fields of the assistant (DRAFTED) that are asked in place of its own; what visitors are told stays.

    Raises NoCases, AlreadyRunning; CREDENTIAL_UNAVAILABLE and AMBIGUOUS_OPERATOR (409) as the detached test does.
    """
    subject = subject_of(assistant=with_draft(assistant, draft), operator_id=None)
    cases = EvaluationCase.objects.for_widget(assistant.widget_id).for_assistant(assistant.pk).count()
    if not cases:
        raise NoCases
    runs = EvaluationRun.objects.for_widget(assistant.widget_id).filter(assistant=assistant)
    try:
        with transaction.atomic():
            run = EvaluationRun.objects.create(
                widget_id=assistant.widget_id,
                assistant=assistant,
                previous=runs.finished().order_by("-pk").first(),
                cause=cause,
                draft=draft,
                knowledge=knowledge_state(assistant.widget_id).mark,
                model=subject.sources[0].model,
                persona_version=assistant.persona_version,
                cases=cases,
                due_at=Now() + _HELD if held else Now(),
            )
            kept = list(runs.order_by("-pk").values_list("pk", flat=True)[: rules.RUNS_KEPT])
            runs.exclude(pk__in=kept).delete()
            wake_workers()
    except IntegrityError:
        raise AlreadyRunning from None
    return run


def with_draft(assistant: Assistant, draft: Mapping[str, Any] | None) -> Assistant:
    """The assistant as it would be with a draft; nothing is stored."""
    if not draft:
        return assistant
    drafted = copy(assistant)
    for name, value in draft.items():
        setattr(drafted, name, value)
    return drafted


class ChangedMeanwhile(Exception):
    """The assistant's text is another than the one that the draft was made of."""


def put_live(*, run: EvaluationRun, actor: Actor) -> None:
    """Gives the assistant what a run has examined as a draft; the run counts as one of the live assistant then.

    Raises ChangedMeanwhile; NOT_FOUND (404) for a run without a draft.
    """
    with transaction.atomic():
        locked = EvaluationRun.objects.for_widget(run.widget_id).get_for_update(pk=run.pk, draft__isnull=False)
        assistant: Assistant = Assistant.objects.for_widget(run.widget_id).get(pk=run.assistant_id)
        if assistant.persona_version != locked.persona_version:
            raise ChangedMeanwhile
        change_assistant(
            widget_id=run.widget_id, assistant_id=run.assistant_id, changes=locked.draft or {}, actor=actor
        )
        assistant.refresh_from_db(fields=["persona_version"])
        _same(run).update(draft=None, persona_version=assistant.persona_version)


def evaluate_changes() -> int:
    """Runs the test sets of assistants whose text, model or knowledge has changed since their last run, once things are
    quiet; returns how many were queued.

    One that nobody has ever run is left alone, and so is an assistant that does not answer, or has no cases.
    """
    widget_ids = EvaluationRun.objects.unscoped("every widget's rows").values("widget_id")
    on = AiSettings.objects.unscoped("every widget's rows").filter(enabled=True, widget_id__in=widget_ids)
    return sum(_evaluate_changes_of(settings) for settings in on)


def _evaluate_changes_of(settings: AiSettings) -> int:
    widget_id, now = settings.widget_id, timezone.now()
    if is_moving(widget_id) or not is_budget_left_for_automatic(settings):
        return 0
    started, knowledge = 0, knowledge_state(widget_id)
    for assistant in Assistant.objects.for_widget(widget_id).filter(enabled=True).select_related("widget"):
        last = EvaluationRun.objects.for_widget(widget_id).filter(assistant=assistant).live().order_by("-pk").first()
        if last is None or last.state in ACTIVE:
            continue
        try:
            model = subject_of(assistant=assistant, operator_id=None).sources[0].model
            before = rules.Evaluated(last.knowledge, last.persona_version, last.model)
            state = rules.Evaluated(knowledge.mark, assistant.persona_version, model)
            changed_at = max(filter(None, (knowledge.changed_at, assistant.updated_at)))
            if rules.is_due(before, state, changed_at=changed_at, at=now):
                start_evaluation(assistant=assistant, cause=RunCause.BY_ITSELF)
                started += 1
        except (NoCases, AlreadyRunning, Problem):
            continue
    return started


def run_now(run: EvaluationRun, told: Callable[[EvaluationResult], object] = lambda result: None) -> EvaluationRun:
    """Works on a held run to its end, in this process; `told` is given each result. Gives the run as it ended."""
    end: RunEnd | None = RunEnd(EvaluationState.STOPPED, StopReason.CANCELLED)
    try:
        end = _EvaluationPass(run, told=told).work(lambda: _hold(run))
    finally:
        _end(run, end)
        _same(run).update(due_at=None)
    ended: EvaluationRun = _same(run).get()
    return ended


def work(lease: Lease[EvaluationRun]) -> None:
    """Asks the cases that are left, for SLICE_S seconds."""
    until = time.monotonic() + SLICE_S
    end = _EvaluationPass(lease.row).work(lambda: not lease.must_stop and time.monotonic() < until)
    with transaction.atomic():
        if end is not None:
            _end(lease.row, end)
            lease.done()
        elif lease.must_stop:
            lease.give_back()
        else:
            lease.later(0)


def given_up(lease: Lease[EvaluationRun], reason: str) -> None:
    """The results that there are stay."""
    _end(lease.row, RunEnd(EvaluationState.STOPPED, StopReason.CRASHED))


def _same(run: EvaluationRun) -> Any:
    return EvaluationRun.objects.for_widget(run.widget_id).filter(pk=run.pk)


def _hold(run: EvaluationRun) -> bool:
    return bool(_same(run).update(due_at=Now() + _HELD))


def _end(run: EvaluationRun, end: RunEnd | None) -> None:
    if end is None or not _same(run).active().update(state=end.state, reason=end.reason, finished_at=Now()):
        return
    if run.draft is None:
        _tell_of_worse(run)


def _tell_of_worse(run: EvaluationRun) -> None:
    """An alert where what visitors are told now has become worse; a run without any ends it."""
    results = EvaluationResult.objects.for_widget(run.widget_id).filter(run_id=run.pk)
    if results.filter(change=CaseChange.WORSE).exists():
        if run.cause == RunCause.BY_ITSELF:
            report(run.widget_id, AlertCode.EVALUATION_WORSE, _WORSE, assistant_id=run.assistant_id)
    elif not results.exclude(verdict=Verdict.RIGHT).exists():
        end_alerts(run.widget_id, (AlertCode.EVALUATION_WORSE,), assistant_id=run.assistant_id)


class _EvaluationPass:
    """One worker's way through the cases that have no result yet."""

    def __init__(self, run: EvaluationRun, told: Callable[[EvaluationResult], object] = lambda result: None) -> None:
        self.run, self.told = run, told
        self.before: dict[int, JudgedAnswer] = {}

    def work(self, goes_on: Callable[[], bool]) -> RunEnd | None:
        """The end of the run, or None where it is to go on later."""
        run = self.run
        _same(run).active().update(state=EvaluationState.RUNNING)
        results = EvaluationResult.objects.for_widget(run.widget_id)
        for row in results.filter(run_id=run.previous_id) if run.previous_id else ():
            self.before[row.case_id] = JudgedAnswer(row.question, row.verdict, row.answer)
        done = results.filter(run=run).values("case_id")
        cases = EvaluationCase.objects.for_widget(run.widget_id).for_assistant(run.assistant_id)
        failures = 0
        for case in cases.exclude(pk__in=done):
            if not goes_on():
                return None
            if run.cause == RunCause.BY_ITSELF and not is_budget_left_for_automatic(settings_of(run.widget_id)):
                return RunEnd(EvaluationState.STOPPED, StopReason.BUDGET_EXHAUSTED)
            try:
                result = self._result(case)
            except BudgetExhausted:
                return RunEnd(EvaluationState.STOPPED, StopReason.BUDGET_EXHAUSTED)
            except Problem:
                return RunEnd(EvaluationState.STOPPED, StopReason.NO_CREDENTIAL)
            EvaluationResult.objects.bulk_create([result], ignore_conflicts=True)
            self.told(result)
            failures = failures + 1 if result.verdict == Verdict.FAILED else 0
            if failures >= rules.MOST_FAILURES:
                return RunEnd(EvaluationState.STOPPED, StopReason.PROVIDER_FAILURE)
        return RunEnd(EvaluationState.FINISHED)

    def _result(self, case: EvaluationCase) -> EvaluationResult:
        """The result of a case, not stored. Raises BudgetExhausted; Problem where nobody can be asked any more."""
        assistant: Assistant = Assistant.objects.for_widget(self.run.widget_id).get(pk=self.run.assistant_id)
        assistant = with_draft(assistant, self.run.draft)
        subject = subject_of(assistant=assistant, operator_id=None)
        asker = Asker(
            assistant.widget_id,
            subject.sources,
            CallBudget(
                operations=OPERATIONS, seconds=reply_seconds(int(one.endpoint.timeout_s) for one in subject.sources)
            ),
            assistant_id=assistant.pk,
            operator_id=subject.operator_id,
            temperature=assistant.temperature,
        )
        began = time.monotonic()
        result = EvaluationResult(run=self.run, case_id=case.pk, question=case.question, expects=case.expects)
        try:
            self._judge(result, case, _drafted(subject, case.question, asker))
        except ProviderFailed as failure:
            result.verdict, result.reason = Verdict.FAILED, failure.reason
        except SpentError:
            result.verdict, result.reason = Verdict.FAILED, "timeout"
        result.operations, result.seconds = asker.meter.spent, round(time.monotonic() - began, 2)
        result.prompt_tokens, result.completion_tokens = asker.prompt_tokens, asker.completion_tokens
        now = JudgedAnswer(case.question, result.verdict, result.answer)
        result.change = rules.change_of(self.before.get(case.pk), now)
        return result

    def _judge(self, result: EvaluationResult, case: EvaluationCase, made: Composition) -> None:
        judgement = rules.judged(
            expects=case.expects,
            must=case.must,
            must_not=case.must_not,
            answer=made.text,
            hands_over=made.hands_over,
        )
        result.outcome, result.verdict = judgement.outcome, judgement.verdict
        result.faults = [list(fault) for fault in judgement.faults]
        result.answer, result.reason = made.text, made.reason or ""
        result.language, result.rag_status = language_of(made.text) or "", made.rag_status


def _drafted(subject: Subject, question: str, asker: Asker) -> Composition:
    """The answer as a visitor would get it while operators are online, so that runs of day and night compare."""
    asked = detached_request(subject, question=question, presence="online")
    return at_floor_of(asked) or compose(asked, asker)
