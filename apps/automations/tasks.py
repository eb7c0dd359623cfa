"""Entry points of automations' background work."""

from celery import shared_task
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from apps.automations.actions import retention, undo, worker
from apps.automations.models import AutomationEvent, UndoJob
from apps.leases import Queue

EVENTS_QUEUE = Queue(
    model=AutomationEvent,
    title=_("events that automations judge"),
    work=worker.work,
    given_up=worker.given_up,
    waits=(1, 5, 30),
    in_flight=4,
    in_flight_each=2,
    lease_s=20,
)
UNDOING = Queue(
    model=UndoJob,
    title=_("runs of automations that are taken back"),
    work=undo.undo_runs,
    waits=(1, 5, 30, 300),
    in_flight=2,
    longest_s=600,
)


@shared_task
def forget_old() -> int:
    return retention.forget_old(as_of=timezone.now())
