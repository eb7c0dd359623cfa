from celery import shared_task

from apps.agents import actions


@shared_task
def expire_presences() -> None:
    actions.expire_presences()
