"""Entry points of the knowledge base's background work."""

from celery import shared_task
from django.utils import timezone

from apps.kb.actions import crawler, retention
from apps.kb.actions.background import notice_changes


@shared_task(ignore_result=True)
def notice_models() -> None:
    """Queues the rules that another model must embed again."""
    notice_changes()


@shared_task(ignore_result=True)
def schedule_crawls() -> None:
    """Queues the crawls whose time has come."""
    crawler.schedule_crawls(as_of=timezone.now())


@shared_task(ignore_result=True)
def forget_unused() -> None:
    """Deletes vectors that no rule names, and crawls of old."""
    retention.forget_unused_vectors()
    retention.forget_old_crawls()
