"""Entry points of articles' background work."""

from celery import shared_task
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from apps.articles.actions import domains, drafting, import_runs, knowledge, publishing, retention, telling
from apps.articles.models import ArticleDraft, ArticleImport, ArticleTold
from apps.leases import Queue

# A site of many pages takes its time. Texts that were written before a worker was lost stay written.
IMPORT_QUEUE = Queue(
    model=ArticleImport,
    title=_("articles that are imported"),
    work=import_runs.work,
    given_up=import_runs.given_up,
    waits=(10, 60),
    in_flight=2,
    in_flight_each=1,
    longest_s=45 * 60,
)
DRAFT_QUEUE = Queue(
    model=ArticleDraft,
    title=_("drafts of articles"),
    work=drafting.work,
    given_up=drafting.given_up,
    in_flight=2,
    in_flight_each=1,
    longest_s=180,
)
TELLING_QUEUE = Queue(
    model=ArticleTold,
    title=_("visitors who are told of an article"),
    work=telling.work,
    given_up=telling.given_up,
    in_flight=4,
    in_flight_each=2,
)


@shared_task
def publish_due() -> int:
    return publishing.publish_due(as_of=timezone.now())


@shared_task(ignore_result=True)
def follow_articles() -> None:
    """Writes AI's rules of articles that are due, and the searched words of those that came by an import."""
    knowledge.follow_articles()


@shared_task(ignore_result=True)
def forget_old() -> None:
    """Forgets readers, figures and searches of old, and words that no article has."""
    retention.forget_old(as_of=timezone.now())
    knowledge.forget_words()


@shared_task(ignore_result=True)
def check_domains() -> None:
    """Looks for the records of help centers' own domains."""
    domains.check_domains()
