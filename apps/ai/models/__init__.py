"""The models of a widget's AI: settings, assistants with their versions, credentials, alerts, and usage."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.models.external import ExternalOperator as ExternalOperator
from apps.ai.models.external import OperatorEvent as OperatorEvent
from apps.ai.models.external import OperatorHealth as OperatorHealth
from apps.ai.models.external import OperatorMove as OperatorMove
from apps.ai.models.external import ProbeTest as ProbeTest
from apps.ai.models.external import ReplyToken as ReplyToken
from apps.ai.models.external import Turn as Turn
from apps.ai.models.replies import Conversation as Conversation
from apps.ai.models.replies import ReplyJob as ReplyJob
from apps.ai.querysets import (
    AiSettingsQuerySet,
    AlertQuerySet,
    AssistantQuerySet,
    CredentialQuerySet,
    DetachedTestQuerySet,
    ExchangeQuerySet,
    OperatorQuerySet,
    PersonaHistoryQuerySet,
    PersonaVersionQuerySet,
    UsageQuerySet,
)
from apps.ai.rules.configuration import (
    DEFAULT_TAKEOVER_S,
    MAX_BASE_URL,
    MAX_MODEL,
    MAX_NAME,
    AlertCode,
    OfflineOutcomeMode,
    PersonaAction,
    PersonaCause,
    Severity,
)
from apps.chats.models import Chat
from apps.core.database.fields import EncryptedTextField


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


class Credential(models.Model):
    """A key to a vendor's models: the widget's, or one assistant's, or one operator's alone.

    `base_url` is as it was given; `target` is the spelling that is called.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="ai_credentials", db_index=False)
    provider = models.CharField(max_length=32)
    api_key = EncryptedTextField()
    base_url = models.CharField(max_length=MAX_BASE_URL, blank=True, db_default="", default="")
    target = models.CharField(max_length=MAX_BASE_URL, blank=True, db_default="", default="", editable=False)
    model = models.CharField(max_length=MAX_MODEL, blank=True, db_default="", default="")
    signing_secret = EncryptedTextField(null=True, blank=True)
    is_active = models.BooleanField(db_default=True, default=True)
    assistant = models.ForeignKey(Assistant, models.CASCADE, null=True, blank=True, related_name="credentials")
    operator = models.ForeignKey(Agent, models.CASCADE, null=True, blank=True, related_name="ai_credentials")
    backup = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="backed_up")
    # What embeds with it, once that was found out; and until when it is known that nothing does.
    embedding_model = models.CharField(max_length=MAX_MODEL, blank=True, db_default="", default="", editable=False)
    embeds_nothing_until = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = CredentialQuerySet.as_manager()

    class Meta:
        verbose_name = "credential"
        verbose_name_plural = "credentials"
        indexes = [models.Index(fields=["widget", "-created_at", "-id"], name="ai_credential_list")]
        constraints = [
            models.CheckConstraint(
                condition=Q(assistant__isnull=True) | Q(operator__isnull=True), name="ai_credential_one_owner"
            )
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.pk}"


class Alert(models.Model):
    """Something that its owner should look at. A repetition of an open one raises `occurrences`."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="ai_alerts", db_index=False)
    code = models.CharField(max_length=40, choices=[(code.value, code.value) for code in AlertCode])
    severity = models.CharField(max_length=16, choices=[(one.value, one.value) for one in Severity])
    message = models.TextField()
    assistant = models.ForeignKey(Assistant, models.SET_NULL, null=True, blank=True, related_name="+")
    operator = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+")
    credential = models.ForeignKey(Credential, models.SET_NULL, null=True, blank=True, related_name="+")
    chat_id = models.BigIntegerField(null=True, blank=True)
    occurrences = models.PositiveIntegerField(db_default=1, default=1)
    first_at = models.DateTimeField(db_default=Now())
    last_at = models.DateTimeField(db_default=Now())
    acknowledged_at = models.DateTimeField(null=True, blank=True)

    objects = AlertQuerySet.as_manager()

    class Meta:
        verbose_name = "alert"
        verbose_name_plural = "alerts"
        constraints = [
            models.UniqueConstraint(
                fields=["widget", "code", "assistant", "operator", "credential"],
                condition=Q(acknowledged_at__isnull=True),
                nulls_distinct=False,
                name="ai_alert_one_open",
            )
        ]
        indexes = [
            models.Index(fields=["widget", "-first_at", "-id"], name="ai_alert_list"),
            models.Index(
                fields=["widget", "-first_at", "-id"], condition=Q(acknowledged_at__isnull=True), name="ai_alert_open"
            ),
        ]

    def __str__(self) -> str:
        return self.code


class Usage(models.Model):
    """One HTTP operation at a vendor, failed ones too."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    assistant = models.ForeignKey(Assistant, models.SET_NULL, null=True, related_name="+", db_index=False)
    operator_id = models.BigIntegerField(null=True)
    credential = models.ForeignKey(Credential, models.SET_NULL, null=True, related_name="+")
    chat_id = models.BigIntegerField(null=True)
    purpose = models.CharField(max_length=16)
    model = models.CharField(max_length=MAX_MODEL)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    # What it counts with against the day's budget besides: while it is under way, and where no tokens were told.
    reserved_tokens = models.PositiveIntegerField(db_default=0, default=0)
    latency_ms = models.PositiveIntegerField()
    outcome = models.CharField(max_length=24)
    at = models.DateTimeField(db_default=Now())

    objects = UsageQuerySet.as_manager()

    class Meta:
        verbose_name = "use of a model"
        verbose_name_plural = "uses of models"
        indexes = [
            models.Index(fields=["widget", "at"], name="ai_usage_widget"),
            models.Index(fields=["assistant", "at"], name="ai_usage_assistant"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.model}"


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


class Exchange(models.Model):
    """One burst and what the AI side made of it. Question and answer are redacted; no personal data of them is kept."""

    class Outcome(models.TextChoices):
        SHOWN = "shown"
        DROPPED = "dropped"
        SHADOW = "shadow"

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    assistant = models.ForeignKey(Assistant, models.SET_NULL, null=True, related_name="+")
    operator_id = models.BigIntegerField(null=True)
    persona_version = models.PositiveIntegerField(null=True)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+")
    first_message_id = models.BigIntegerField()
    last_message_id = models.BigIntegerField()
    answer_message_id = models.BigIntegerField(null=True)
    question = models.TextField()
    answer = models.TextField(blank=True)
    language = models.CharField(max_length=8)
    way = models.CharField(max_length=16)
    transformation = models.CharField(max_length=32)
    classifier = models.CharField(max_length=16)
    reason = models.CharField(max_length=32, blank=True, db_default="", default="")
    rag_status = models.CharField(max_length=16)
    chunk_ids = ArrayField(models.BigIntegerField(), blank=True, db_default=[], default=list)
    sources = models.JSONField(blank=True, db_default=[], default=list)
    outcome = models.CharField(max_length=8, choices=Outcome.choices)
    model = models.CharField(max_length=MAX_MODEL, blank=True, db_default="", default="")
    operations = models.PositiveSmallIntegerField(db_default=0, default=0)
    prompt_tokens = models.PositiveIntegerField(db_default=0, default=0)
    completion_tokens = models.PositiveIntegerField(db_default=0, default=0)
    at = models.DateTimeField(db_default=Now())

    objects = ExchangeQuerySet.as_manager()

    class Meta:
        verbose_name = "exchange"
        verbose_name_plural = "exchanges"
        indexes = [
            models.Index(fields=["widget", "-at", "-id"], name="ai_exchange_list"),
            models.Index(fields=["at"], name="ai_exchange_old"),
            models.Index(
                fields=["assistant", "persona_version", "at"],
                condition=Q(outcome="shown"),
                name="ai_exchange_by_version",
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.chat_id} {self.transformation}"
