"""Periodic work of the console."""

from celery import shared_task

from apps.console.actions.pushes import look_who_waits as look


@shared_task
def look_who_waits() -> None:
    look()
