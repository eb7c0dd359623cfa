"""Entry points of routing's background work."""

from celery import shared_task
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from apps.leases import Queue
from apps.routing.actions import looks, measuring, retention, router
from apps.routing.models import QueueRow, RouterRow

LOOKS_QUEUE = Queue(
    model=QueueRow,
    title=_("chats that begin or end to wait"),
    work=looks.work,
    waits=(1, 5, 30),
    in_flight=4,
    in_flight_each=2,
    lease_s=20,
)
ROUTER_QUEUE = Queue(
    model=RouterRow,
    title=_("decisions of the router"),
    work=router.work,
    waits=(1, 5, 30),
    in_flight=2,
    fair_by=None,
    lease_s=30,
)


@shared_task
def forget_old() -> int:
    return retention.forget_old(as_of=timezone.now())


@shared_task
def measure_queue() -> None:
    measuring.measure_queue(as_of=timezone.now())
