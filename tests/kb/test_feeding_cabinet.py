"""Documents and the crawler in the cabinet: an account's own, by who may."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.kb.models import Crawler, CrawlRun, Rule, Source, Upload
from tests.cast import Rival, signed_in
from tests.client import ApiClient
from tests.factories import StaffFactory
from tests.factories.kb import CrawlerFactory, CrawlRunFactory, UploadFactory
from tests.kb import test_crawler, test_uploads
from tests.kb.sites import Given, Site, page, redirect

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


def test_several_documents_are_sent_at_once_and_each_is_judged_alone(cabinet: Client, shop: Widget) -> None:
    files = [
        dropped(test_uploads.PRICES, "Цены.csv"),
        dropped(b"\x7fELF\0\0", "setup.exe"),
        dropped("Роза".encode(), "a.txt"),
    ]
    answer = cabinet.post(f"{UPLOADS}add/", {"widget": shop.pk, "file": files})
    assert "setup.exe: " in answer.content.decode()
    assert [row.name for row in Upload.objects.order_by("pk")] == ["Цены.csv", "a.txt"]


def test_the_pages_script_sends_one_and_is_told_how_far_it_is(cabinet: Client, shop: Widget, rival: Rival) -> None:
    good, bad = (
        cabinet.post(f"{UPLOADS}add/", {"widget": shop.pk, "file": file}, headers={"Accept": "application/json"}).json()
        for file in (dropped(test_uploads.PRICES), dropped(b"\x7fELF\0\0", "setup.exe"))
    )
    assert [set(answer["documents"][0]) for answer in (good, bad)] == [
        {"id", "state", "is_over", "is_good", "address"},
        {"refusal"},
    ]
    row = Upload.objects.get()
    foreign = UploadFactory.create(widget=rival.widget)
    states = f"{UPLOADS}states/?ids={row.pk},{foreign.pk},x"
    (before,) = cabinet.get(states).json()["documents"]
    test_uploads.work_off()
    (after,) = cabinet.get(states).json()["documents"]
    assert [(each["id"], each["is_over"], each["is_good"]) for each in (before, after)] == [
        (row.pk, False, False),
        (row.pk, True, True),
    ]


@pytest.mark.parametrize(
    ("languages", "is_there", "said"),
    [
        ("", True, "KB_OCR_LANGUAGES"),
        ("rus+eng", False, "Tesseract is not installed"),
        ("rus+eng", True, "Scans are read by Tesseract in: rus, eng."),
    ],
)
def test_a_scan_that_was_told_names_whether_scans_are_read(
    cabinet: Client,
    shop: Widget,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    languages: str,
    is_there: bool,
    said: str,
) -> None:
    settings.KB_OCR_LANGUAGES = languages
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/tesseract" if is_there else None)
    cabinet.post(f"{UPLOADS}add/", {"widget": shop.pk, "file": dropped("Роза.".encode(), "Скан.txt")})
    row = Upload.objects.get()
    page = f"{UPLOADS}{row.pk}/change/"
    assert said not in cabinet.get(page, headers={"Accept-Language": "en"}).content.decode()
    Upload.objects.update(notes=[{"place": "page 2", "reason": "picture", "count": 1}])
    assert said in cabinet.get(page, headers={"Accept-Language": "en"}).content.decode()


def test_what_was_read_stands_beside_the_original(cabinet: Client, shop: Widget, viewer: Client) -> None:
    cabinet.post(f"{UPLOADS}add/", {"widget": shop.pk, "file": dropped("Роза стоит 90 рублей.".encode(), "Цены.txt")})
    test_uploads.work_off()
    row, source, rule = Upload.objects.get(), Source.objects.get(), Rule.objects.get()
    shown = cabinet.get(f"{UPLOADS}{row.pk}/read/", follow=True)
    assert shown.redirect_chain == [(f"/admin/kb/source/{source.pk}/change/", 302)]
    page = shown.content.decode()
    original = f"/admin/kb/source/{source.pk}/original/"
    assert f'src="{original}"' in page
    assert f"/admin/kb/rule/{rule.pk}/change/" in page
    assert "Роза стоит 90 рублей." in page
    assert "frame-src 'self'" in shown.headers["Content-Security-Policy"]
    file = viewer.get(original)
    assert (file.content.decode(), file.headers["Content-Type"]) == (
        "Роза стоит 90 рублей.",
        "text/plain; charset=utf-8",
    )
    assert file.headers["Content-Security-Policy"] == "frame-ancestors 'self'; sandbox"
    assert (
        f"/admin/kb/rule/{rule.pk}/change/" not in viewer.get(f"/admin/kb/source/{source.pk}/change/").content.decode()
    )
    other = signed_in(StaffFactory.create())
    assert other.get(original).status_code in (302, 404)


def test_what_is_no_document_is_refused_beside_the_field(cabinet: Client, shop: Widget) -> None:
    for content in (b"\x7fELF\0\0", b"a" * (10 * 1024 * 1024 + 1)):
        answer = cabinet.post(f"{UPLOADS}add/", {"widget": shop.pk, "file": dropped(content)})
        assert answer.status_code == 200
        assert "form-error" in answer.content.decode()
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


def test_an_address_without_its_scheme_is_of_https(cabinet: Client, shop: Widget) -> None:
    values = {"widget": shop.pk, "start_urls": "8.8.8.8\n", "max_pages": 10, "max_depth": 2}
    assert cabinet.post(f"{CRAWLERS}add/", values).status_code == 302
    assert Crawler.objects.get().start_urls == ["https://8.8.8.8"]


def test_the_owner_sees_page_by_page_what_was_taken(cabinet: Client, api: ApiClient, site: Site) -> None:
    site.pages = {
        "/": page("Начало страниц магазина.", "/scripts", "/gone", "/old", "/private"),
        "/scripts": Given("<html><body><div id='root'></div><script src='a.js'></script></body></html>"),
        "/old": redirect("/"),
        "/private": redirect("/login"),
    }
    test_crawler.crawled(api, site)
    shown = cabinet.get(f"{RUNS}{CrawlRun.objects.get().pk}/change/").content.decode()
    for path, outcome in {
        "/": "1 pieces",
        "/scripts": "It has no text before its scripts run, and they are not run.",
        "/gone": "The site answered 404.",
        "/old": "It leads to another page.",
        "/private": "It is for people who are signed in.",
    }.items():
        line = next(line for line in shown.split("<li>") if line.startswith(f"{site.url(path)} "))
        assert outcome in line


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
    assert answer.content.decode().count("form-error") >= 3
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
