"""Blocked visitors and networks."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.querysets.blocks import BlockQuerySet
from apps.chats.rules.blocks import MAX_REASON


class Block(models.Model):
    """A visitor who may write nothing: a contact, or everybody of a network (an address is one, too; rules/blocks.py).

    Without `until` it lasts until it is lifted.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    contact = models.ForeignKey("chats.Contact", models.CASCADE, null=True, blank=True, related_name="+")
    network = models.CharField(max_length=43, blank=True, db_default="", default="", editable=False)
    reason = models.CharField(max_length=MAX_REASON, blank=True, db_default="", default="")
    agent = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    until = models.DateTimeField(null=True, blank=True)

    objects = BlockQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["widget", "network", "contact"], nulls_distinct=False, name="chats_block_of_widget"
            ),
            models.CheckConstraint(
                condition=Q(contact__isnull=False, network="") | Q(contact__isnull=True, network__gt=""),
                name="chats_block_of_one",
            ),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"
