"""The settings of a widget's cards, what is kept of each chat's, and the buttons that were pressed."""

from django.db import models
from django.db.models.functions import Now

from apps import leases
from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.cards.querysets import CardActionQuerySet, CardSettingsQuerySet, ChatCardsQuerySet
from apps.chats.models import Chat
from apps.core.database.fields import EncryptedTextField


class CardSettings(models.Model):
    """The source of a widget's cards: the shop's address, `cards` as [{key, title, ttl_seconds}], and what signs."""

    widget = models.OneToOneField(Widget, models.CASCADE, primary_key=True, related_name="+")
    url = models.CharField(max_length=2048)
    target = models.CharField(max_length=2048, editable=False)
    cards = models.JSONField()
    secret = EncryptedTextField(editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = CardSettingsQuerySet.as_manager()

    def __str__(self) -> str:
        return f"#{self.pk}"


class ChatCards(leases.Leased):
    """The kept cards of a chat: JSON by key (`rules.states.Kept`). It is due while the shop is to be asked.

    `agent` looked last, in the language `locale`; `kept_since` is the moment of the oldest contents.
    """

    chat = models.OneToOneField(Chat, models.CASCADE, related_name="+")
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, related_name="+", db_index=False)
    locale = models.CharField(max_length=10, db_default="en", default="en")
    contents = EncryptedTextField(null=True, editable=False)
    kept_since = models.DateTimeField(db_default=Now(), editable=False)

    objects = ChatCardsQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "cards of chats"
        indexes = [
            *leases.indexes("cards_chatcards"),
            models.Index(fields=["kept_since"], name="cards_chatcards_old"),
        ]

    def __str__(self) -> str:
        return f"#{self.chat_id}"


class CardAction(leases.Leased):
    """A button of a card that an operator pressed. The shop is told of it once: after `sent_at`, never again."""

    class State(models.TextChoices):
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        UNKNOWN = "unknown"

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+", db_index=False)
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, related_name="+", db_index=False)
    client_id = models.UUIDField()
    key = models.CharField(max_length=40)
    action = models.CharField(max_length=60)
    value = EncryptedTextField(null=True, editable=False)
    state = models.CharField(max_length=8, choices=State.choices, db_default="running", default="running")
    message = EncryptedTextField(null=True, editable=False)
    locale = models.CharField(max_length=10, db_default="en", default="en")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    sent_at = models.DateTimeField(null=True, editable=False)

    objects = CardActionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["widget", "client_id"], name="cards_action_once")]
        indexes = [
            *leases.indexes("cards_cardaction"),
            models.Index(fields=["chat", "key", "-id"], name="cards_cardaction_in_chat"),
            models.Index(fields=["created_at"], name="cards_cardaction_old"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}: {self.action}"


class WidgetCards(Widget):
    """A widget, as the cabinet's page of its cards shows it."""

    class Meta:
        proxy = True
        verbose_name_plural = "cards of widgets"
