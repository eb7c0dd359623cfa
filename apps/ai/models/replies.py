"""The AI side's state of a chat, and the job to look at one."""

from django.db import models

from apps import leases
from apps.accounts.models import Widget
from apps.ai.querysets import ConversationQuerySet, ReplyJobQuerySet
from apps.ai.rules.decisions import Mode
from apps.chats.models import Chat


class Conversation(models.Model):
    """The AI side's state of a chat beside the chat's own facts.

    `mode` is the one that it was left in at `mode_since`; people's deeds since count more (`rules.decisions`). All that
    the visitor wrote up to `answered_message_id` is dealt with.
    """

    chat = models.OneToOneField(Chat, models.CASCADE, primary_key=True, related_name="+")
    mode = models.CharField(max_length=8, choices=[(mode.value, mode.value) for mode in Mode])
    mode_since = models.DateTimeField()
    operator_id = models.BigIntegerField(null=True)
    language = models.CharField(max_length=8, db_default="", default="")
    answered_message_id = models.BigIntegerField(db_default=0, default=0)

    objects = ConversationQuerySet.as_manager()

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.mode}"


class ReplyJob(leases.Leased):
    """The job of the AI side to look at a chat: one row a chat, kept from burst to burst.

    `restarts` counts how often the burst was asked again because the visitor wrote in the meantime.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.OneToOneField(Chat, models.CASCADE, related_name="+")
    restarts = models.PositiveSmallIntegerField(db_default=0, default=0)

    objects = ReplyJobQuerySet.as_manager()

    class Meta:
        indexes = leases.indexes("ai_replyjob")

    def __str__(self) -> str:
        return f"#{self.chat_id}"
