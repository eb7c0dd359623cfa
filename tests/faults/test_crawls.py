"""A crawl and a document that is read, under kill -9: nothing is lost, and only the page in flight is fetched again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone
from pytest_django import Settings

from apps.demo.servers.language_models import Vendor, vectors
from apps.kb.actions.crawler import replace_crawler
from apps.kb.actions.documents import replace_document
from apps.kb.models import CrawlPage, CrawlRun, Embedding, KnowledgeBase, Rule, Source, Upload
from apps.kb.rules.documents import Chunk
from apps.kb.rules.texts import SourceType
from apps.kb.tasks import CRAWL_QUEUE, EMBEDDING_QUEUE, UPLOAD_QUEUE
from apps.leases.queues import Queue
from apps.leases.runner import Runner
from tests.factories import WidgetFactory
from tests.factories.ai import CredentialFactory
from tests.factories.kb import UploadFactory
from tests.faults.conftest import Figures
from tests.faults.failpoints import restore, run_apart, state
from tests.kb.sites import Given, Site, page
from tests.webhooks.receivers import wait_until

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]
LINKS = ("/a", "/b", "/c")


@pytest.fixture
def site(settings: Settings) -> Iterator[Site]:
    pages = {
        "/": Given(page("Начало страниц магазина.", *LINKS).body, headers={"ETag": '"1"'}),
        **{link: page(f"Страница {link} магазина.") for link in LINKS},
    }
    with Site(pages) as site:
        settings.EGRESS_ALLOW, settings.KB_CRAWL_PAUSE = [site.host], 0
        yield site


def work_off(queue: Queue) -> str:
    """What a worker process does, until nothing is due; it ends in order."""
    runner = Runner([queue])
    runner.wake()
    wait_until(lambda: not queue.model.objects.filter(due_at__lte=timezone.now()).exists(), seconds=60)
    assert runner.stop(5)
    return "done"


def run_out(queue: Queue) -> None:
    queue.model.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())


@pytest.mark.slow
def test_a_killed_crawl_goes_on_where_its_frontier_stands(site: Site, figures: Figures) -> None:
    widget = WidgetFactory.create()
    values = {"start_urls": [site.url()], "max_pages": 20, "max_depth": 2, "include_paths": [], "exclude_paths": []}
    replace_crawler(widget_id=widget.pk, values={**values, "use_sitemap": False, "recrawl_every_hours": 24})
    before = state()
    points = run_apart(lambda: work_off(CRAWL_QUEUE)).passed
    again: Counter[int] = Counter()
    for number in range(1, len(points) + 1, max(1, len(points) // 12)):
        restore(before)
        site.asked.clear()
        run_apart(lambda: work_off(CRAWL_QUEUE), killed_at=number)
        run_out(CRAWL_QUEUE)
        run_apart(lambda: work_off(CRAWL_QUEUE))
        run = CrawlRun.objects.get()
        assert (run.state, run.found, run.fetched, run.changed) == ("done", 4, 4, 4), points[number - 1]
        assert (run.failed, run.rules_written, CrawlPage.objects.count()) == (0, 4, 4)
        assert (Rule.objects.count(), Source.objects.count(), KnowledgeBase.objects.get().rules) == (4, 4, 4)
        times = Counter(site.paths())
        assert set(times) == {"/", *LINKS}
        assert sum(times.values()) - 4 <= 1, "only the page in flight"
        again[sum(times.values()) - 4] += 1
    assert set(again) == {0, 1}
    figures.add(
        "R7", f"a crawl of 4 pages: {len(points)} points, {again.total()} kills, {again[1]} pages fetched twice"
    )


@pytest.mark.slow
def test_a_document_whose_reader_is_killed_becomes_rules_once(figures: Figures) -> None:
    content = "# A\n\nодин\n\n# B\n\nдва\n"
    key = default_storage.save("aa/document", ContentFile(content.encode()))
    row = UploadFactory.create(name="a.md", content_type="text/markdown", storage_key=key, state="queued")
    Upload.objects.filter(pk=row.pk).update(due_at=timezone.now(), error_code="", error_detail="")
    before = state()
    points = run_apart(lambda: work_off(UPLOAD_QUEUE)).passed
    for number in range(1, len(points) + 1):
        restore(before)
        run_apart(lambda: work_off(UPLOAD_QUEUE), killed_at=number)
        run_out(UPLOAD_QUEUE)
        run_apart(lambda: work_off(UPLOAD_QUEUE))
        row.refresh_from_db()
        assert (row.state, row.error_code) == ("ready", ""), points[number - 1]
        assert sorted(Rule.objects.values_list("content", flat=True)) == ["два", "один"]
        assert KnowledgeBase.objects.get().rules == 2
    figures.add("R7", f"a document that is read: {len(points)} points")


@pytest.mark.slow
def test_a_killed_batch_is_embedded_again_and_no_other(settings: Settings, figures: Figures) -> None:
    """The vectors of a batch are one transaction: at most the batch in flight is paid twice."""
    widget = WidgetFactory.create()
    with Vendor() as vendor:
        settings.EGRESS_ALLOW, vendor.answer = [vendor.host], vectors
        url = f"{vendor.url}/v1"
        CredentialFactory.create(
            widget=widget, provider="openai_compatible", base_url=url, target=url, embedding_model="e-1"
        )
        chunks = [Chunk("", f"chunk {number}") for number in range(130)]
        source = {"source_ref": "upload:1", "source_type": SourceType.UPLOAD, "title": "", "doc_id": None, "url": None}
        replace_document(widget_id=widget.pk, chunks=chunks, **source)
        before = state()
        points = run_apart(lambda: work_off(EMBEDDING_QUEUE)).passed
        for number in range(1, len(points) + 1, max(1, len(points) // 12)):
            restore(before)
            vendor.asked.clear()
            run_apart(lambda: work_off(EMBEDDING_QUEUE), killed_at=number)
            run_out(EMBEDDING_QUEUE)
            run_apart(lambda: work_off(EMBEDDING_QUEUE))
            base = KnowledgeBase.objects.get()
            assert (base.ready, base.pending, Embedding.objects.count()) == (130, 0, 130), points[number - 1]
            asked = [text for one in vendor.asked for text in one.json["input"]]
            assert len(set(asked)) == 130
            assert len(asked) - 130 <= 64, "only the batch in flight"
    figures.add("R7", f"130 chunks that are embedded: {len(points)} points")
