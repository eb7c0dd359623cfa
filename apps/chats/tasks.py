from celery import shared_task
from django.utils import timezone

from apps.chats import actions
from apps.chats.actions import retention, ringing, snoozes


@shared_task
def sweep_chats() -> None:
    actions.sweep_chats(as_of=timezone.now())


@shared_task
def keep_at_hand() -> None:
    now = timezone.now()
    snoozes.end_snoozes(as_of=now)
    ringing.tell_of_absence(as_of=now)


@shared_task
def sweep_unsent_files() -> None:
    actions.sweep_unsent_files(as_of=timezone.now())


@shared_task
def keep_tallies() -> None:
    actions.keep_tallies()


@shared_task
def forget_old() -> None:
    retention.forget_old(as_of=timezone.now())
