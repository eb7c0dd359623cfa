"""Entry points of learning's background work."""

from celery import shared_task
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from apps.learning.actions import cycles, demand, drafts, probation
from apps.learning.models import Cycle, Wish
from apps.learning.rules.cycles import SECONDS
from apps.leases import Queue

DRAFT_QUEUE = Queue(
    model=Wish,
    title=_("drafts from wishes"),
    work=drafts.work,
    given_up=drafts.given_up,
    in_flight=2,
    in_flight_each=1,
    longest_s=120,
)
CYCLE_QUEUE = Queue(
    model=Cycle,
    title=_("tuning cycles"),
    work=cycles.work,
    given_up=cycles.given_up,
    in_flight=2,
    in_flight_each=1,
    longest_s=SECONDS + 60,
)


@shared_task(ignore_result=True)
def forget_old_demand() -> None:
    """Deletes demand that is too old to matter."""
    demand.forget_old_demand()


@shared_task(ignore_result=True)
def review_probations() -> None:
    """Keeps or rolls back what is on probation."""
    probation.review_probations(as_of=timezone.now())


@shared_task(ignore_result=True)
def schedule_learning() -> None:
    """Queues the tuning cycles whose time has come."""
    cycles.schedule_learning(as_of=timezone.now())
