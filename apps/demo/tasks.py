"""Entry point of beat."""

from celery import shared_task
from django.utils import timezone

from apps.demo.data.inbox import move_inbox


@shared_task
def keep_inbox_open() -> None:
    move_inbox(timezone.now())
