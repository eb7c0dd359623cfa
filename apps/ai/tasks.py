from celery import shared_task

from apps.ai.actions import external_upkeep, retention


@shared_task
def forget_old_exchanges() -> None:
    retention.forget_old_exchanges()


@shared_task
def show_typing() -> None:
    external_upkeep.show_typing()


@shared_task
def put_external_operators_away() -> None:
    external_upkeep.put_away()
