"""Runs that are to be taken back."""

from django.db import models

from apps import leases
from apps.accounts.models import Widget
from apps.automations.models.automations import Automation
from apps.core.database.tenants import TenantQuerySet


class UndoJob(leases.Leased):
    """The runs of an automation since a moment, which are taken back."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    automation = models.OneToOneField(Automation, models.CASCADE, related_name="+")
    since = models.DateTimeField()

    objects = TenantQuerySet["UndoJob"].as_manager()

    class Meta:
        indexes = leases.indexes("automations_undojob")

    def __str__(self) -> str:
        return f"#{self.automation_id}"
