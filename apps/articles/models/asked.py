"""The consequences of a question in vain: a model's draft, and messages to those who asked."""

from django.db import models
from django.db.models.functions import Now

from apps import leases
from apps.accounts.models import Widget
from apps.articles.models.articles import Article, ArticleText
from apps.articles.rules.gaps import ToldOutcome
from apps.chats.models import Chat
from apps.chats.models.choices import choices
from apps.core.database.tenants import TenantQuerySet


class ArticleDraft(leases.Leased):
    """A text that a model is to write anew. `base_version` is the version that it replaces: a person's is kept."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    text = models.OneToOneField(ArticleText, models.CASCADE, related_name="+")
    base_version = models.PositiveIntegerField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["ArticleDraft"].as_manager()

    class Meta:
        indexes = leases.indexes("articles_draft")

    def __str__(self) -> str:
        return f"#{self.text_id}"


class ArticleTold(leases.Leased):
    """A chat whose visitor is told of an article that answers their question in vain; once an article and chat.

    `agent_id` is in whose name, `question` and `asked_message_id` are the question. Due until the message is posted, or
    the visitor is found to need none (`outcome`).
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    article = models.ForeignKey(Article, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+")
    agent_id = models.BigIntegerField()
    question = models.TextField()
    asked_message_id = models.BigIntegerField()
    outcome = models.CharField(max_length=8, choices=choices(ToldOutcome), blank=True, db_default="", default="")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["ArticleTold"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["article", "chat"], name="articles_told_once")]
        indexes = leases.indexes("articles_told")

    def __str__(self) -> str:
        return f"#{self.article_id} → #{self.chat_id}"
