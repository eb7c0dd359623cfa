"""Tallies of hours that are over (docs/adr/0015)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from apps.accounts.models import Widget
from apps.chats.models.choices import choices
from apps.chats.rules.statistics import Tallied
from apps.core.database.tenants import TenantQuerySet


class _Tally(models.Model):
    """The tally of one hour of a widget (docs/adr/0015). It goes with the rows counted, not with the widget."""

    widget = models.ForeignKey(Widget, models.DO_NOTHING, related_name="+", db_constraint=False, db_index=False)
    hour = models.DateTimeField(help_text="Its first moment.")

    objects = TenantQuerySet["_Tally"].as_manager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.widget_id}: {self.hour:%Y-%m-%d %H}"


class ChatTally(_Tally):
    """Chats opened in the hour with the same attribution; `waited`: the times to acceptance of the `answered` ones."""

    channel = models.CharField(max_length=32)
    internal = models.BooleanField()
    handling = models.CharField(max_length=16)
    accepted_type = models.CharField(max_length=8, null=True)  # noqa: DJ001
    handled_type = models.CharField(max_length=8, null=True)  # noqa: DJ001
    chats = models.IntegerField()
    answered = models.IntegerField()
    waited = models.DurationField()

    class Meta(_Tally.Meta):
        indexes = [models.Index(fields=["widget", "hour"], name="chats_chattally_of_hour")]


class MessageTally(_Tally):
    """The messages written in the hour."""

    messages = models.IntegerField()

    class Meta(_Tally.Meta):
        indexes = [models.Index(fields=["widget", "hour"], name="chats_messagetally_of_hour")]


class ResponseTally(_Tally):
    """The chats opened in the hour whose visitors got a first answer before `TallyProgress.until`, and their waits."""

    answered = models.IntegerField()
    waited = models.DurationField()

    class Meta(_Tally.Meta):
        indexes = [models.Index(fields=["widget", "hour"], name="chats_responsetally_of_hour")]


class StaleHour(_Tally):
    """A note that rows of an hour changed after it may have been counted. Written by triggers, several for an hour."""

    kind = models.CharField(max_length=9, choices=choices(Tallied))

    class Meta(_Tally.Meta):
        indexes = [models.Index(fields=["widget", "hour"], name="chats_stalehour_of_hour")]


class TallyProgress(models.Model):
    """How far the job has come: the one row that says until when hours are tallied, and what the next of them wait for.

    Once the transactions `seen_writing` have ended, everything is committed that was written before `seen_at`.
    """

    id = models.SmallIntegerField(primary_key=True, default=1)
    until = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    seen_writing = ArrayField(models.TextField(), db_default=[], default=list)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(id=1), name="chats_tallyprogress_one")]

    def __str__(self) -> str:
        return f"until {self.until}"
