"""Entry points of learning's background work."""

from celery import shared_task

from apps.learning.actions import demand


@shared_task(ignore_result=True)
def forget_old_demand() -> None:
    """Deletes what nobody needs to know any more."""
    demand.forget_old_demand()
