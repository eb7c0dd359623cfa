"""The sign of life of a Celery worker (`apps/core/pulse.py`): of its main process, and of each of its children.

A child gives it for as long as it runs; a task that does not end is ended by `CELERY_TASK_TIME_LIMIT`. The main process
gives it as long as its loop goes round. While it has no broker there is no loop: it tries to connect, with growing
pauses.
"""

from typing import Any

from celery import bootsteps
from celery.signals import worker_process_init
from django.conf import settings

from apps.core import pulse


class Pulse(bootsteps.StartStopStep):
    """Tells the loop of the consumer, which is started for every connection to the broker."""

    requires = ("celery.worker.consumer.connection:Connection",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._progress = pulse.Progress()
        self._timer: Any = None
        pulse.Pulse("worker", settings.PULSE_DIR).keep_beating(unless=self._progress.is_overdue)

    def start(self, consumer: Any) -> None:
        self._progress.made()
        self._timer = consumer.timer.call_repeatedly(pulse.EVERY_S, self._progress.made)

    def stop(self, consumer: Any) -> None:
        if self._timer is not None:
            consumer.timer.cancel(self._timer)
        self._progress.not_expected()


@worker_process_init.connect
def start_child(**_: Any) -> None:
    pulse.Pulse("worker", settings.PULSE_DIR).keep_beating()
