"""How long a widget keeps what."""

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from apps.accounts.models import Widget
from apps.chats.rules.retention import KINDS, MAX_DAYS
from apps.core.database.tenants import TenantQuerySet


def _days() -> Any:
    """So many days, or (null) for ever."""
    limits = [MinValueValidator(1), MaxValueValidator(MAX_DAYS)]
    return models.PositiveSmallIntegerField(null=True, blank=True, validators=limits)


class Retention(models.Model):
    """A widget without a row keeps everything."""

    widget = models.OneToOneField(Widget, models.CASCADE, primary_key=True, related_name="+")
    chats = _days()
    files = _days()
    contacts = _days()
    deliveries = _days()
    exchanges = _days()

    objects = TenantQuerySet["Retention"].as_manager()

    def __str__(self) -> str:
        return str(self.widget)

    def days(self) -> dict[str, int]:
        """The retention periods that are set, by kind."""
        return {kind: days for kind in KINDS if (days := getattr(self, kind)) is not None}
