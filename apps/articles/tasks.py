"""Entry points of articles' background work."""

from celery import shared_task
from django.utils import timezone

from apps.articles.actions import publishing


@shared_task
def publish_due() -> int:
    return publishing.publish_due(as_of=timezone.now())
