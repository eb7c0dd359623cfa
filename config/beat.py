"""The scheduler of `beat`: django-celery-beat's, with a sign of life (`apps/core/pulse.py`)."""

from typing import Any

from django.conf import settings
from django_celery_beat.schedulers import DatabaseScheduler

from apps.core import pulse


class Scheduler(DatabaseScheduler):  # type: ignore[misc]
    """Ticks every five seconds or sooner, and shows it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._progress = pulse.Progress()
        pulse.Pulse("beat", settings.PULSE_DIR).keep_beating(unless=self._progress.is_overdue)
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        self._progress.made()
        return super().tick(*args, **kwargs)
