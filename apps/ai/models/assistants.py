"""Assistants with their versions, the AI settings, and the operators in whose name they answer."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.querysets import (
    AiSettingsQuerySet,
    AssistantQuerySet,
    DetachedTestQuerySet,
    OperatorQuerySet,
    PersonaHistoryQuerySet,
    PersonaVersionQuerySet,
)
from apps.ai.rules.configuration import (
    DEFAULT_MINUTES_PER_REPLY,
    DEFAULT_TAKEOVER_S,
    MAX_MODEL,
    MAX_NAME,
    OfflineOutcomeMode,
    PersonaAction,
    PersonaCause,
)
from apps.ai.rules.evaluations import EvaluationGate
from apps.ai.rules.phrases import MAX_PHRASE


class Assistant(models.Model):
    """A brain: what an AI operator says and how. A widget has one default assistant."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="assistants", db_index=False)
    name = models.CharField(max_length=MAX_NAME)
    enabled = models.BooleanField(db_default=True, default=True)
    is_default = models.BooleanField(db_default=False, default=False)
    persona = models.TextField(blank=True, db_default="", default="")
    system_prompt = models.TextField(blank=True, db_default="", default="")
    temperature = models.FloatField(null=True, blank=True)
    rag_enabled = models.BooleanField(db_default=True, default=True)
    escalation_triggers = ArrayField(models.TextField(), blank=True, db_default=[], default=list)
    greeting = models.TextField(blank=True, db_default="", default="")
    greeting_i18n = models.JSONField(blank=True, db_default={}, default=dict)
    quick_phrases = ArrayField(models.TextField(), blank=True, db_default=[], default=list)
    quick_phrases_i18n = models.JSONField(blank=True, db_default={}, default=dict)
    provider = models.CharField(max_length=32, blank=True, db_default="", default="")
    model = models.CharField(max_length=MAX_MODEL, blank=True, db_default="", default="")
    # Which version of persona and system prompt is live: the highest.
    persona_version = models.PositiveIntegerField(db_default=1, default=1, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = AssistantQuerySet.as_manager()

    class Meta:
        verbose_name = "assistant"
        verbose_name_plural = "assistants"
        constraints = [
            models.UniqueConstraint(fields=["widget"], condition=Q(is_default=True), name="ai_assistant_one_default")
        ]
        indexes = [models.Index(fields=["widget", "-created_at", "-id"], name="ai_assistant_list")]

    def __str__(self) -> str:
        return self.name


class AiSettings(models.Model):
    """The switches of a widget's AI. A widget without a row has the defaults."""

    widget = models.OneToOneField(Widget, models.CASCADE, primary_key=True, related_name="ai_settings")
    enabled = models.BooleanField(db_default=False, default=False)
    # What was written before belongs to people.
    enabled_since = models.DateTimeField(null=True, blank=True, editable=False)
    rag_enabled = models.BooleanField(db_default=True, default=True)
    shadow_mode = models.BooleanField(db_default=False, default=False)
    autonomous_tuning_enabled = models.BooleanField(db_default=False, default=False)
    presence_context_enabled = models.BooleanField(db_default=True, default=True)
    external_operators_enabled = models.BooleanField(db_default=True, default=True)
    takeover_timeout_sec = models.PositiveIntegerField(db_default=DEFAULT_TAKEOVER_S, default=DEFAULT_TAKEOVER_S)
    offline_outcome_mode = models.CharField(
        "when nobody is there",
        max_length=16,
        choices=[
            (OfflineOutcomeMode.HANDOVER.value, "hand over all the same"),
            (OfflineOutcomeMode.ANSWER_ONLY.value, "show the assistant's text, if there is one"),
        ],
        db_default=OfflineOutcomeMode.HANDOVER.value,
        default=OfflineOutcomeMode.HANDOVER.value,
    )
    evaluation_gate = models.CharField(
        "a change that loses a test question",
        max_length=8,
        choices=[(gate.value, gate.value) for gate in EvaluationGate],
        db_default=EvaluationGate.ASK.value,
        default=EvaluationGate.ASK.value,
    )
    minutes_per_reply = models.PositiveSmallIntegerField(
        "minutes that an answer saves", db_default=DEFAULT_MINUTES_PER_REPLY, default=DEFAULT_MINUTES_PER_REPLY
    )
    legacy_persona = models.TextField("persona of before", blank=True, db_default="", default="")
    # What `migrate` made of the legacy persona: made once, also if it was deleted since.
    migrated_assistant = models.ForeignKey(
        Assistant, models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    is_migrated = models.BooleanField(db_default=False, default=False, editable=False)
    daily_token_budget = models.PositiveBigIntegerField(
        "tokens a day",
        null=True,
        blank=True,
        help_text="Beyond them no model is asked, and chats are handed over. Empty: the installation's limit; 0: none.",
    )
    link_hosts = ArrayField(
        models.CharField(max_length=253),
        blank=True,
        db_default=[],
        default=list,
        help_text="Answers may link to any page of them, and of the site's own.",
    )
    # The sentence before the first message of a machine. Blank is the default's: it can be worded, but not taken away.
    ai_disclosure = models.CharField(max_length=MAX_PHRASE, blank=True, db_default="", default="")
    ai_disclosure_i18n = models.JSONField(blank=True, db_default={}, default=dict)
    # Overrides of phrases: {key: {language: text}}.
    phrases = models.JSONField(blank=True, db_default={}, default=dict, editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = AiSettingsQuerySet.as_manager()

    class Meta:
        verbose_name = "AI settings"
        verbose_name_plural = "AI settings"

    def __str__(self) -> str:
        return str(self.widget)


class AiOperator(Agent):
    """An AI operator: the identity that an assistant's replies are attributed to. A row of `agents`."""

    objects = OperatorQuerySet.as_manager()  # type: ignore[assignment,misc]

    class Meta:
        proxy = True
        verbose_name = "AI operator"
        verbose_name_plural = "AI operators"


class PersonaVersion(models.Model):
    """A former `persona` and `system_prompt` of an assistant: never changed, and deleted with the assistant."""

    assistant = models.ForeignKey(Assistant, models.CASCADE, related_name="versions", db_index=False)
    version = models.PositiveIntegerField()
    cause = models.CharField(max_length=16, choices=[(cause.value, cause.value) for cause in PersonaCause])
    persona = models.TextField(blank=True)
    system_prompt = models.TextField(blank=True)
    summary = models.TextField(blank=True, db_default="", default="")
    restores = models.PositiveIntegerField(null=True)
    patch = models.JSONField(null=True)
    wish_id = models.BigIntegerField(null=True)
    cycle_id = models.BigIntegerField(null=True)
    actor = models.JSONField()
    created_at = models.DateTimeField(db_default=Now())

    objects = PersonaVersionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["assistant", "version"], name="ai_personaversion_once")]

    def __str__(self) -> str:
        return f"{self.assistant_id} v{self.version}"


class PersonaHistory(models.Model):
    """A change of an assistant's text, its author and reason: append-only (`triggers.sql`), and it outlives the
    assistant.
    """

    # The database deletes these rows with the widget (migration 0001): the trigger lets nobody else do it.
    widget = models.ForeignKey(Widget, models.DO_NOTHING, related_name="+", db_index=False, db_constraint=False)
    assistant_id = models.BigIntegerField()
    action = models.CharField(max_length=16, choices=[(action.value, action.value) for action in PersonaAction])
    from_version = models.PositiveIntegerField(null=True)
    to_version = models.PositiveIntegerField()
    actor = models.JSONField()
    patch = models.JSONField(null=True)
    wish_id = models.BigIntegerField(null=True)
    cycle_id = models.BigIntegerField(null=True)
    reason = models.TextField(blank=True, db_default="", default="")
    metrics = models.JSONField(null=True)
    at = models.DateTimeField(db_default=Now())

    objects = PersonaHistoryQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["widget", "-at", "-id"], name="ai_personahistory_list"),
            models.Index(fields=["widget", "assistant_id", "-at", "-id"], name="ai_personahistory_of"),
        ]

    def __str__(self) -> str:
        return f"{self.assistant_id} {self.action}"


class DetachedTest(models.Model):
    """The one detached test of a widget that may be under way: held until it ends, or until then."""

    widget = models.OneToOneField(Widget, models.CASCADE, primary_key=True, related_name="+")
    lease_until = models.DateTimeField()

    objects = DetachedTestQuerySet.as_manager()

    def __str__(self) -> str:
        return str(self.widget_id)
