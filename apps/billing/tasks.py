from celery import shared_task

from apps.billing.actions import plans


@shared_task(ignore_result=True)
def end_plans() -> None:
    """Notes the end of plans whose time has run out."""
    plans.end_plans()
