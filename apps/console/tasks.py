"""Periodic work of the console."""

from celery import shared_task

from apps.console.actions.pushes import queue_pushes as look


@shared_task
def look_who_waits() -> None:
    look()
