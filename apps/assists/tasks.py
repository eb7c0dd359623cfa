"""The queue of assists, and forgetting old ones."""

from celery import shared_task
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from apps.assists.actions import jobs, retention, translating
from apps.assists.models import Assist, TranslationJob
from apps.assists.rules.kinds import AT_ONCE_OF_WIDGET
from apps.leases import Queue

QUEUE = Queue(
    model=Assist,
    title=_("drafts and summaries for operators"),
    work=jobs.work,
    given_up=jobs.given_up,
    in_flight=16,
    in_flight_each=AT_ONCE_OF_WIDGET,
    lease_s=15,
    longest_s=60,
    most_claims=2,
)

TRANSLATIONS = Queue(
    model=TranslationJob,
    title=_("translations of chats"),
    work=translating.work,
    given_up=translating.given_up,
    in_flight=8,
    in_flight_each=2,
    lease_s=15,
    longest_s=120,
    most_claims=2,
)


@shared_task(ignore_result=True)
def forget_old() -> None:
    """Forgets the words of assists after a day, and the rows in the end."""
    retention.forget_old(as_of=timezone.now())
