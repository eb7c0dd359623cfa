from celery import shared_task

from apps.ai.actions import retention


@shared_task
def forget_old_exchanges() -> None:
    retention.forget_old_exchanges()
