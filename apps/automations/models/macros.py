"""Macros."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.automations.querysets import MacroQuerySet
from apps.automations.rules.limits import MAX_MACRO_NAME


class Macro(models.Model):
    """Several acts that an operator does at a click, or by Alt and `key`; without an `agent` it is all operators'.

    `inputs` are rows {key, label, is_required}: the questions that it asks before it runs.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(max_length=MAX_MACRO_NAME)
    key = models.PositiveSmallIntegerField(null=True, blank=True)
    agent = models.ForeignKey(Agent, models.CASCADE, null=True, blank=True, related_name="+", db_index=False)
    then = models.JSONField()
    inputs = models.JSONField(db_default=[], default=list, blank=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = MacroQuerySet.as_manager()

    class Meta:
        verbose_name = "macro"
        verbose_name_plural = "macros"
        constraints = [
            models.UniqueConstraint(fields=["widget", "key"], condition=Q(agent=None), name="automations_shared_key"),
            models.UniqueConstraint(fields=["agent", "key"], name="automations_own_key"),
        ]
        indexes = [models.Index(fields=["widget", "agent"], name="automations_macros")]

    def __str__(self) -> str:
        return self.name
