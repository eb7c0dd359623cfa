"""The scheduler of beat: django-celery-beat's, which a database that is away does not end."""

import logging
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseError
from django_celery_beat.schedulers import DatabaseScheduler

from apps.core import database, pulse

logger = logging.getLogger(__name__)

ASK_AGAIN_AFTER_S = 1.0


class Scheduler(DatabaseScheduler):  # type: ignore[misc] # it has no types
    """Sends no task while the database can't be read, and reads its schedule anew afterwards.

    Its first look waits for a database that can be written to: jobs that are not in the schedule yet are added then.
    It gives a sign of life (`core/pulse.py`) for as long as it ticks, which it does every five seconds or sooner.
    """

    _is_set_up = False
    _is_away = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pulse.Pulse("beat", settings.PULSE_DIR).keep_beating(unless=pulse.MAIN_LOOP.is_overdue)
        super().__init__(*args, **kwargs)

    def setup_schedule(self) -> None:
        """Left to the first tick that can: what is under way here, a signal to end would begin again."""

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Sends one task that is due; the seconds until the next look."""
        pulse.MAIN_LOOP.made()
        state = database.state()
        if state == "unavailable" or (state == "read-only" and not self._is_set_up):
            return self._wait_for_database()
        try:
            if not self._is_set_up:
                super().setup_schedule()
                self._is_set_up = True
            seconds: float = super().tick(*args, **kwargs)
        except DatabaseError:
            return self._wait_for_database()
        self._is_away = False
        return seconds

    def _wait_for_database(self) -> float:
        if not self._is_away:
            logger.warning("beat waits for the database")
        self._is_away = True
        # Whatever was being read is read again, and what was taken out of the heap is put there again.
        self._heap, self._initial_read = None, not self._is_set_up
        self._last_full_sync = datetime.min  # noqa: DTZ901 - compared with a naive time of its own
        return ASK_AGAIN_AFTER_S
