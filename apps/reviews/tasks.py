"""Entry points of reviews' background work."""

from celery import shared_task
from django.utils import timezone

from apps.reviews.actions import picking, suggestions


@shared_task(ignore_result=True)
def pick_reviews() -> None:
    """Picks last week's episodes where it is Monday."""
    picking.pick_reviews(as_of=timezone.now(), on_mondays=True)


@shared_task(ignore_result=True)
def suggest_scores() -> None:
    """Asks models for automatic suggestions."""
    suggestions.suggest_all()
