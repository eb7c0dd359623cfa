"""The scheduler of `beat`: django-celery-beat's, with a sign of life."""

from typing import Any

from django.conf import settings
from django_celery_beat.schedulers import DatabaseScheduler

from apps.core import pulse


class Scheduler(DatabaseScheduler):  # type: ignore[misc] # it has no types
    """Gives a sign of life (`core/pulse.py`) for as long as it ticks, which it does every five seconds or sooner."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pulse.Pulse("beat", settings.PULSE_DIR).keep_beating(unless=pulse.MAIN_LOOP.is_overdue)
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        """Sends one task that is due; the seconds until the next look."""
        pulse.MAIN_LOOP.made()
        return super().tick(*args, **kwargs)
