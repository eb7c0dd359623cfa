"""Documents and the crawler in the cabinet: an account's own, by who may."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.kb.models import Crawler, CrawlRun, Rule, Source, Upload
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory
from tests.factories.kb import CrawlerFactory, CrawlRunFactory, UploadFactory
from tests.kb import test_crawler, test_uploads
from tests.kb.sites import Site, page

pytestmark = pytest.mark.django_db
UPLOADS, CRAWLERS, RUNS = "/admin/kb/upload/", "/admin/kb/crawler/", "/admin/kb/crawlrun/"


@pytest.fixture
def site(settings: Settings) -> Iterator[Site]:
    with Site({"/": page("Доставка стоит 300 рублей.", "/gone")}) as site:
        settings.EGRESS_ALLOW, settings.KB_CRAWL_PAUSE = [site.host], 0
        yield site


@pytest.fixture
def viewer(shop: Widget) -> Client:
    return signed_in(StaffFactory.create(account=shop.account, role="viewer"))


def dropped(content: bytes, name: str = "Прайс.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def test_a_document_is_dropped_read_and_deleted(cabinet: Client, shop: Widget) -> None:
    answer = cabinet.post(f"{UPLOADS}add/", {"widget": shop.pk, "file": dropped(test_uploads.PRICES)})
    assert answer.status_code == 302
    assert "Прайс.csv" in cabinet.get(UPLOADS).content.decode()
    test_uploads.work_off()
    row = Upload.objects.get()
    assert (row.state, Rule.objects.count()) == ("ready", 1)
    assert cabinet.get(f"{UPLOADS}{row.pk}/change/").status_code == 200
    assert cabinet.post(f"{UPLOADS}{row.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Upload.objects.exists()
    assert not Rule.objects.exists()


def test_what_is_no_document_is_refused_beside_the_field(cabinet: Client, shop: Widget) -> None:
    for content in (b"\x7fELF\0\0", b"a" * (10 * 1024 * 1024 + 1)):
        answer = cabinet.post(f"{UPLOADS}add/", {"widget": shop.pk, "file": dropped(content)})
        assert answer.status_code == 200
        assert "errorlist" in answer.content.decode()
    assert not Upload.objects.exists()


def test_a_failed_document_is_tried_again(cabinet: Client, shop: Widget) -> None:
    row = UploadFactory.create(widget=shop)
    assert row.error_detail in cabinet.get(f"{UPLOADS}{row.pk}/change/").content.decode()
    assert cabinet.post(f"{UPLOADS}{row.pk}/again/").status_code == 302
    row.refresh_from_db()
    assert (row.state, row.error_code) == ("queued", "")


def test_a_site_is_configured_crawled_and_left(cabinet: Client, shop: Widget, site: Site) -> None:
    values = {
        "widget": shop.pk,
        "start_urls": f"{site.url()}\n",
        "max_pages": 10,
        "max_depth": 2,
        "exclude_paths": "/x",
    }
    assert cabinet.get(f"{CRAWLERS}add/").status_code == 200
    assert cabinet.post(f"{CRAWLERS}add/", values).status_code == 302
    crawler = Crawler.objects.get()
    assert (crawler.start_urls, crawler.exclude_paths, crawler.use_sitemap) == ([site.url()], ["/x"], False)
    assert crawler.recrawl_every_hours is None
    run = CrawlRun.objects.get()
    assert cabinet.get(f"{RUNS}{run.pk}/change/").headers["Refresh"] == "5", "it shows how it goes"
    test_crawler.work_off()
    shown = cabinet.get(f"{RUNS}{run.pk}/change/")
    assert "Refresh" not in shown.headers
    assert "status_404" in shown.content.decode()
    assert cabinet.post(f"{CRAWLERS}{shop.pk}/change/", values | {"max_depth": 1}).status_code == 302
    assert Crawler.objects.get().max_depth == 1
    assert site.url() in cabinet.get(f"{CRAWLERS}{shop.pk}/change/").content.decode()
    assert cabinet.post(f"{CRAWLERS}{shop.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Crawler.objects.exists()
    assert not Source.objects.get().regenerates


def test_the_form_refuses_what_the_api_refuses(cabinet: Client, shop: Widget) -> None:
    values = {
        "widget": shop.pk,
        "start_urls": "https://127.0.0.1/",
        "max_pages": 2001,
        "max_depth": 2,
        "include_paths": "x",
    }
    answer = cabinet.post(f"{CRAWLERS}add/", values)
    assert answer.status_code == 200
    assert answer.content.decode().count("errorlist") >= 3
    assert not Crawler.objects.exists()


def test_viewers_read_and_other_accounts_see_nothing(
    viewer: Client, cabinet: Client, shop: Widget, rival: Rival
) -> None:
    rows = [(UPLOADS, UploadFactory), (CRAWLERS, CrawlerFactory), (RUNS, CrawlRunFactory)]
    for pages, factory in rows:
        own, foreign = (factory.create(widget=widget).pk for widget in (shop, rival.widget))
        assert cabinet.get(f"{pages}{foreign}/change/").status_code == 404
        assert viewer.get(f"{pages}{own}/change/").status_code == 200
        assert viewer.get(f"{pages}add/").status_code == 403
        assert viewer.post(f"{pages}{own}/delete/", {"post": "yes"}).status_code == 403
    assert viewer.post(f"{UPLOADS}{Upload.objects.for_widget(shop.pk).get().pk}/again/").status_code == 403
    foreign_widget = {"widget": rival.widget.pk, "file": dropped(test_uploads.PRICES)}
    assert cabinet.post(f"{UPLOADS}add/", foreign_widget).status_code == 200
    assert Upload.objects.for_widget(rival.widget.pk).count() == 1
