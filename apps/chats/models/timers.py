"""The moments that chats wait for."""

from django.db import models

from apps import leases
from apps.accounts.models import Widget
from apps.chats.models.chats import Chat
from apps.chats.models.choices import choices
from apps.chats.rules.timers import MAX_ANCHOR, MAX_KEY, TimerKind
from apps.core.database.tenants import TenantQuerySet


class Timer(leases.Leased):
    """A moment that a chat waits for. Setting, moving and dropping it need the chat's lock.

    `anchor` names the message or moment that set it: who is told that it is due (`events.TimerDue`) does nothing once
    that is not the chat's any more. It goes as soon as it has been told.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=16, choices=choices(TimerKind))
    key = models.CharField(max_length=MAX_KEY, db_default="", default="", blank=True)
    anchor = models.CharField(max_length=MAX_ANCHOR)

    objects = TenantQuerySet["Timer"].as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["chat", "kind", "key"], name="chats_timer_one_a_kind"),
        ]
        indexes = [*leases.indexes("chats_timer", fair_by=None)]

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.kind}"
