"""Celery's entry points."""

from celery import shared_task

from apps.support.actions.envelopes import forget_old_nonces
from apps.support.actions.requests import forget_old_requests


@shared_task
def forget_old_calls() -> None:
    """Deletes what signed calls left, once it counts no more."""
    forget_old_nonces()
    forget_old_requests()
