"""Usage: a row for each call of a vendor, failed ones too."""

import time
from typing import Any

from apps.ai.models import Usage


def record_use(*, widget_id: int, purpose: str, model: str, began: float, outcome: str, **used: Any) -> None:
    """Writes down one operation; `began` is when, on the monotonic clock. `used`: whose it was, and its tokens."""
    Usage.objects.create(
        widget_id=widget_id,
        purpose=purpose,
        model=model,
        latency_ms=round((time.monotonic() - began) * 1000),
        outcome=outcome,
        **used,
    )
