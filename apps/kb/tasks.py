"""Entry points of the knowledge base's background work."""

from celery import shared_task
from django.utils import timezone

from apps.kb.actions import crawler
from apps.kb.actions.background import notice_changes


@shared_task(ignore_result=True)
def notice_models() -> None:
    """Has what another model must embed anew queued."""
    notice_changes()


@shared_task(ignore_result=True)
def schedule_crawls() -> None:
    """Queues the crawls whose time has come."""
    crawler.schedule_crawls(as_of=timezone.now())
