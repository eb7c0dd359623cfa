"""Jobs that ask a model for an operator, summaries of chats, the owner's tools, and answers of people."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from pgvector.django import HalfVectorField

from apps import leases
from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.assists.querysets import AssistQuerySet
from apps.assists.rules.kinds import IN_FLIGHT, MAX_LANGUAGE, AssistKind, AssistOutcome, AssistState
from apps.chats.models import Chat
from apps.core.database.fields import EncryptedTextField
from apps.core.database.tenants import TenantQuerySet


def _named(names: type[AssistKind] | type[AssistState] | type[AssistOutcome]) -> list[tuple[str, str]]:
    return [(one.value, one.value) for one in names]


class Assist(leases.Leased):
    """One wish of an operator, or of the product for one (`is_automatic`), and what a model made of it.

    `asked` and `result` are JSON, and are forgotten after a day; `question`, `answer` and `sent` are redacted and stay.
    Without an agent it is everybody's at the widget: a summary that nobody asked for. `version` grows with changes.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+")
    agent = models.ForeignKey(Agent, models.CASCADE, null=True, related_name="+", db_index=False)
    client_id = models.UUIDField()
    kind = models.CharField(max_length=16, choices=_named(AssistKind))
    tool = models.CharField(max_length=32, blank=True, db_default="", default="")
    is_automatic = models.BooleanField(db_default=False, default=False)
    state = models.CharField(
        max_length=8, choices=_named(AssistState), db_default=AssistState.QUEUED.value, default=AssistState.QUEUED.value
    )
    asked = EncryptedTextField(blank=True, default="")
    result = EncryptedTextField(blank=True, default="")
    language = models.CharField(max_length=MAX_LANGUAGE, blank=True, db_default="", default="")
    based_on = models.BigIntegerField(db_default=0, default=0)
    reason = models.CharField(max_length=32, blank=True, db_default="", default="")
    outcome = models.CharField(max_length=16, choices=_named(AssistOutcome), blank=True, db_default="", default="")
    distance = models.FloatField(null=True)
    helpful = models.BooleanField(null=True)
    comment = models.TextField(blank=True, db_default="", default="")
    question = models.TextField(blank=True, db_default="", default="")
    answer = models.TextField(blank=True, db_default="", default="")
    sent = models.TextField(blank=True, db_default="", default="")
    sent_message_id = models.BigIntegerField(null=True)
    is_redacted = models.BooleanField(db_default=False, default=False)
    version = models.PositiveIntegerField(db_default=0, default=0)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)
    finished_at = models.DateTimeField(null=True)

    objects = AssistQuerySet.as_manager()

    class Meta:
        verbose_name = "draft"
        verbose_name_plural = "drafts"
        constraints = [
            models.UniqueConstraint(fields=["agent", "client_id"], name="assists_assist_once", nulls_distinct=True)
        ]
        indexes = [
            *leases.indexes("assists_assist"),
            models.Index(
                fields=["agent"],
                condition=Q(state__in=[str(state) for state in IN_FLIGHT]),
                name="assists_assist_flight",
            ),
            models.Index(fields=["agent", "-updated_at"], name="assists_assist_news"),
            models.Index(fields=["widget", "-created_at", "-id"], name="assists_assist_list"),
            models.Index(fields=["created_at"], name="assists_assist_old"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk} {self.kind}"


class PastQuestion(models.Model):
    """The vector of a visitor's question that a person answered in `message_id`, by the model `space` names.

    Made when a draft first looks for answers; `digest` is of the question, redacted. No constraint to the message: one
    that goes is not looked for any more, and its row goes with the chat.
    """

    message_id = models.BigIntegerField(primary_key=True)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+")
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    digest = models.BinaryField(max_length=32)
    space = models.CharField(max_length=32, db_collation="C")
    dimension = models.PositiveSmallIntegerField()
    vector = HalfVectorField()

    objects = TenantQuerySet["PastQuestion"].as_manager()

    def __str__(self) -> str:
        return f"#{self.message_id}"


class ChatSummary(models.Model):
    """The newest summary of a chat, up to `up_to_message_id`."""

    chat = models.OneToOneField(Chat, models.CASCADE, primary_key=True, related_name="+")
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    assist_id = models.BigIntegerField(db_default=0, default=0)
    wants = models.TextField()
    done = models.TextField(blank=True, db_default="", default="")
    open = models.JSONField(db_default=[], default=list)
    promised = models.JSONField(db_default=[], default=list)
    tags = models.JSONField(db_default=[], default=list)
    language = models.CharField(max_length=MAX_LANGUAGE)
    up_to_message_id = models.BigIntegerField()
    at = models.DateTimeField(db_default=Now())

    objects = TenantQuerySet["ChatSummary"].as_manager()

    class Meta:
        verbose_name = "summary"
        verbose_name_plural = "summaries"

    def __str__(self) -> str:
        return f"#{self.pk}"


class TranslationJob(leases.Leased):
    """The job of translating what waits in a chat (`chats.rules.translations`): one row a chat."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.OneToOneField(Chat, models.CASCADE, related_name="+")

    objects = TenantQuerySet["TranslationJob"].as_manager()

    class Meta:
        indexes = leases.indexes("assists_translation")

    def __str__(self) -> str:
        return f"#{self.chat_id}"


class OwnTool(models.Model):
    """A tool of the owner's: what is made of a text, in their words. `names` are by language."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+")
    names = models.JSONField(default=dict)
    instruction = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["OwnTool"].as_manager()

    class Meta:
        verbose_name = "tool for texts"
        verbose_name_plural = "tools for texts"

    def __str__(self) -> str:
        return self.name_in("")

    def name_in(self, language: str) -> str:
        """Its name in that language, else in the first that it has."""
        return str(self.names.get(language) or next(iter(self.names.values()), f"#{self.pk}"))
