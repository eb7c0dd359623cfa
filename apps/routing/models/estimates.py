"""The times that waiting visitors are told, and how many of them were kept."""

from django.db import models

from apps.accounts.models import Widget
from apps.chats.models import Chat
from apps.routing.querysets import EstimateTallyQuerySet, ToldEstimateQuerySet


class ToldEstimate(models.Model):
    """The time that a waiting visitor was told first in a wait, until the wait is over: then it is tallied, or dropped.

    `waits_since` names the wait; `told_at` is when, and `to_min` the upper number of minutes from then.
    """

    chat = models.OneToOneField(Chat, models.CASCADE, primary_key=True, related_name="+")
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    department_id = models.BigIntegerField(null=True)  # no reference: a department may go
    waits_since = models.DateTimeField()
    told_at = models.DateTimeField()
    to_min = models.PositiveSmallIntegerField()

    objects = ToldEstimateQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["told_at"], name="routing_estimate_old")]

    def __str__(self) -> str:
        return f"#{self.chat_id}: {self.to_min}"


class EstimateTally(models.Model):
    """The waits of a day that a person ended, and whose visitors were told a time: how many, and how many kept it.

    `day` is that of the answer, in UTC; `department_id` is where the chat waited when the time was told.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    department_id = models.BigIntegerField(null=True)  # no reference: a department may go, the figures stay
    day = models.DateField()
    count = models.PositiveIntegerField(db_default=0, default=0)
    kept = models.PositiveIntegerField(db_default=0, default=0)

    objects = EstimateTallyQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["widget", "day", "department_id"], nulls_distinct=False, name="routing_estimates_of_day"
            )
        ]
        indexes = [models.Index(fields=["day"], name="routing_estimates_old")]

    def __str__(self) -> str:
        return f"{self.widget_id}/{self.department_id}: {self.day}"
