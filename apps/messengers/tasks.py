"""Entry points of beat: each calls one action."""

from celery import shared_task

from apps.messengers.actions import maintenance, retention
from apps.messengers.actions.cabinets import suspend_uncovered


@shared_task
def register_pending_messengers() -> None:
    """Has the registrations made that a process which ended has left."""
    maintenance.queue_left()


@shared_task
def suspend_uncovered_cabinets() -> None:
    """Suspends ad cabinets that no plan covers any more."""
    suspend_uncovered()


@shared_task
def forget_old_updates() -> None:
    """Deletes what came from providers and was stored long ago."""
    retention.forget_old_updates()


@shared_task
def check_messengers() -> None:
    """Has providers asked whether credentials and registrations still hold."""
    maintenance.queue_due()
