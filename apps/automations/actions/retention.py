"""Runs live for 90 days, or as long as their chat."""

from datetime import datetime

from apps.automations.models import AutomationRun
from apps.automations.rules.limits import RUNS_ARE_KEPT

BATCH = 5_000


def forget_old(*, as_of: datetime) -> int:
    """Deletes a batch of runs that are older; returns how many. Harmless when run twice at once."""
    runs = AutomationRun.objects.unscoped("every widget's rows").filter(at__lt=as_of - RUNS_ARE_KEPT)
    old = list(runs.values_list("pk", flat=True)[:BATCH])
    gone, _ = AutomationRun.objects.unscoped("every widget's old rows").filter(pk__in=old).delete()
    return gone
