"""Entry points of reports' background work."""

from celery import shared_task
from django.utils import timezone

from apps.reports.actions import episodes, ratings
from apps.reports.actions.letters import queue_letters


@shared_task
def keep_episodes() -> None:
    episodes.keep_episodes()


@shared_task
def ask_for_ratings() -> None:
    ratings.ask_for_ratings(as_of=timezone.now())


@shared_task
def queue_weekly_letters() -> None:
    queue_letters(as_of=timezone.now(), late=False)
