"""The clocks of answer times."""

from django.db import models
from django.db.models import Q

from apps.accounts.models import Widget
from apps.chats.models import Chat
from apps.chats.models.choices import choices
from apps.chats.rules.priorities import Priority
from apps.routing.querysets.clocks import SlaClockQuerySet
from apps.routing.rules.clocks import REPLIES, EndedBy, SlaMetric


class SlaClock(models.Model):
    """One answer time of a chat's wait or episode (`rules/clocks.py`), for its department and priority then.

    `used_seconds` counted until `running_since`, or in all, if it does not run; `due_at` is of one that runs. Without
    `target_minutes` no answer is due, and it is in no list or figure.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    chat = models.ForeignKey(Chat, models.CASCADE, related_name="+", db_index=False)
    metric = models.CharField(max_length=12, choices=choices(SlaMetric))
    department_id = models.BigIntegerField(null=True)  # no reference: a department may go, the figures stay
    priority = models.CharField(max_length=8, choices=choices(Priority))
    since = models.DateTimeField()
    target_minutes = models.PositiveIntegerField(null=True)
    warn_percent = models.PositiveSmallIntegerField()
    is_always = models.BooleanField(db_default=False, default=False)
    used_seconds = models.PositiveIntegerField(db_default=0, default=0)
    running_since = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True)
    warned_at = models.DateTimeField(null=True)
    breached_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_by = models.CharField(max_length=10, choices=choices(EndedBy), null=True)  # noqa: DJ001 - as the time is
    ended_after_id = models.BigIntegerField(null=True, help_text="The answer that ended it.")

    objects = SlaClockQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["chat"],
                condition=Q(ended_at=None, metric__in=[str(each) for each in REPLIES]),
                name="routing_clock_one_reply",
            ),
            models.UniqueConstraint(
                fields=["chat"],
                condition=Q(ended_at=None, metric=str(SlaMetric.RESOLUTION)),
                name="routing_clock_one_resolution",
            ),
        ]
        indexes = [
            models.Index(fields=["chat", "-id"], name="routing_clock_in_chat"),
            models.Index(fields=["widget", "since"], name="routing_clock_counted"),
            models.Index(fields=["widget", "due_at"], condition=Q(due_at__isnull=False), name="routing_clock_due"),
        ]

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.metric}"
