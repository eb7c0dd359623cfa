from celery import shared_task
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from apps.leases import Queue
from apps.letters.actions import answers, checks, mailbox_answers, outbox, waiting
from apps.letters.actions.receiving import doors, letters, reading, retention
from apps.letters.models import GatherJob, MailCheck, OutLetter, ReadJob, SenderJob
from apps.letters.rules import limits

OUTBOX = Queue(
    model=OutLetter,
    title=_("e-mails to visitors"),
    work=outbox.work,
    given_up=outbox.given_up,
    waits=limits.WAITS,
    in_flight=4,
    in_flight_each=2,
    longest_s=120,
)


SENDERS = Queue(
    model=SenderJob,
    title=_("e-mails that came"),
    work=letters.read_sender,
    given_up=letters.given_up,
    waits=(1, 5, 15, 60, 300),
    fair_by=None,
    in_flight=4,
    longest_s=600,
)
READING = Queue(
    model=ReadJob,
    title=_("mailboxes that are read"),
    work=reading.read_mailbox,
    given_up=reading.given_up,
    waits=(*(5, 15, 60), *(300,) * 1_000),
    fair_by="turn_of",
    in_flight=32,
    in_flight_each=reading.TURNS_EACH,
)
GATHERING = Queue(
    model=GatherJob,
    title=_("answers of mailboxes that gather"),
    work=mailbox_answers.send_gathered,
    waits=(5, 15, 60, 300),
    in_flight=4,
)
CHECKING = Queue(
    model=MailCheck,
    title=_("trials of mail"),
    work=checks.work,
    given_up=checks.given_up,
    in_flight=2,
    in_flight_each=1,
)


@shared_task
def mail_unseen_answers() -> None:
    answers.mail_unseen_answers(as_of=timezone.now())


@shared_task
def wake_operators() -> None:
    waiting.wake_operators(as_of=timezone.now())


@shared_task
def read_what_was_left() -> None:
    """Has letters read whose wake-up was lost, and mailboxes."""
    doors.queue_left()
    reading.queue_installation()


@shared_task
def forget_old_letters() -> None:
    """Deletes e-mails without a chat after 30 days, parked ones after 7, dropped ones after 90."""
    retention.forget_old_letters()
