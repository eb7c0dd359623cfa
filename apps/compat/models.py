"""Bots of the other platform, and the chats that persons have taken from them."""

from django.db import models
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.chats.models import Chat
from apps.compat.querysets import ClaimedChatQuerySet, LegacyBotQuerySet
from apps.core.database.fields import EncryptedTextField


class LegacyBot(models.Model):
    """The bot of a widget, which has one at most: where it is told what happens in chats.

    `url` is as it was given, `target` the spelling that is called. The secret signs what is sent there; the bot itself
    calls with an API token.
    """

    widget = models.OneToOneField(Widget, models.CASCADE, related_name="legacy_bot")
    url = models.CharField(max_length=2048)
    target = models.CharField(max_length=2048)
    secret = EncryptedTextField(editable=False)
    is_active = models.BooleanField(db_default=True, default=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = LegacyBotQuerySet.as_manager()

    def __str__(self) -> str:
        return self.url


class ClaimedChat(models.Model):
    """A chat that a person has: until it is closed, the widget's bot is not told what is written there."""

    chat = models.OneToOneField(Chat, models.CASCADE, primary_key=True, related_name="+")
    taken_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ClaimedChatQuerySet.as_manager()

    class Meta:
        db_table = "compat_takenchat"

    def __str__(self) -> str:
        return str(self.chat_id)
