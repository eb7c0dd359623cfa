"""Periodic work of the console."""

from celery import shared_task
from django.utils.translation import gettext_noop as _

from apps.console.actions import pushes
from apps.console.models import PushSubscription
from apps.leases import Queue

QUEUE = Queue(
    model=PushSubscription,
    title=_("notifications of operators"),
    work=pushes.work,
    waits=(30, 120, 600),
    in_flight=8,
    fair_by=None,
)


@shared_task
def look_who_waits() -> None:
    pushes.queue_pushes()
