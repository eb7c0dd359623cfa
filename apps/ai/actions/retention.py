"""How long exchanges are kept, and the visitors' thumbs under answers."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from apps.ai.models import AnswerFeedback, Exchange
from apps.chats.rules.retention import EXCHANGES, kept_since

KEPT = timedelta(days=180)
BATCH = 1_000
# Thumbs of before their exchanges, which take the others along.
_KINDS: tuple[Any, ...] = (AnswerFeedback, Exchange)


def forget_old_exchanges() -> int:
    """Deletes what is older than KEPT, a batch a transaction; returns how many. Harmless when run twice at once."""
    return sum(map(_forget, _KINDS))


def _forget(model: Any) -> int:
    forgotten = 0
    while True:
        with transaction.atomic():
            rows = model.objects.unscoped("every widget's rows")
            old = rows.filter(at__lt=Now() - KEPT).order_by("at").values("pk")[:BATCH]
            deleted, _ = rows.filter(pk__in=old.select_for_update(skip_locked=True)).delete()
        forgotten += int(deleted)
        if deleted < BATCH:
            return forgotten


@transaction.atomic
def forget_batch(widget_id: int, days: Mapping[str, int], now: datetime) -> int:
    """One batch of the exchanges and thumbs that a widget keeps no longer than its own number of days.

    Indexes: ai_feedback_list, ai_exchange_list.
    """
    since = kept_since(days, EXCHANGES, now)
    if since is None:
        return 0
    forgotten = 0
    for model in _KINDS:
        rows = model.objects.for_widget(widget_id)
        old = rows.filter(at__lt=since)
        keys = list(old.select_for_update(skip_locked=True).values_list("pk", flat=True)[:BATCH])
        rows.filter(pk__in=keys).delete()
        forgotten += len(keys)
    return forgotten
