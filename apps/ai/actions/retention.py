"""How long exchanges are kept."""

from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from apps.ai.models import Exchange

KEPT = timedelta(days=180)
BATCH = 1_000


def forget_old_exchanges() -> int:
    """Deletes what is older than KEPT, a batch a transaction; returns how many. Harmless when run twice at once."""
    forgotten = 0
    while True:
        with transaction.atomic():
            old = Exchange.objects.filter(at__lt=Now() - KEPT).order_by("at").values("pk")[:BATCH]
            deleted, _ = Exchange.objects.filter(pk__in=old.select_for_update(skip_locked=True)).delete()
        forgotten += deleted
        if deleted < BATCH:
            return forgotten
