"""Celery wakes the deliverer of a worker process; the process itself keeps it going (`dispatcher.py`)."""

from typing import Any

from celery import shared_task
from celery.signals import worker_process_init, worker_process_shutdown, worker_shutdown

from apps.webhooks import dispatcher
from apps.webhooks.actions import retention


@shared_task(expires=10)
def deliver() -> None:
    """Delivers what is due.

    Returns at once: the calls are made on a thread of the process, so that no receiver, however slow, takes a place
    that other tasks need.
    """
    dispatcher.deliverer.wake()


@shared_task
def forget_old_deliveries() -> None:
    retention.forget_old_deliveries()


@worker_process_init.connect
def start_delivering(**_: Any) -> None:
    dispatcher.deliverer.wake()


@worker_process_shutdown.connect
@worker_shutdown.connect
def stop_delivering(**_: Any) -> None:
    dispatcher.deliverer.stop()
