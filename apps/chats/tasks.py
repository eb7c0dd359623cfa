from celery import shared_task
from django.utils import timezone

from apps.chats import actions
from apps.chats.actions import retention


@shared_task
def sweep_chats() -> None:
    actions.sweep_chats(as_of=timezone.now())


@shared_task
def sweep_unsent_files() -> None:
    actions.sweep_unsent_files(as_of=timezone.now())


@shared_task
def keep_tallies() -> None:
    actions.keep_tallies()


@shared_task
def forget_old() -> None:
    retention.forget_old(as_of=timezone.now())
