"""The questions before a chat, the answers to them, and the consents of contacts."""

from django.db import models
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.chats.models import Chat, Contact
from apps.core.database.fields import JsonNumbers
from apps.core.database.tenants import TenantQuerySet
from apps.widget.rules.questions import MAX_KEY


class QuestionSet(models.Model):
    """The questions of a widget, in their order (`rules.questions.Question`). A widget without a row asks nothing."""

    widget = models.OneToOneField(Widget, models.CASCADE, primary_key=True, related_name="question_set")
    is_on = models.BooleanField(db_default=False, default=False)
    intro = models.JSONField(null=True, blank=True)
    questions = models.JSONField(db_default=[], default=list, blank=True, decoder=JsonNumbers)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["QuestionSet"].as_manager()

    class Meta:
        verbose_name = "questions before a chat"
        verbose_name_plural = "questions before a chat"

    def __str__(self) -> str:
        return f"#{self.pk}"


class ChatAnswers(models.Model):
    """The answers with which a chat began, by key: `message_id` is its first message then. There may be none."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="beginnings", db_index=False)
    message_id = models.BigIntegerField()
    answers = models.JSONField(db_default={}, default=dict, decoder=JsonNumbers)
    at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["ChatAnswers"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["chat", "message_id"], name="widget_chatanswers_one")]

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.message_id}"


class ContactConsent(models.Model):
    """A consent that a contact gave, or refused: `text_sha256` is of the text as it was shown, in that language."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    contact = models.ForeignKey(Contact, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.SET_NULL, null=True, blank=True, related_name="+")
    key = models.CharField(max_length=MAX_KEY, editable=False)
    given = models.BooleanField(editable=False)
    text_sha256 = models.CharField(max_length=64, editable=False)
    lang = models.CharField(max_length=8, editable=False)
    at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["ContactConsent"].as_manager()

    class Meta:
        indexes = [models.Index(fields=["contact", "-id"], name="widget_consents")]

    def __str__(self) -> str:
        return f"#{self.contact_id}: {self.key}"
