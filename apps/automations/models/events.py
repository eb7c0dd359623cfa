"""The events of chats that automations are to judge."""

from django.db import models
from django.db.models.functions import Now

from apps import leases
from apps.accounts.models import Widget
from apps.automations.querysets import AutomationEventQuerySet
from apps.chats.models import Chat


class AutomationEvent(leases.Leased):
    """An event of a chat, until automations were asked about it; a chat's are judged in their order, by id.

    `data` has the facts of the event (`message_id`, `previous`, `tag`, `rating`, `run_id`); `chain` the
    automations that led to it, `depth` of them.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+", db_index=False)
    event = models.CharField(max_length=24)
    at = models.DateTimeField(db_default=Now())
    data = models.JSONField(db_default={}, default=dict)
    chain = models.JSONField(db_default=[], default=list)
    depth = models.PositiveSmallIntegerField(db_default=0, default=0)

    objects = AutomationEventQuerySet.as_manager()

    class Meta:
        indexes = [
            *leases.indexes("automations_event"),
            models.Index(fields=["chat", "id"], name="automations_event_in_chat"),
        ]

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.event}"
