"""How long the knowledge base keeps what nothing names any more: vectors of deleted texts, and crawls of old."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from apps.kb.actions.bases import locked_base
from apps.kb.models import CrawlPage, CrawlRun, Embedding, KnowledgeBase, Rule
from apps.kb.rules.crawling import ACTIVE

# A text that comes back within that time is not paid for again.
VECTORS_KEPT = timedelta(days=7)
CRAWLS_KEPT = timedelta(days=90)
BATCH = 500


def forget_unused_vectors() -> int:
    """Deletes vectors older than VECTORS_KEPT whose text no rule has; returns how many. Harmless when run twice."""
    return sum(
        _forget_vectors(widget_id)
        for widget_id in KnowledgeBase.objects.unscoped("every widget's rows").values_list("widget_id", flat=True)
    )


@transaction.atomic
def _forget_vectors(widget_id: int) -> int:
    """Deletes unused vectors; writers of rules look for theirs under the same lock."""
    locked_base(widget_id)
    named = Rule.objects.for_widget(widget_id).filter(digest=OuterRef("digest"))
    unused = Embedding.objects.for_widget(widget_id).filter(~Exists(named), created_at__lt=Now() - VECTORS_KEPT)
    return unused._raw_delete(using=unused.db)


def forget_old_crawls() -> int:
    """Deletes crawls that ended more than CRAWLS_KEPT ago, but none that pages were seen by last, nor a widget's last
    one; returns how many. A batch a transaction; harmless when run twice at once."""
    forgotten = 0
    while True:
        later = CrawlRun.objects.unscoped("each run's widget").filter(
            widget_id=OuterRef("widget_id"), pk__gt=OuterRef("pk")
        )
        seen = CrawlPage.objects.unscoped("each run's own pages").filter(
            widget_id=OuterRef("widget_id"), run_id=OuterRef("pk")
        )
        old = CrawlRun.objects.unscoped("every widget's rows").filter(
            Exists(later), ~Exists(seen), queued_at__lt=Now() - CRAWLS_KEPT
        )
        with transaction.atomic():
            chosen = old.exclude(state__in=ACTIVE).order_by("pk").values("pk")[:BATCH]
            deleted, _ = (
                CrawlRun.objects.unscoped("every widget's rows")
                .filter(pk__in=chosen.select_for_update(skip_locked=True))
                .delete()
            )
        forgotten += deleted
        if deleted < BATCH:
            return forgotten
