"""The weekly letter: who wants it, and to whom it went."""

from django.db import models
from django.db.models.functions import Now

from apps.accounts.models import User, Widget
from apps.core.database.tenants import TenantQuerySet


class WeeklyChoice(models.Model):
    """Whether somebody of the account's staff wants the weekly letter of a widget.

    Without a row an owner gets it, and a manager does not.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    is_wanted = models.BooleanField()

    objects = TenantQuerySet["WeeklyChoice"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["widget", "user"], name="reports_weeklychoice_once")]

    def __str__(self) -> str:
        return f"#{self.user_id}: {self.is_wanted}"


class WeeklyLetter(models.Model):
    """A weekly letter that was queued, of the week that begins on the Monday `week`: once to each reader."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    week = models.DateField()
    queued_at = models.DateTimeField(db_default=Now())

    objects = TenantQuerySet["WeeklyLetter"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["widget", "week", "user"], name="reports_weeklyletter_once")]

    def __str__(self) -> str:
        return f"#{self.user_id}: {self.week}"
