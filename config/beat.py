"""The scheduler of beat: django-celery-beat's; a database that is away does not end it, and Redis costs it no task."""

import heapq
import logging
import time
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseError
from django.db.models import QuerySet
from django.utils import timezone
from django_celery_beat.models import PeriodicTask
from django_celery_beat.schedulers import DatabaseScheduler, ModelEntry

from apps.core import database
from config import heartbeat

logger = logging.getLogger(__name__)

ASK_AGAIN_AFTER_S = 1.0
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class Entry(ModelEntry):  # type: ignore[misc] # it has no types
    """A job of the schedule. A job that has never run is due, and so is one whose last run lies in the future.

    The library counts the former again from each start of beat, and makes the latter wait until its interval after that
    moment, however far away: the clock was set back since, or the machine that wrote it down had a wrong one.
    """

    def __init__(self, model: PeriodicTask, app: Any = None) -> None:
        if model.last_run_at is None or model.last_run_at > timezone.now():
            model.last_run_at = LONG_AGO
        super().__init__(model, app)

    def save(self) -> None:
        """Writes down a run alone. The library writes the row that it has read, and takes back a change of staff."""
        runs = {"last_run_at": self.model.last_run_at, "total_run_count": self.model.total_run_count}
        PeriodicTask.objects.filter(pk=self.model.pk).update(**runs)


class Scheduler(DatabaseScheduler):  # type: ignore[misc] # it has no types
    """Sends no task while the database can't be read, and reads its schedule again afterwards.

    A task that can't be sent, as Redis is away, stays due, and is tried once a second: else a job of once a day would
    wait for the next. The database records that it was due, for a beat that starts in the meantime.

    Its first look waits for a database that can be written to: jobs that are not in the schedule yet are added then.
    Jobs of apps that are no longer installed stay there, and are not sent. When the clock was set back, all is read
    again: times that were planned by the old one are far away.

    It gives a sign of life (`config/heartbeat.py`) for as long as it ticks, which it does every five seconds or sooner.
    """

    Entry = Entry
    _is_set_up = False
    _is_away = False
    _next: Any = None  # the entry that stands for the next time of the one that is being sent
    _is_unsent = False
    _heap: list[Any] | None
    _ticked_at = LONG_AGO

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        heartbeat.Pulse("beat", settings.PULSE_DIR).keep_beating(unless=heartbeat.MAIN_LOOP.is_overdue)
        super().__init__(*args, **kwargs)

    def setup_schedule(self) -> None:
        """Left to the first tick that can: what is under way here, a signal to end would begin again."""

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Sends one task that is due; the seconds until the next look."""
        heartbeat.MAIN_LOOP.made()
        before, self._ticked_at = self._ticked_at, timezone.now()
        if self._ticked_at < before:
            self._read_anew()
        state = database.state()
        if state == "unavailable" or (state == "read-only" and not self._is_set_up):
            return self._wait_for_database()
        try:
            if not self._is_set_up:
                self.update_from_dict(self.app.conf.beat_schedule)
                self._is_set_up = True
                logger.info("beat has its schedule")
            seconds: float = super().tick(*args, **kwargs)
        except DatabaseError:
            return self._wait_for_database()
        self._is_away = False
        return self._send_it_later() if self._is_unsent else seconds

    def enabled_models_qs(self) -> QuerySet[PeriodicTask]:
        """The jobs of the installed apps."""
        jobs: QuerySet[PeriodicTask] = super().enabled_models_qs()
        return jobs.filter(name__in=self.app.conf.beat_schedule)

    def reserve(self, entry: Any) -> Any:
        self._next = super().reserve(entry)
        return self._next

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        """Sends a task. A task that can't be sent has not run."""
        logger.debug("sending %s", entry.task)
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except Exception as error:
            logger.warning("%s can't be sent: %s", entry.task, error)
            self._next.last_run_at = self._next.model.last_run_at = entry.last_run_at
            self._next.model.total_run_count -= 1
            self._is_unsent = True

    def _send_it_later(self) -> float:
        """Lets the others go first."""
        self._is_unsent = False
        heap: list[Any] = self._heap or []
        later = time.time() + ASK_AGAIN_AFTER_S
        heap = [event._replace(time=later) if event.entry is self._next else event for event in heap]
        heapq.heapify(heap)
        self._heap = heap
        return ASK_AGAIN_AFTER_S

    def _wait_for_database(self) -> float:
        if not self._is_away:
            logger.warning("beat waits for the database")
        self._is_away = True
        self._read_anew()
        return ASK_AGAIN_AFTER_S

    def _read_anew(self) -> None:
        """Reads the schedule again, also if a read was under way, and refills the heap."""
        self._heap, self._initial_read = None, not self._is_set_up
        self._last_full_sync = datetime.min  # noqa: DTZ901 - compared with a naive time of its own
