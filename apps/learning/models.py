"""Unmet demand, wishes, cycles and probations. Assistants are named by id: these rows outlive them."""

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.formats import date_format
from django.utils.timezone import localtime

from apps import leases
from apps.accounts.models import Widget
from apps.ai.models import Assistant
from apps.cabinet.coded_values import display_value
from apps.chats.models import Chat
from apps.learning.querysets import (
    CycleQuerySet,
    DemandSignalQuerySet,
    DemandTopicQuerySet,
    ProbationQuerySet,
    WishDecisionQuerySet,
    WishQuerySet,
)
from apps.learning.rules.demand import MAX_QUESTION
from apps.learning.rules.states import (
    ACTIVE,
    CycleState,
    CycleTrigger,
    DemandCategory,
    Draft,
    ProbationKind,
    ProbationState,
    WishAction,
    WishStatus,
)


def _choices(*names: str) -> list[tuple[str, str]]:
    return [(str(name), str(name)) for name in names]


class DemandTopic(models.Model):
    """Occurrences that are worded alike, named by the first question. `folded` is its words, as they are compared."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    category = models.CharField(max_length=16, choices=_choices(*DemandCategory))
    topic = models.CharField(max_length=MAX_QUESTION)
    folded = models.CharField(max_length=2 * MAX_QUESTION)
    last_seen_at = models.DateTimeField()

    objects = DemandTopicQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["widget", "category", "folded"], name="learning_topic_same"),
            GinIndex(
                F("widget"),
                F("category"),
                OpClass(F("folded"), name="gin_trgm_ops"),
                name="learning_topic_alike",
            ),
        ]

    def __str__(self) -> str:
        return self.topic


class DemandSignal(models.Model):
    """One occurrence: a visitor asked for something, and did not get it. `burst_id` is a message; it counts once."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    topic = models.ForeignKey(DemandTopic, models.CASCADE, related_name="signals")
    category = models.CharField(max_length=16, choices=_choices(*DemandCategory))
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+", db_index=False)
    burst_id = models.BigIntegerField()
    question = models.CharField(max_length=MAX_QUESTION)
    at = models.DateTimeField(db_default=Now())

    objects = DemandSignalQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["chat", "category", "burst_id"], name="learning_signal_once"),
        ]
        indexes = [
            models.Index(fields=["widget", "at"], include=["topic", "category", "chat"], name="learning_signal_window"),
            models.Index(fields=["topic", "-at", "-id"], name="learning_signal_of_topic"),
            models.Index(fields=["at"], name="learning_signal_old"),
        ]

    def __str__(self) -> str:
        return self.question


class Wish(leases.Leased):
    """A person's wish for another behaviour of an assistant. Due while a model is to draft its patch.

    `patch` is the draft's, of the version `draft_base`; `base_version` and `version` are those that an approval
    rewrote and made.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    assistant_id = models.BigIntegerField()
    text = models.TextField()
    chat_id = models.BigIntegerField(null=True)
    status = models.CharField(
        max_length=16,
        choices=_choices(*WishStatus),
        db_default=WishStatus.SUBMITTED.value,
        default=WishStatus.SUBMITTED.value,
    )
    draft = models.CharField(
        max_length=8, choices=_choices(*Draft), db_default=Draft.NONE.value, default=Draft.NONE.value
    )
    patch = models.JSONField(null=True)
    summary = models.TextField(blank=True, db_default="", default="")
    draft_base = models.PositiveIntegerField(null=True)
    author = models.JSONField()
    version = models.PositiveIntegerField(null=True)
    base_version = models.PositiveIntegerField(null=True)
    applied_patch = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = WishQuerySet.as_manager()

    class Meta:
        verbose_name = "wish"
        verbose_name_plural = "wishes"
        indexes = [
            *leases.indexes("learning_wish"),
            models.Index(fields=["widget", "-created_at", "-id"], name="learning_wish_list"),
            models.Index(fields=["widget", "status", "-created_at", "-id"], name="learning_wish_by_status"),
            models.Index(fields=["widget", "assistant_id", "-created_at", "-id"], name="learning_wish_by_assistant"),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class WishDecision(models.Model):
    """A step of a wish, in order."""

    wish = models.ForeignKey(Wish, models.CASCADE, related_name="decisions")
    at = models.DateTimeField(db_default=Now())
    action = models.CharField(max_length=16, choices=_choices(*WishAction))
    actor = models.JSONField()
    version = models.PositiveIntegerField(null=True)
    reason = models.TextField(blank=True, db_default="", default="")

    objects = WishDecisionQuerySet.as_manager()

    def __str__(self) -> str:
        return self.action


class Cycle(leases.Leased):
    """One attempt to tune an assistant by what people answered. `progress` is what a lost worker had done already."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    assistant_id = models.BigIntegerField()
    trigger = models.CharField(max_length=8, choices=_choices(*CycleTrigger))
    state = models.CharField(
        max_length=16,
        choices=_choices(*CycleState),
        db_default=CycleState.QUEUED.value,
        default=CycleState.QUEUED.value,
    )
    reason = models.CharField(max_length=32, blank=True, db_default="", default="")
    base_version = models.PositiveIntegerField()
    version = models.PositiveIntegerField(null=True)
    summary = models.TextField(blank=True, db_default="", default="")
    patch = models.JSONField(null=True)
    evidence = models.JSONField(default=dict)
    evaluation = models.JSONField(null=True)
    progress = models.JSONField(default=dict)
    provider_http_operations = models.PositiveIntegerField(db_default=0, default=0)
    queued_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = CycleQuerySet.as_manager()

    class Meta:
        verbose_name = "tuning cycle"
        verbose_name_plural = "tuning cycles"
        constraints = [
            models.UniqueConstraint(
                fields=["assistant_id"], condition=Q(state__in=[*ACTIVE]), name="learning_cycle_one_active"
            )
        ]
        indexes = [
            *leases.indexes("learning_cycle"),
            models.Index(
                fields=["widget", "-queued_at", "-id"],
                condition=Q(version__isnull=False),
                name="learning_cycle_applied",
            ),
            models.Index(fields=["assistant_id", "-queued_at", "-id"], name="learning_cycle_of"),
        ]

    def __str__(self) -> str:
        return f"{display_value(self.state)}, {date_format(localtime(self.queued_at), 'SHORT_DATETIME_FORMAT')}"


class Probation(models.Model):
    """Whether a new text does no worse than the one before. One at a time runs of an assistant."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    assistant_id = models.BigIntegerField()
    state = models.CharField(
        max_length=12,
        choices=_choices(*ProbationState),
        db_default=ProbationState.RUNNING.value,
        default=ProbationState.RUNNING.value,
    )
    kind = models.CharField(max_length=8, choices=_choices(*ProbationKind))
    wish = models.ForeignKey(Wish, models.CASCADE, null=True, related_name="probations")
    cycle = models.ForeignKey(Cycle, models.CASCADE, null=True, related_name="probations")
    version = models.PositiveIntegerField()
    base_version = models.PositiveIntegerField()
    started_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    baseline = models.JSONField()
    current = models.JSONField()

    objects = ProbationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assistant_id"], condition=Q(state="running"), name="learning_probation_one_running"
            )
        ]
        indexes = [
            models.Index(fields=["id"], condition=Q(state="running"), name="learning_probation_running"),
            models.Index(fields=["widget", "assistant_id", "-id"], name="learning_probation_of"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"


class LearningSwitch(models.Model):
    """The platform's gate: one row, or none, which is open."""

    is_on = models.BooleanField(default=True)
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        verbose_name = "learning switch"
        verbose_name_plural = "learning switch"
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="learning_switch_is_one")]

    def __str__(self) -> str:
        return "on" if self.is_on else "off"


class TunedAssistant(Assistant):
    """An assistant, as the page of its tuning shows it. A row of `ai`."""

    class Meta:
        proxy = True
        verbose_name = "tuning of an assistant"
        verbose_name_plural = "tuning of assistants"
