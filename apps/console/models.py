"""Tickets for the operator's websocket, and canned replies."""

from django.db import models
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.console.querysets import ReplyQuerySet, TicketQuerySet
from apps.console.rules import MAX_SHORTCUT


class Ticket(models.Model):
    """The right to open one socket as an operator, once, in the name of a session. Only a hash of it is kept."""

    digest = models.BinaryField(unique=True, editable=False)
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="+")
    session_key = models.CharField(max_length=40, editable=False)
    expires_at = models.DateTimeField(db_index=True)

    objects = TicketQuerySet.as_manager()

    def __str__(self) -> str:
        return f"#{self.pk}"


class Reply(models.Model):
    """A canned reply: a text that operators put into their message by its shortcut. Without an agent it is shared."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+")
    agent = models.ForeignKey(Agent, models.CASCADE, null=True, blank=True, related_name="+")
    shortcut = models.CharField(max_length=MAX_SHORTCUT)
    body = models.TextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = ReplyQuerySet.as_manager()

    class Meta:
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
