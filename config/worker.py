"""The sign of life of a Celery worker (`config/heartbeat.py`): of its main process, and of each of its children.

A child gives it for as long as it runs; a task that does not end is ended by `CELERY_TASK_TIME_LIMIT`. The main process
gives it as long as its loop goes round, or tries to connect to the broker (`config/broker.py`).
"""

from typing import Any

from billiard import pool
from celery import bootsteps
from celery.signals import worker_process_init
from django.conf import settings

from config import heartbeat

# A child that ends waits for its results to be read, so many tenths of a second: 300 by default, and there is no
# setting. A main process that ends too reads no more of them, and nobody asks for them: the rows say what was done.
pool.GUARANTEE_MESSAGE_CONSUMPTION_RETRY_LIMIT = 10


class Pulse(bootsteps.StartStopStep):
    """Tells of the loop of the consumer, which is started for every connection to the broker."""

    requires = ("celery.worker.consumer.connection:Connection",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._timer: Any = None
        heartbeat.Pulse("worker", settings.PULSE_DIR).keep_beating(unless=heartbeat.MAIN_LOOP.is_overdue)

    def start(self, consumer: Any) -> None:
        self._timer = consumer.timer.call_repeatedly(heartbeat.EVERY_S, heartbeat.MAIN_LOOP.made)

    def stop(self, consumer: Any) -> None:
        if self._timer is not None:
            consumer.timer.cancel(self._timer)


@worker_process_init.connect
def start_child(**_: Any) -> None:
    heartbeat.Pulse("worker", settings.PULSE_DIR).keep_beating()
