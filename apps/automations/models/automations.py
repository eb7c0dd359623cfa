"""Automations and their versions."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.automations.querysets import AutomationQuerySet, AutomationVersionQuerySet
from apps.automations.rules.limits import MAX_NAME


class Automation(models.Model):
    """Acts (`then`) that follow an event or a wait (`when`) by themselves, where a condition holds (`if` of the API).

    `version` counts the changes of `when`, `condition`, `then` and `stop`; each begins switched off, and is switched on
    once it was tried (`tried_version`). `problem` {path, code} tells of a row that is gone and that an act
    or a condition names.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=MAX_NAME)
    is_enabled = models.BooleanField(db_default=False, default=False)
    position = models.PositiveSmallIntegerField(db_default=0, default=0)
    version = models.PositiveIntegerField(db_default=1, default=1, editable=False)
    when = models.JSONField()
    condition = models.JSONField(null=True, blank=True)
    then = models.JSONField()
    stop = models.BooleanField(db_default=False, default=False)
    enabled_at = models.DateTimeField(null=True, editable=False)
    tried_version = models.PositiveIntegerField(null=True, editable=False)
    tried_at = models.DateTimeField(null=True, editable=False)
    tried_chats = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    tried_runs = models.PositiveIntegerField(db_default=0, default=0, editable=False)
    problem = models.JSONField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = AutomationQuerySet.as_manager()

    class Meta:
        verbose_name = "automation"
        verbose_name_plural = "automations"
        indexes = [
            models.Index(fields=["widget", "position", "id"], name="automations_in_order"),
            models.Index(fields=["widget"], condition=Q(is_enabled=True), name="automations_on"),
        ]

    def __str__(self) -> str:
        return self.name


class AutomationVersion(models.Model):
    """An automation as it was in one of its versions: its runs name it."""

    automation = models.ForeignKey(Automation, models.CASCADE, related_name="versions", db_index=False)
    version = models.PositiveIntegerField()
    when = models.JSONField()
    condition = models.JSONField(null=True)
    then = models.JSONField()
    stop = models.BooleanField(db_default=False, default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = AutomationVersionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["automation", "version"], name="automations_version_once")]

    def __str__(self) -> str:
        return f"{self.automation_id}/{self.version}"
