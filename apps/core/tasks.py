from celery import shared_task

from apps.core import idempotency


@shared_task
def forget_old_idempotency_keys() -> None:
    idempotency.forget_old_keys()
