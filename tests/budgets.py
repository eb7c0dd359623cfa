"""What was taken from a budget before a test began."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from apps.core.models import QuotaUse
from apps.core.quotas import Quota


def spent(budget: Quota, key: Any, *ages: timedelta, weight: int = 1) -> None:
    """So much was taken so long ago each."""
    now = timezone.now()
    QuotaUse.objects.bulk_create(
        QuotaUse(scope=budget.scope, key=str(key), weight=weight, at=now - age) for age in ages
    )
