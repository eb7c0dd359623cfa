"""Entry points of learning's background work."""

from celery import shared_task
from django.utils import timezone

from apps.learning.actions import cycles, demand, probation


@shared_task(ignore_result=True)
def forget_old_demand() -> None:
    """Deletes demand that is too old to matter."""
    demand.forget_old_demand()


@shared_task(ignore_result=True)
def review_probations() -> None:
    """Keeps or rolls back what is on probation."""
    probation.review_probations(as_of=timezone.now())


@shared_task(ignore_result=True)
def schedule_learning() -> None:
    """Queues the tuning cycles whose time has come."""
    cycles.schedule_learning(as_of=timezone.now())
