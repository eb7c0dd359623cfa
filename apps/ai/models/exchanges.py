"""The log of what visitors asked and AI answered, and what visitors thought of the answers."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.ai.models.assistants import Assistant
from apps.ai.querysets import AnswerFeedbackQuerySet, ExchangeQuerySet
from apps.ai.rules.configuration import MAX_MODEL
from apps.chats.models import Chat


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
    # Facts that stood nowhere: their sentences were taken out of the answer. Redacted as the answer is.
    facts_removed = ArrayField(models.TextField(), blank=True, db_default=[], default=list)
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


class AnswerFeedback(models.Model):
    """A visitor's thumb under a machine's message, up or down.

    `exchange` is the answer's, None for an external operator's message; the thumb goes with it, or with the chat.
    """

    message_id = models.BigIntegerField(primary_key=True)
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+")
    exchange = models.ForeignKey(Exchange, models.CASCADE, null=True, related_name="+")
    helpful = models.BooleanField()
    at = models.DateTimeField(db_default=Now())

    objects = AnswerFeedbackQuerySet.as_manager()

    class Meta:
        verbose_name = "feedback on an answer"
        verbose_name_plural = "feedback on answers"
        indexes = [
            models.Index(fields=["widget", "-at"], name="ai_feedback_list"),
            models.Index(fields=["at"], name="ai_feedback_old"),
        ]

    def __str__(self) -> str:
        return f"#{self.message_id}: {'helpful' if self.helpful else 'not helpful'}"
