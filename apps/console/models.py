"""Tickets for the operator's websocket, canned replies, and the browsers that are told of visitors by push messages."""

from django.db import models
from django.db.models.functions import Now

from apps import leases
from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.console.querysets import CannedReplyQuerySet, PushSubscriptionQuerySet, SocketTicketQuerySet
from apps.console.rules.canned_replies import MAX_SHORTCUT
from apps.core.database.fields import EncryptedTextField


class SocketTicket(models.Model):
    """The right to open one socket as an operator, once, in the name of a session. Only a hash of it is kept."""

    digest = models.BinaryField(unique=True, editable=False)
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="+")
    session_key = models.CharField(max_length=40, editable=False)
    expires_at = models.DateTimeField(db_index=True)

    objects = SocketTicketQuerySet.as_manager()

    class Meta:
        db_table = "console_ticket"

    def __str__(self) -> str:
        return f"#{self.pk}"


class CannedReply(models.Model):
    """A canned reply: a text that operators put into their message by its shortcut. Without an agent it is shared.

    `translations` are `rules.ReplyTranslation`s, one a language.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+")
    agent = models.ForeignKey(Agent, models.CASCADE, null=True, blank=True, related_name="+")
    shortcut = models.CharField(max_length=MAX_SHORTCUT)
    body = models.TextField()
    translations = models.JSONField(db_default=[], default=list)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = CannedReplyQuerySet.as_manager()

    class Meta:
        db_table = "console_reply"
        constraints = [
            models.UniqueConstraint(
                fields=["widget", "shortcut"], condition=models.Q(agent=None), name="console_reply_shared_once"
            ),
            models.UniqueConstraint(
                fields=["agent", "shortcut"], condition=models.Q(agent__isnull=False), name="console_reply_own_once"
            ),
        ]

    def __str__(self) -> str:
        return self.shortcut


class PushKey(models.Model):
    """The key pair by which push services know this installation (RFC 8292). One row, made when first needed."""

    id = models.SmallIntegerField(primary_key=True, default=1, editable=False)
    private = EncryptedTextField()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="console_pushkey_one")]

    def __str__(self) -> str:
        return "key pair"


class PushSubscription(leases.Leased):
    """A browser in which an operator is told, by a push message, that visitors wait though the console is closed there.

    It is due while there is something to tell (`actions/pushes.py`). `told_up_to` is the newest message that was told
    of. Its address lets anyone who knows it send there, so it is kept like a secret.
    """

    agent = models.ForeignKey(Agent, models.CASCADE, related_name="+")
    session_key = models.CharField(max_length=40, editable=False)
    digest = models.BinaryField(editable=False)
    endpoint = EncryptedTextField()
    p256dh = models.CharField(max_length=100)
    auth = EncryptedTextField()
    told_up_to = models.BigIntegerField(db_default=0, default=0)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = PushSubscriptionQuerySet.as_manager()

    class Meta:
        db_table = "console_browser"
        constraints = [models.UniqueConstraint(fields=["agent", "digest"], name="console_browser_once")]
        indexes = leases.indexes("console_browser", fair_by=None)

    def __str__(self) -> str:
        return f"#{self.pk}"
