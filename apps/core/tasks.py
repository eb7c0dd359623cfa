from celery import shared_task

from apps.core.endpoints import idempotency
from apps.core.files import storage


@shared_task
def forget_old_idempotency_keys() -> None:
    idempotency.forget_old_keys()


@shared_task
def sweep_storage() -> None:
    storage.sweep()
