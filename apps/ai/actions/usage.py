"""Usage: a row for each call of a vendor, failed ones too, written before it goes out, so no death loses one."""

import time
from typing import Any

from django.db import IntegrityError

from apps.ai.models import Usage

UNDER_WAY = "under_way"


class Use:
    """One question to a vendor: of one HTTP request, or of several where the first was refused for its form."""

    def __init__(self, *, widget_id: int, purpose: str, model: str, **whose: Any) -> None:
        self._began = time.monotonic()
        self._made = {"widget_id": widget_id, "purpose": purpose, "model": model, **whose}
        self._row = self._write(outcome=UNDER_WAY, latency_ms=0)

    def ended(self, *, requests: int, outcome: str, **what: Any) -> None:
        """Writes down what came of it (`what`: tokens, the model).

        If there were several requests, the last one's values count.
        """
        took_ms = round((time.monotonic() - self._began) * 1000)
        if not requests:
            self._row.delete()
            return
        mine = Usage.objects.for_widget(self._row.widget_id).filter(pk=self._row.pk)
        mine.update(outcome=outcome, latency_ms=took_ms, **what)
        for _ in range(requests - 1):
            self._write(outcome="bad_answer", latency_ms=took_ms)

    def _write(self, **what: Any) -> Usage:
        """An assistant or a credential that has been deleted is left out."""
        try:
            return Usage.objects.create(**self._made, **what)
        except IntegrityError:
            return Usage.objects.create(**{**self._made, "assistant_id": None, "credential_id": None}, **what)
