"""Entry points of beat: each calls one action."""

from celery import shared_task
from django.utils.translation import gettext_noop as _

from apps.leases import Queue
from apps.messengers.actions import inbound, maintenance, polling, retention
from apps.messengers.actions.cabinets import suspend_uncovered
from apps.messengers.actions.conversations import Conversations
from apps.messengers.adapters import CONNECTED
from apps.messengers.models import CheckJob, InboundJob, OutboundJob, PollJob

INBOUND_QUEUE = Queue(
    model=InboundJob,
    title=_("what came from messengers"),
    work=inbound.store_conversation,
    given_up=inbound.given_up,
    waits=(1, 5, 15, 60, 300),
    in_flight=8,
    in_flight_each=4,
)
OUTBOUND_QUEUE = Queue(
    model=OutboundJob,
    title=_("what goes to messengers"),
    sends=Conversations,
    waits=(5, 15, 60, 300),
    fair_by="connection_id",
    in_flight_each=8,
)
POLL_QUEUE = Queue(
    model=PollJob,
    title=_("messengers that are asked for messages"),
    work=polling.poll,
    given_up=polling.given_up,
    waits=(*(1, 2, 4, 8, 16), *(30,) * 1_000),
    fair_by=None,
    in_flight=32,
)
CHECK_QUEUE = Queue(
    model=CheckJob,
    title=_("connections that are checked"),
    work=maintenance.maintain_connection,
    fair_by="vendor",
    in_flight=2 * len(CONNECTED),
    in_flight_each=2,
)


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
