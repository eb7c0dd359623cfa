"""Entry points of the knowledge base's background work."""

from celery import shared_task

from apps.kb.actions.background import notice_changes


@shared_task(ignore_result=True)
def notice_models() -> None:
    """Has what another model must embed anew queued."""
    notice_changes()
