from celery import shared_task

from apps.widget.actions.translations import ask_everywhere


@shared_task
def ask_for_translations() -> None:
    ask_everywhere()
