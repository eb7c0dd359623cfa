from celery import shared_task
from django.utils import timezone

from apps.chats import actions


@shared_task
def sweep_chats() -> None:
    actions.sweep_chats(as_of=timezone.now())


@shared_task
def sweep_unsent_files() -> None:
    actions.sweep_unsent_files(as_of=timezone.now())


@shared_task
def keep_tallies() -> None:
    actions.keep_tallies()
