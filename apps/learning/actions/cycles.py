"""Tuning cycles: queued by a person or the clock, worked on under a lease, one step after the other.

A step's result is kept in `Cycle.progress` under the lease's fence, so a worker that takes up a lost cycle goes on
behind it: a paid answer is not asked for again. No transaction is open while a model is asked, and the gates are asked
before each call and in the transaction that applies.
"""

import json
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from apps.ai.actions import alerts
from apps.ai.actions.evaluation_gates import Examined, is_asked
from apps.ai.actions.model_calls import CHAT_MODEL
from apps.ai.actions.personas import note_persona
from apps.ai.models import AiSettings, Assistant
from apps.ai.rules.actors import SYSTEM
from apps.ai.rules.configuration import PersonaAction, PersonaCause
from apps.ai.rules.languages import language_of
from apps.ai.rules.prompts import Persona, system_text
from apps.egress.call_budget import CallBudget, SpentError
from apps.kb.questions import BudgetExhausted, ModelFailed, NoModel
from apps.learning.actions.evidence import pairs_of
from apps.learning.actions.examining import CycleStopped, examine_cycle
from apps.learning.actions.gates import gates_now
from apps.learning.actions.probation import begin
from apps.learning.actions.texts import rewrite, texts_of
from apps.learning.errors import LEARNING_CYCLE_RUNNING, LEARNING_GATE_CLOSED
from apps.learning.labels import CASES_LOST, RAIL_REFUSED
from apps.learning.models import Cycle
from apps.learning.rules import guard_rails, patches
from apps.learning.rules.cycles import (
    EVERY,
    MIN_PAIRS,
    OPERATIONS,
    PROPOSALS,
    SECONDS,
    Pair,
    evaluated,
    evidence_told,
    held_out,
    new_is_a,
    preferred,
)
from apps.learning.rules.gates import closed
from apps.learning.rules.patches import Change, InvalidProposal, Texts
from apps.learning.rules.prompts import COMPARISON_SYSTEM, LIMITS, TUNING_SYSTEM
from apps.learning.rules.states import ACTIVE, CycleReason, CycleState, CycleTrigger
from apps.leases import Lease, LeaseLost, wake_workers

MAX_TOKENS = 2_000
# Between two looks at the run that examines a cycle's text.
LOOK_AGAIN_S = 10


class _Ended(Exception):
    """The cycle applies nothing, for this reason."""

    def __init__(self, state: CycleState, reason: str, examined: Examined | None = None) -> None:
        super().__init__(reason)
        self.state, self.reason, self.examined = state, reason, examined


@transaction.atomic
def tune(*, widget_id: int, assistant: Assistant | None) -> Cycle:
    """Queues a cycle of the assistant. Raises LEARNING_GATE_CLOSED, LEARNING_CYCLE_RUNNING (409)."""
    gate = closed(gates_now(widget_id, assistant))
    if gate is not None or assistant is None:
        raise LEARNING_GATE_CLOSED(gate=gate.name if gate else "target", gate_reason=gate.reason if gate else "")
    return _queue(widget_id, assistant.pk, CycleTrigger.MANUAL)


def _queue(widget_id: int, assistant_id: int, trigger: CycleTrigger, now: datetime | None = None) -> Cycle:
    assistant = Assistant.objects.for_widget(widget_id).get_for_update(pk=assistant_id)
    if Cycle.objects.for_widget(widget_id).filter(assistant_id=assistant_id, state__in=ACTIVE).exists():
        raise LEARNING_CYCLE_RUNNING()
    cycle = Cycle.objects.create(
        widget_id=widget_id,
        assistant_id=assistant_id,
        trigger=trigger,
        base_version=assistant.persona_version,
        queued_at=now or timezone.now(),
        due_at=Now(),
    )
    wake_workers()
    return cycle


def schedule_learning(*, as_of: datetime) -> int:
    """Queues a cycle of each default assistant that may tune itself, had none for a day, and has new evidence since;
    returns how many. Harmless when run twice at once."""
    tuned = (
        AiSettings.objects.unscoped("every widget's rows")
        .filter(enabled=True, autonomous_tuning_enabled=True)
        .order_by("pk")
    )
    return sum(_schedule(widget_id, as_of) for widget_id in tuned.values_list("pk", flat=True))


@transaction.atomic
def _schedule(widget_id: int, as_of: datetime) -> bool:
    assistant = Assistant.objects.for_widget(widget_id).default()
    if assistant is None:
        return False
    assistant = Assistant.objects.for_widget(widget_id).get_for_update(pk=assistant.pk)
    last = Cycle.objects.for_widget(widget_id).filter(assistant_id=assistant.pk).order_by("-queued_at", "-pk").first()
    if last is not None and (last.state in ACTIVE or as_of - last.queued_at < EVERY):
        return False
    if closed(gates_now(widget_id, assistant)) is not None:
        return False
    if len(pairs_of(widget_id, now=as_of, since=last.queued_at if last else None)) < MIN_PAIRS:
        return False
    _queue(widget_id, assistant.pk, CycleTrigger.SCHEDULE, as_of)
    return True


def next_cycle_at(widget_id: int, assistant: Assistant, now: datetime) -> datetime:
    """The earliest moment at which the clock may queue a cycle, if there is evidence."""
    last = Cycle.objects.for_widget(widget_id).filter(assistant_id=assistant.pk).order_by("-queued_at").first()
    return max(now, last.queued_at + EVERY) if last else now


def work(lease: Lease[Cycle]) -> None:
    """Works on the cycle; it is put back while its text is examined."""
    try:
        is_done = _CyclePass(lease).work()
    except _Ended as ended:
        _end(lease, ended.state, ended.reason, ended.examined)
    else:
        if not is_done:
            lease.later(LOOK_AGAIN_S)


def given_up(lease: Lease[Cycle], reason: str) -> None:
    _end(lease, CycleState.FAILED, CycleReason.CRASHED)


@transaction.atomic
def _end(lease: Lease[Cycle], state: CycleState, reason: str = "", examined: Examined | None = None) -> None:
    cycle = lease.row
    cycle.state, cycle.reason, cycle.finished_at, cycle.progress = state, str(reason), timezone.now(), {}
    cycle.save(
        update_fields=["state", "reason", "finished_at", "progress", "evaluation", "version", "summary", "patch"]
    )
    if state == CycleState.REFUSED:
        ids = {"assistant_id": cycle.assistant_id}
        if Assistant.objects.for_widget(cycle.widget_id).filter(pk=cycle.assistant_id).exists():
            told: tuple[str, dict[str, Any]] = (RAIL_REFUSED, {"reason": str(reason)})
            if examined is not None:
                told = (CASES_LOST, {"lost": examined.lost, "of": examined.of})
            alerts.report(cycle.widget_id, "learning_refused", told[0], values=told[1], **ids)
        note_persona(
            cycle.assistant_id,
            widget_id=cycle.widget_id,
            action=PersonaAction.REFUSED,
            actor=SYSTEM,
            from_version=cycle.base_version,
            to_version=cycle.base_version,
            reason=str(reason),
            patch=cycle.patch,
            cycle_id=cycle.pk,
        )
    lease.done()


class _CyclePass:
    """One worker's part of a cycle."""

    def __init__(self, lease: Lease[Cycle]) -> None:
        self._lease, self._cycle = lease, lease.row
        cycle = lease.row
        now = timezone.now()
        cycle.state, cycle.started_at = CycleState.RUNNING, cycle.started_at or now
        left = SECONDS - (now - cycle.started_at) / timedelta(seconds=1)
        self._spent_before = cycle.provider_http_operations
        self._meter = CallBudget(operations=max(0, OPERATIONS - self._spent_before), seconds=max(0.0, left))
        self._assistant = Assistant.objects.for_widget(cycle.widget_id).filter(pk=cycle.assistant_id).first()
        self._keep("state", "started_at")

    def work(self) -> bool:
        """Learns, proposes, tries, has the new text examined, and applies; False while that is under way.

        Raises _Ended, LeaseLost.
        """
        assistant = self._require_open()
        if assistant.persona_version != self._cycle.base_version:
            raise _Ended(CycleState.FAILED, CycleReason.PERSONA_CHANGED)
        before = texts_of(assistant)
        pairs = self._evidence()
        learnt, kept_back = held_out(pairs)
        changes = self._proposal(before, learnt)
        verdict = guard_rails.judged(
            before, changes, evidence=[text for pair in pairs for text in (pair.question, pair.answer)]
        )
        if verdict.breach is not None:
            raise _Ended(CycleState.REFUSED, verdict.breach.rule.value)
        self._try(assistant, verdict.after, kept_back)
        if not self._is_examined(assistant, verdict.after):
            return False
        self._apply(verdict.after)
        return True

    def _keep(self, *fields: str) -> None:
        """Saves what a step came to, while the lease is held. Raises LeaseLost."""
        cycle = self._cycle
        cycle.provider_http_operations = self._spent_before + self._meter.spent
        names = (*fields, "provider_http_operations")
        rows = Cycle.objects.for_widget(cycle.widget_id).filter(pk=cycle.pk, claim_id=self._lease.claim_id)
        if not rows.update(**{name: getattr(cycle, name) for name in names}):
            raise LeaseLost

    def _require_open(self) -> Assistant:
        """The assistant, if no gate is closed. Raises _Ended."""
        assistant = self._assistant
        if closed(gates_now(self._cycle.widget_id, assistant)) is not None or assistant is None:
            raise _Ended(CycleState.FAILED, CycleReason.GATE_CLOSED)
        return assistant

    def _ask(self, system: str, message: str) -> str:
        """A model's words. The gates are asked before, and the operation is counted. Raises _Ended, LeaseLost."""
        self._assistant = (
            Assistant.objects.for_widget(self._cycle.widget_id).filter(pk=self._cycle.assistant_id).first()
        )
        assistant = self._require_open()
        try:
            reply = CHAT_MODEL.complete(
                self._cycle.widget_id,
                purpose="tuning",
                system=system,
                messages=[("user", message)],
                max_tokens=MAX_TOKENS,
                budget=self._meter,
                assistant_id=assistant.pk,
            )
        except (SpentError, BudgetExhausted):
            raise _Ended(CycleState.FAILED, CycleReason.BUDGET_EXHAUSTED) from None
        except (NoModel, ModelFailed):
            raise _Ended(CycleState.FAILED, CycleReason.PROVIDER_FAILURE) from None
        finally:
            self._keep()
        return reply.text

    def _evidence(self) -> Sequence[Pair]:
        progress = self._cycle.progress
        if "pairs" not in progress:
            pairs = pairs_of(self._cycle.widget_id, now=timezone.now())
            progress["pairs"] = [pair._asdict() for pair in pairs]
            self._cycle.evidence = evidence_told(pairs)
            self._keep("progress", "evidence")
        found = [Pair(**pair) for pair in progress["pairs"]]
        if len(found) < MIN_PAIRS:
            raise _Ended(CycleState.NO_CHANGE, CycleReason.TOO_LITTLE_EVIDENCE)
        return found

    def _proposal(self, before: Texts, learnt: Sequence[Pair]) -> list[Change]:
        cycle = self._cycle
        if cycle.patch is not None:
            return patches.load(cycle.patch)
        task = {
            "task": "persona_patch",
            **before._asdict(),
            "examples": [{"question": pair.question, "answer": pair.answer} for pair in learnt],
            "limits": LIMITS,
        }
        for _ in range(PROPOSALS):
            try:
                cycle.summary, changes = patches.proposed(self._ask(TUNING_SYSTEM, _json(task)))
            except InvalidProposal:
                continue
            if not changes:
                raise _Ended(CycleState.NO_CHANGE, CycleReason.NOTHING_PROPOSED)
            cycle.patch = patches.dump(changes)
            self._keep("summary", "patch")
            return changes
        raise _Ended(CycleState.FAILED, CycleReason.INVALID_PROPOSAL)

    def _try(self, assistant: Assistant, after: Texts, kept_back: Sequence[Pair]) -> None:
        """Holds the trial. Raises _Ended where the new text is not better."""
        progress = self._cycle.progress
        results: list[str] = progress.setdefault("results", [])
        for place, pair in enumerate(kept_back):
            if place < len(results):
                continue
            old, new = (self._answer(assistant, texts, pair) for texts in (texts_of(assistant), after))
            a, b = (new, old) if new_is_a(place) else (old, new)
            task = {"task": "answer_comparison", "question": pair.question, "reference": pair.answer, "a": a, "b": b}
            results.append(preferred(self._ask(COMPARISON_SYSTEM, _json(task)), place))
            self._keep("progress")
        evaluation = evaluated(results)
        self._cycle.evaluation = evaluation._asdict()
        if evaluation.worse > evaluation.better:
            raise _Ended(CycleState.NO_CHANGE, CycleReason.NOT_BETTER)

    def _is_examined(self, assistant: Assistant, after: Texts) -> bool:
        """Whether the test questions were asked, if they are to be. Raises _Ended where the new text loses one."""
        if not is_asked(self._cycle.widget_id, assistant.pk):
            return True
        try:
            found = examine_cycle(self._cycle, assistant, after)
        except CycleStopped as stopped:
            raise _Ended(CycleState.FAILED, stopped.reason) from None
        if found is None:
            return False
        if found.lost:
            raise _Ended(CycleState.REFUSED, CycleReason.LOSES_CASES, found)
        return True

    def _answer(self, assistant: Assistant, texts: Texts, pair: Pair) -> str:
        persona = Persona(**texts._asdict(), greeting=assistant.greeting)
        language = language_of(pair.question) or "en"
        system = system_text(persona, canary=secrets.token_hex(8), operators=None, held=None, language=language)
        return self._ask(system, pair.question)

    def _apply(self, after: Texts) -> None:
        cycle = self._cycle
        with transaction.atomic():
            rows = Assistant.objects.for_widget(cycle.widget_id).filter(pk=cycle.assistant_id)
            self._assistant = rows.select_for_update(no_key=True).first()
            assistant = self._require_open()
            if assistant.persona_version != cycle.base_version:
                raise _Ended(CycleState.FAILED, CycleReason.PERSONA_CHANGED)
            made = rewrite(
                assistant,
                after,
                actor=SYSTEM,
                cause=PersonaCause.CYCLE,
                cycle_id=cycle.pk,
                patch=cycle.patch,
                summary=cycle.summary,
            )
            cycle.version = made.version
            begin(assistant, base_version=cycle.base_version, cycle=cycle, at=timezone.now())
            _end(self._lease, CycleState.APPLIED)


def _json(task: dict[str, Any]) -> str:
    return json.dumps(task, ensure_ascii=False)
