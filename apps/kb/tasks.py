"""Entry points of the knowledge base's background work."""

from celery import shared_task
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from apps.kb.actions import background, crawler, crawling, retention, uploads
from apps.kb.actions.background import notice_changes
from apps.kb.models import CrawlRun, KnowledgeBase, Upload
from apps.kb.rules.batches import WAITS
from apps.kb.rules.crawling import MAX_SECONDS
from apps.leases import Queue

EMBEDDING_QUEUE = Queue(
    model=KnowledgeBase,
    title=_("knowledge bases that changed"),
    work=background.work,
    given_up=background.given_up,
    waits=WAITS,
    in_flight=4,
    in_flight_each=1,
    longest_s=300,
)
# A reader takes half a gigabyte at its worst, so few run at a time.
UPLOAD_QUEUE = Queue(
    model=Upload,
    title=_("documents that are read in"),
    work=uploads.work,
    given_up=uploads.given_up,
    waits=(10, 60, 600),
    in_flight=2,
    in_flight_each=2,
)
# A run waits most of its time. Its limit is a little longer than the run's own.
CRAWL_QUEUE = Queue(
    model=CrawlRun,
    title=_("websites that are read in"),
    work=crawling.work,
    given_up=crawling.given_up,
    waits=(10, 60),
    in_flight=4,
    in_flight_each=1,
    longest_s=MAX_SECONDS + 120,
)


@shared_task(ignore_result=True)
def notice_models() -> None:
    """Queues the rules that another model must embed again."""
    notice_changes()


@shared_task(ignore_result=True)
def schedule_crawls() -> None:
    """Queues the crawls whose time has come."""
    crawler.schedule_crawls(as_of=timezone.now())


@shared_task(ignore_result=True)
def forget_unused() -> None:
    """Deletes vectors that no rule names, and crawls of old."""
    retention.forget_unused_vectors()
    retention.forget_old_crawls()
