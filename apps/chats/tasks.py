from celery import shared_task
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from apps.chats import actions
from apps.chats.actions import retention, searches, timers
from apps.chats.models import Timer
from apps.leases import Queue

TIMERS_QUEUE = Queue(
    model=Timer,
    title=_("what chats wait for"),
    work=timers.tell,
    given_up=timers.put_off,
    waits=(1, 5, 30, 300),
    in_flight=4,
    fair_by=None,
    lease_s=30,
)


@shared_task
def sweep_chats() -> None:
    actions.sweep_chats(as_of=timezone.now())


@shared_task
def sweep_unsent_files() -> None:
    actions.sweep_unsent_files(as_of=timezone.now())


@shared_task
def keep_tallies() -> None:
    actions.keep_tallies()


@shared_task
def keep_searchable() -> None:
    searches.keep_searchable()


@shared_task
def forget_old() -> None:
    retention.forget_old(as_of=timezone.now())
