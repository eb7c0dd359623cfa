"""Tickets for the operator's websocket."""

from django.db import models

from apps.agents.models import Agent
from apps.console.querysets import TicketQuerySet


class Ticket(models.Model):
    """The right to open one socket as an operator, once, in the name of a session. Only a hash of it is kept."""

    digest = models.BinaryField(unique=True, editable=False)
    agent = models.ForeignKey(Agent, models.CASCADE, related_name="+")
    session_key = models.CharField(max_length=40, editable=False)
    expires_at = models.DateTimeField(db_index=True)

    objects = TicketQuerySet.as_manager()

    def __str__(self) -> str:
        return f"#{self.pk}"
