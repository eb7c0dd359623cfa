"""How long exchanges are kept."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models.functions import Now

from apps.ai.models import Exchange
from apps.chats.rules.retention import EXCHANGES, kept_since

KEPT = timedelta(days=180)
BATCH = 1_000


def forget_old_exchanges() -> int:
    """Deletes what is older than KEPT, a batch a transaction; returns how many. Harmless when run twice at once."""
    forgotten = 0
    while True:
        with transaction.atomic():
            old = (
                Exchange.objects.unscoped("every widget's rows")
                .filter(at__lt=Now() - KEPT)
                .order_by("at")
                .values("pk")[:BATCH]
            )
            deleted, _ = (
                Exchange.objects.unscoped("every widget's rows")
                .filter(pk__in=old.select_for_update(skip_locked=True))
                .delete()
            )
        forgotten += deleted
        if deleted < BATCH:
            return forgotten


@transaction.atomic
def forget_batch(widget_id: int, days: Mapping[str, int], now: datetime) -> int:
    """One batch of the exchanges that a widget keeps no longer than its own number of days. Index: ai_exchange_list."""
    since = kept_since(days, EXCHANGES, now)
    if since is None:
        return 0
    old = Exchange.objects.for_widget(widget_id).filter(at__lt=since)
    keys = list(old.select_for_update(skip_locked=True).values_list("pk", flat=True)[:BATCH])
    Exchange.objects.for_widget(widget_id).filter(pk__in=keys).delete()
    return len(keys)
