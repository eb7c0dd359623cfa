"""An owner's own test set: the cases, the runs against an assistant, the result of each case; and single questions."""

from collections.abc import Iterable

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps import leases
from apps.accounts.models import Widget
from apps.ai.models.assistants import Assistant
from apps.ai.querysets import EvaluationCaseQuerySet, EvaluationResultQuerySet, EvaluationRunQuerySet, TrialQuerySet
from apps.ai.rules.configuration import MAX_MODEL
from apps.ai.rules.evaluations import (
    ACTIVE,
    MAX_SOURCE,
    MAX_TEXT,
    CaseChange,
    CaseOrigin,
    CaseOutcome,
    EvaluationState,
    RunCause,
    StopReason,
    Verdict,
)


def _choices(values: Iterable[str]) -> list[tuple[str, str]]:
    return [(str(value), str(value)) for value in values]


class EvaluationCase(models.Model):
    """A question with the checks of its answer. Without an assistant it is asked of every one.

    `language`: that of the answer, where it counts; `sources`: titles or addresses that it must rest on; `judge`: a
    criterion that a model judges, once all else holds. `born_from`, and for a case of a chat where it was asked.
    `piece` is the knowledge that the question was made of, and `piece_ref` the source of that; empty where a person
    asks.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    assistant = models.ForeignKey(Assistant, models.CASCADE, null=True, blank=True, related_name="+")
    question = models.TextField()
    expects = models.CharField(
        max_length=8,
        choices=_choices(CaseOutcome),
        db_default=CaseOutcome.ANSWER.value,
        default=CaseOutcome.ANSWER.value,
    )
    must = ArrayField(models.CharField(max_length=MAX_TEXT), blank=True, db_default=[], default=list)
    must_not = ArrayField(models.CharField(max_length=MAX_TEXT), blank=True, db_default=[], default=list)
    language = models.CharField(max_length=8, blank=True, db_default="", default="")
    sources = ArrayField(models.CharField(max_length=MAX_SOURCE), blank=True, db_default=[], default=list)
    judge = models.TextField(blank=True, db_default="", default="")
    is_active = models.BooleanField(db_default=True, default=True)
    born_from = models.CharField(
        max_length=8,
        choices=_choices(CaseOrigin),
        db_default=CaseOrigin.HAND.value,
        default=CaseOrigin.HAND.value,
        editable=False,
    )
    born_chat_id = models.BigIntegerField(null=True, editable=False)
    born_message_id = models.BigIntegerField(null=True, editable=False)
    piece = models.TextField(blank=True, db_default="", default="", editable=False)
    piece_ref = models.TextField(blank=True, db_default="", default="", editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = EvaluationCaseQuerySet.as_manager()

    class Meta:
        verbose_name = "evaluation case"
        verbose_name_plural = "evaluation cases"
        indexes = [models.Index(fields=["widget", "id"], name="ai_evalcase_list")]

    def __str__(self) -> str:
        return self.question[:80]


class EvaluationRun(leases.Leased):
    """One run of the cases against an assistant, a queue's row. Results stay, so a lost worker's cases are not asked
    again. `previous` is the finished run that it is compared with. `draft` are the fields of the assistant that are
    asked in place of its own, and are not live; `persona_version` and `knowledge` say which others there were.
    `wish_id`: the wish whose approval would store the draft."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    assistant = models.ForeignKey(Assistant, models.CASCADE, related_name="+", db_index=False)
    previous = models.ForeignKey("self", models.SET_NULL, null=True, related_name="+")
    state = models.CharField(
        max_length=8,
        choices=_choices(EvaluationState),
        db_default=EvaluationState.QUEUED.value,
        default=EvaluationState.QUEUED.value,
    )
    reason = models.CharField(max_length=24, choices=_choices(StopReason), blank=True, db_default="", default="")
    cause = models.CharField(
        max_length=12, choices=_choices(RunCause), db_default=RunCause.PERSON.value, default=RunCause.PERSON.value
    )
    draft = models.JSONField(null=True)
    wish_id = models.BigIntegerField(null=True)
    knowledge = models.CharField(max_length=64, blank=True, db_default="", default="")
    model = models.CharField(max_length=MAX_MODEL, blank=True, db_default="", default="")
    persona_version = models.PositiveIntegerField(null=True)
    cases = models.PositiveSmallIntegerField(db_default=0, default=0)
    queued_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True)

    objects = EvaluationRunQuerySet.as_manager()

    class Meta:
        verbose_name = "evaluation"
        verbose_name_plural = "evaluations"
        constraints = [
            models.UniqueConstraint(
                fields=["assistant"],
                condition=Q(state__in=[state.value for state in ACTIVE]),
                name="ai_evalrun_one_active",
            )
        ]
        indexes = [
            *leases.indexes("ai_evalrun"),
            models.Index(fields=["widget", "-id"], name="ai_evalrun_list"),
            models.Index(fields=["assistant", "-id"], name="ai_evalrun_of"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"


class EvaluationResult(models.Model):
    """The result of one case. `faults` are `[kind, text]`; question and expectation are as they were then. `checks`:
    each check in its order, with whether it holds; `[]` in results of before.
    `grounds`: the pieces under the answer, and the text where the question is from; `{}` in results of before."""

    run = models.ForeignKey(EvaluationRun, models.CASCADE, related_name="results")
    case_id = models.BigIntegerField()
    question = models.TextField()
    expects = models.CharField(max_length=8, choices=_choices(CaseOutcome))
    outcome = models.CharField(max_length=8, choices=_choices(CaseOutcome), blank=True, db_default="", default="")
    verdict = models.CharField(max_length=8, choices=_choices(Verdict))
    change = models.CharField(max_length=8, choices=_choices(CaseChange))
    faults = models.JSONField(blank=True, db_default=[], default=list)
    checks = models.JSONField(blank=True, db_default=[], default=list)
    answer = models.TextField(blank=True)
    grounds = models.JSONField(blank=True, db_default={}, default=dict)
    reason = models.CharField(max_length=32, blank=True, db_default="", default="")
    language = models.CharField(max_length=8, blank=True, db_default="", default="")
    rag_status = models.CharField(max_length=16, blank=True, db_default="", default="")
    operations = models.PositiveSmallIntegerField(db_default=0, default=0)
    prompt_tokens = models.PositiveIntegerField(db_default=0, default=0)
    completion_tokens = models.PositiveIntegerField(db_default=0, default=0)
    seconds = models.FloatField(db_default=0.0, default=0.0)

    objects = EvaluationResultQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "case_id"], name="ai_evalresult_once")]

    def __str__(self) -> str:
        return f"{self.verdict}: {self.question[:80]}"


class Trial(leases.Leased):
    """A question that somebody asks an assistant in the cabinet, a queue's row. `most_s`: how long it may take."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    assistant = models.ForeignKey(Assistant, models.CASCADE, related_name="+", db_index=False)
    question = models.TextField()
    locale = models.CharField(max_length=8, blank=True, db_default="", default="")
    operators = models.CharField(max_length=8, blank=True, db_default="", default="")
    most_s = models.PositiveSmallIntegerField()
    result = models.JSONField(null=True)
    refusal = models.JSONField(null=True)
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    ended_at = models.DateTimeField(null=True)

    objects = TrialQuerySet.as_manager()

    class Meta:
        indexes = [
            *leases.indexes("ai_trial"),
            models.Index(fields=["assistant", "-id"], name="ai_trial_of"),
        ]

    def __str__(self) -> str:
        return self.question[:80]
