"""Usage: a row for each call of a vendor, failed ones too."""

import time
from typing import Any

from django.db import IntegrityError, transaction

from apps.ai.models import Usage


def record_use(*, widget_id: int, purpose: str, model: str, began: float, outcome: str, **used: Any) -> None:
    """Writes down one operation; `began` is when, on the monotonic clock. `used`: whose it was, and its tokens.

    An assistant or a credential that was deleted meanwhile is left out.
    """
    made = {"purpose": purpose, "model": model, "outcome": outcome, **used}
    made["latency_ms"] = round((time.monotonic() - began) * 1000)
    try:
        with transaction.atomic():
            Usage.objects.create(widget_id=widget_id, **made)
    except IntegrityError:
        Usage.objects.create(widget_id=widget_id, **{**made, "assistant_id": None, "credential_id": None})
