"""The crawler's configuration, and the runs that are queued by it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from apps.kb.actions.bases import locked_base
from apps.kb.actions.documents import delete_sources
from apps.kb.errors import KB_CRAWL_RUNNING
from apps.kb.models import Crawler, CrawlPage, CrawlRun, Source
from apps.kb.rules.crawling import ACTIVE, CrawlRunState, Trigger
from apps.kb.rules.texts import SourceType
from apps.leases import wake_workers

SCHEDULED_AT_ONCE = 500


@transaction.atomic
def replace_crawler(*, widget_id: int, values: Mapping[str, Any]) -> Crawler:
    """Makes these values, whole, the widget's configuration, and leaves one queued run.

    `start_urls` are vetted already. Raises KB_CRAWL_RUNNING (409).
    """
    locked_base(widget_id)
    run = _active(widget_id)
    if run is not None and run.state == CrawlRunState.RUNNING:
        raise KB_CRAWL_RUNNING()
    crawler, _ = Crawler.objects.for_widget(widget_id).update_or_create(
        widget_id=widget_id, defaults={**values, "updated_at": timezone.now()}
    )
    if run is None:
        run = _queue(crawler, Trigger.PUT)
    elif run.claim_id is not None:
        _take_back(run)
    _plan(crawler, run)
    Source.objects.for_widget(widget_id).filter(type=SourceType.CRAWL).update(
        regenerates=bool(crawler.recrawl_every_hours)
    )
    wake_workers()
    return crawler


@transaction.atomic
def delete_crawler(*, widget_id: int, delete_rules: bool) -> None:
    """Removes the configuration, and cancels a queued run. Rules that are kept no longer regenerate.

    Harmless without a configuration. Raises KB_CRAWL_RUNNING (409).
    """
    locked_base(widget_id)
    run = _active(widget_id)
    if run is not None and run.state == CrawlRunState.RUNNING:
        raise KB_CRAWL_RUNNING()
    if run is not None:
        run.state, run.finished_at, run.due_at = CrawlRunState.CANCELLED, timezone.now(), None
        run.save(update_fields=["state", "finished_at", "due_at"])
        _take_back(run)
    Crawler.objects.for_widget(widget_id).delete()
    CrawlPage.objects.for_widget(widget_id)._raw_delete(using="default")
    crawled = Source.objects.for_widget(widget_id).filter(type=SourceType.CRAWL)
    if delete_rules:
        delete_sources(widget_id=widget_id, sources=crawled)
    else:
        crawled.update(regenerates=False)


def schedule_crawls(*, as_of: datetime) -> int:
    """Queues a run of each crawler whose time has come; returns how many. Harmless when run twice at once."""
    due = Crawler.objects.unscoped("every widget's rows").filter(next_run_at__lte=as_of).order_by("next_run_at")
    return sum(_schedule(widget_id, as_of) for widget_id in due.values_list("pk", flat=True)[:SCHEDULED_AT_ONCE])


@transaction.atomic
def _schedule(widget_id: int, as_of: datetime) -> bool:
    locked_base(widget_id)
    crawler = Crawler.objects.for_widget(widget_id).filter(next_run_at__lte=as_of).first()
    if crawler is None or _active(widget_id) is not None:
        return False
    _plan(crawler, _queue(crawler, Trigger.SCHEDULE))
    wake_workers()
    return True


def _active(widget_id: int) -> CrawlRun | None:
    """The queued or running run, locked."""
    return CrawlRun.objects.for_widget(widget_id).filter(state__in=ACTIVE).select_for_update().first()


def _take_back(run: CrawlRun) -> None:
    """A worker that has just taken the run, by another configuration, finds its lease lost."""
    run.lease_until = run.claim_id = None
    run.save(update_fields=["lease_until", "claim_id"])


def _queue(crawler: Crawler, trigger: Trigger) -> CrawlRun:
    now = timezone.now()
    return CrawlRun.objects.create(widget_id=crawler.pk, trigger=trigger, queued_at=now, due_at=Now())


def _plan(crawler: Crawler, run: CrawlRun) -> None:
    hours = crawler.recrawl_every_hours
    crawler.next_run_at = None if hours is None else run.queued_at + timedelta(hours=hours)
    crawler.save(update_fields=["next_run_at"])
