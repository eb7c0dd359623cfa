from celery import shared_task

from apps.core import idempotency, storage


@shared_task
def forget_old_idempotency_keys() -> None:
    idempotency.forget_old_keys()


@shared_task
def sweep_storage() -> None:
    storage.sweep()
