"""Runs of an owner's test set against an assistant, drafted as the detached test drafts (docs/guides/ai.md).

Each case is paid for as a visitor's question is, through `vendor_call`, so the day's budget holds. No chat is made. A
run is a queue's row: a worker asks for a while and puts it back, so one widget's set does not hold the others up.
"""

import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.utils import timezone

from apps.ai.actions import advice
from apps.ai.actions.alerts import end as end_alerts
from apps.ai.actions.alerts import report
from apps.ai.actions.evaluation_passes import EvaluationPass, RunEnd, same_run, with_draft
from apps.ai.actions.testing import subject_of
from apps.ai.actions.usage import is_budget_left_for_automatic
from apps.ai.models import AiSettings, Assistant, EvaluationCase, EvaluationResult, EvaluationRun
from apps.ai.querysets.evaluations import knowledge_state
from apps.ai.rules import evaluations as rules
from apps.ai.rules.configuration import MAX_TIMEOUT_S, AlertCode, reply_seconds
from apps.ai.rules.evaluations import ACTIVE, CaseChange, EvaluationState, RunCause, StopReason, Verdict
from apps.core.problems import Problem
from apps.core.questions import is_moving
from apps.leases import Lease, wake_workers

# How long a worker goes on with a run before others have their turn. The case that is asked then takes a reply's time,
# and a judge's.
SLICE_S = 120
LONGEST_S = SLICE_S + 2 * reply_seconds([MAX_TIMEOUT_S]) + 60
_HELD = timedelta(seconds=LONGEST_S)


class NoCases(Exception):
    """There is no case for the assistant."""


class AlreadyRunning(Exception):
    """A run of the assistant is queued or under way."""


def start_evaluation(
    *,
    assistant: Assistant,
    held: bool = False,
    cause: RunCause = RunCause.PERSON,
    draft: Mapping[str, Any] | None = None,
    wish_id: int | None = None,
) -> EvaluationRun:
    """Queues a run. `held`: the caller works on it (`run_now`), and a worker only should the caller be gone.

    `draft`: fields of the assistant (`DRAFTED`) that are asked in place of its own; what visitors are told stays.
    `wish_id`: the wish that the draft is of.

    Raises NoCases, AlreadyRunning; CREDENTIAL_UNAVAILABLE and AMBIGUOUS_OPERATOR (409) as the detached test does.
    """
    subject = subject_of(assistant=with_draft(assistant, draft), operator_id=None)
    cases = EvaluationCase.objects.for_widget(assistant.widget_id).asked_of(assistant.pk).count()
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
                wish_id=wish_id,
                knowledge=knowledge_state(assistant.widget_id).mark,
                model=subject.sources[0].model,
                persona_version=assistant.persona_version,
                cases=cases,
                due_at=Now() + _HELD if held else Now(),
            )
            kept = list(runs.order_by("-pk").values_list("pk", flat=True)[: rules.RUNS_KEPT])
            runs.exclude(pk__in=[*kept, run.previous_id]).delete()
            wake_workers()
    except IntegrityError:
        raise AlreadyRunning from None
    return run


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
        end = EvaluationPass(run, told=told).work(lambda: _hold(run))
    finally:
        _end(run, end)
        same_run(run).update(due_at=None)
    ended: EvaluationRun = same_run(run).get()
    return ended


def work(lease: Lease[EvaluationRun]) -> None:
    """Asks the cases that are left, for SLICE_S seconds."""
    until = time.monotonic() + SLICE_S
    end = EvaluationPass(lease.row).work(lambda: not lease.must_stop and time.monotonic() < until)
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


def _hold(run: EvaluationRun) -> bool:
    return bool(same_run(run).update(due_at=Now() + _HELD))


def _end(run: EvaluationRun, end: RunEnd | None) -> None:
    if end is None or not same_run(run).active().update(state=end.state, reason=end.reason, finished_at=Now()):
        return
    if run.draft is None:
        _tell_of_worse(run)


def _tell_of_worse(run: EvaluationRun) -> None:
    """An alert where what visitors are told now has become worse; a run without any ends it."""
    results = EvaluationResult.objects.for_widget(run.widget_id).filter(run_id=run.pk)
    if results.filter(change=CaseChange.WORSE).exists():
        if run.cause == RunCause.BY_ITSELF:
            report(run.widget_id, AlertCode.EVALUATION_WORSE, advice.ANSWERED_WORSE, assistant_id=run.assistant_id)
    elif not results.exclude(verdict=Verdict.RIGHT).exists():
        end_alerts(run.widget_id, (AlertCode.EVALUATION_WORSE,), assistant_id=run.assistant_id)
