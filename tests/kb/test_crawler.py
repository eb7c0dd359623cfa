"""The crawler: its configuration, its runs, and what it does with real sites (design of the knowledge base, 4)."""

from __future__ import annotations

import gzip
import socket
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.kb.models import Crawler, CrawlPage, CrawlRun, Rule, Source
from apps.kb.rules.crawling import without_tracking
from apps.kb.tasks import CRAWL_QUEUE
from apps.leases import claims
from tests.cast import Rival, signed_in
from tests.client import ApiClient, assert_problem
from tests.factories import StaffFactory
from tests.hooks import hook
from tests.kb.sites import Given, Headers, Site, page, redirect

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(settings: Settings) -> Iterator[Site]:
    with Site() as site:
        settings.EGRESS_ALLOW = [site.host]
        settings.KB_CRAWL_PAUSE = 0
        yield site


def put(api: ApiClient, site: Site, **more: Any) -> Any:
    answer = api.put("/kb/crawler", json={"start_urls": [site.url()], "use_sitemap": False, **more})
    assert answer.status_code == 200, answer.content
    return answer.json()["data"]


def work_off() -> None:
    for lease in claims.claim(CRAWL_QUEUE, wanted=9):
        lease.run()


def crawled(api: ApiClient, site: Site, **more: Any) -> dict[str, Any]:
    """The run of a configuration, once it has ended."""
    put(api, site, **more)
    work_off()
    run: dict[str, Any] = api.get("/kb/crawler").json()["data"]["run"]
    assert run["state"] in ("done", "failed"), run
    return run


def reasons(run: dict[str, Any], site: Site) -> dict[str, str]:
    return {problem["url"].removeprefix(site.url("")): problem["reason"] for problem in run["problems"]}


def rules() -> dict[str, str]:
    """The text of each page's rules, by path."""
    found: dict[str, str] = {}
    for rule in Rule.objects.select_related("source").order_by("chunk_index"):
        path = "/" + rule.source.ref.split("/", 3)[3]
        found[path] = f"{found[path]} {rule.content}" if path in found else rule.content
    return found


class TestConfiguration:
    def test_defaults_and_one_queued_run(self, api: ApiClient, site: Site) -> None:
        assert api.get("/kb/crawler").json() == {"data": {"config": None, "run": None}}
        data = api.put("/kb/crawler", json={"start_urls": [site.url()]}).json()["data"]
        config, run = data["config"], data["run"]
        assert {name: config[name] for name in config if not name.endswith("_at")} == {
            "start_urls": [site.url()],
            "max_pages": 200,
            "max_depth": 3,
            "include_paths": [],
            "exclude_paths": [],
            "use_sitemap": True,
            "recrawl_every_hours": 168,
        }
        queued, following = (datetime.fromisoformat(at) for at in (run["queued_at"], config["next_run_at"]))
        assert following - queued == timedelta(hours=168)
        assert (run["state"], run["trigger"], run["started_at"], run["error"]) == ("queued", "put", None, None)
        assert set(run["pages"].values()) == {0}
        again = put(api, site, max_pages=5, recrawl_every_hours=None)
        assert again["run"]["id"] == run["id"], "a queued run stays"
        assert (again["config"]["max_pages"], again["config"]["next_run_at"]) == (5, None)
        assert api.get("/kb/crawler").json()["data"] == again
        assert put(api, site)["config"]["max_pages"] == 200, "what is left out takes its default"

    @pytest.mark.parametrize(
        ("values", "field"),
        [
            ({"start_urls": []}, "start_urls"),
            ({"start_urls": ["https://a.example/"] * 11}, "start_urls"),
            ({"start_urls": ["http://shop.example/"]}, "start_urls.0"),
            ({"start_urls": ["https://127.0.0.1/"]}, "start_urls.0"),
            ({"start_urls": ["https://user:word@8.8.8.8/"]}, "start_urls.0"),
            ({"start_urls": ["https://8.8.8.8/#part"]}, "start_urls.0"),
            ({"start_urls": ["https://8.8.8.8/" + "a" * 500]}, "start_urls.0"),
            ({"start_urls": ["https://8.8.8.8/" + "я" * 300]}, "start_urls.0"),
            ({"start_urls": ["https://8.8.8.8/", "https://8.8.8.8"]}, "start_urls.1"),
            ({"start_urls": [7]}, "start_urls.0"),
            ({"max_pages": 0}, "max_pages"),
            ({"max_pages": 2001}, "max_pages"),
            ({"max_depth": -1}, "max_depth"),
            ({"max_depth": 11}, "max_depth"),
            ({"include_paths": ["docs"]}, "include_paths.0"),
            ({"exclude_paths": ["/" + "a" * 255]}, "exclude_paths.0"),
            ({"exclude_paths": ["/a"] * 51}, "exclude_paths"),
            ({"recrawl_every_hours": 5}, "recrawl_every_hours"),
            ({"recrawl_every_hours": 721}, "recrawl_every_hours"),
            ({"use_sitemap": "yes"}, "use_sitemap"),
            ({"next_run_at": None}, "next_run_at"),
        ],
    )
    def test_bad_values_are_named_and_nothing_is_kept(self, api: ApiClient, values: Any, field: str) -> None:
        answer = api.put("/kb/crawler", json={"start_urls": ["https://8.8.8.8/"], **values})
        assert_problem(answer, 422, "invalid_input", errors=[field])
        assert not Crawler.objects.exists()
        assert not CrawlRun.objects.exists()

    def test_the_limits_themselves_are_taken(self, api: ApiClient) -> None:
        values = {
            "start_urls": [f"https://8.8.8.8/{number}" for number in range(10)],
            "max_pages": 2000,
            "max_depth": 0,
            "include_paths": ["/" + "a" * 254] * 50,
            "recrawl_every_hours": 6,
        }
        assert api.put("/kb/crawler", json=values).status_code == 200

    def test_while_a_crawl_runs_nothing_is_changed(self, api: ApiClient, site: Site) -> None:
        put(api, site)
        CrawlRun.objects.update(state="running")
        assert_problem(api.put("/kb/crawler", json={"start_urls": [site.url()]}), 409, "kb_crawl_running")
        assert_problem(api.delete("/kb/crawler"), 409, "kb_crawl_running")
        assert Crawler.objects.exists()

    def test_removal_cancels_a_queued_run_and_keeps_the_rules(self, api: ApiClient, site: Site) -> None:
        site.pages = {"/": page("Доставка стоит 300 рублей.")}
        assert api.delete("/kb/crawler").status_code == 204, "also without one"
        crawled(api, site)
        assert Source.objects.get().regenerates
        put(api, site)
        assert api.delete("/kb/crawler").status_code == 204
        data = api.get("/kb/crawler").json()["data"]
        assert (data["config"], data["run"]["state"]) == (None, "cancelled")
        assert data["run"]["finished_at"] is not None
        assert not Source.objects.get().regenerates
        work_off()
        assert api.get("/kb/crawler").json()["data"]["run"]["state"] == "cancelled"

    def test_removal_with_the_rules_leaves_those_by_hand(self, api: ApiClient, site: Site, rival: Rival) -> None:
        site.pages = {"/": page("Доставка стоит 300 рублей.", "/a"), "/a": page("Оплата картой.")}
        crawled(api, site)
        Source.objects.filter(ref__endswith="/a").update(type="manual")
        assert_problem(api.delete("/kb/crawler", query={"rules": "some"}), 422, "invalid_input", errors=["rules"])
        assert api.delete("/kb/crawler", query={"rules": "delete"}).status_code == 204
        assert list(rules().values()) == ["Оплата картой."]
        assert not CrawlPage.objects.exists()


class TestSchedule:
    def test_a_run_is_queued_when_its_time_has_come(self, api: ApiClient, site: Site, shop: Widget) -> None:
        site.pages = {"/": page("Доставка стоит 300 рублей.")}
        crawled(api, site, recrawl_every_hours=6)
        call_command("schedule_crawls")
        assert CrawlRun.objects.count() == 1
        later = timezone.now() + timedelta(hours=7)
        call_command("schedule_crawls", as_of=later.isoformat())
        call_command("schedule_crawls", as_of=later.isoformat())
        data = api.get("/kb/crawler").json()["data"]
        assert (data["run"]["state"], data["run"]["trigger"]) == ("queued", "schedule")
        assert CrawlRun.objects.count() == 2
        queued, following = (
            datetime.fromisoformat(at) for at in (data["run"]["queued_at"], data["config"]["next_run_at"])
        )
        assert following - queued == timedelta(hours=6)

    def test_a_crawler_that_never_comes_back_by_itself_is_left_alone(self, api: ApiClient, site: Site) -> None:
        crawled(api, site, recrawl_every_hours=None)
        call_command("schedule_crawls", as_of=(timezone.now() + timedelta(days=900)).isoformat())
        assert CrawlRun.objects.count() == 1


class TestPages:
    def test_links_are_followed_and_pages_become_rules(self, api: ApiClient, site: Site) -> None:
        site.pages = {
            "/": page("Мы продаём цветы в Москве и области.", "/delivery", "/pay#how", "https://other.example/"),
            "/delivery": page("Доставка стоит 300 рублей.", "/", title="Доставка"),
            "/pay": page("Оплата картой или наличными.", "/delivery?utm_source=mail&yclid=1"),
        }
        run = crawled(api, site)
        assert (run["state"], run["error"], run["problems"]) == ("done", None, [])
        assert run["pages"] == {
            "found": 3, "fetched": 3, "changed": 3, "unchanged": 0, "skipped": 0, "failed": 0, "removed": 0
        }  # fmt: skip
        assert run["rules_written"] == 3
        assert rules() == {
            "/": "Мы продаём цветы в Москве и области.",
            "/delivery": "Доставка стоит 300 рублей.",
            "/pay": "Оплата картой или наличными.",
        }
        source = Source.objects.get(ref=f"crawl:{site.url('/delivery')}")
        assert (source.type, source.url, source.doc_id) == ("crawl", site.url("/delivery"), site.url("/delivery"))
        assert (source.title, source.regenerates) == ("Доставка", True)
        assert site.paths() == ["/", "/delivery", "/pay"]
        agent = site.asked[0][1]["user-agent"]
        assert agent.startswith("ParleyBot/1.0 (+http")

    def test_depth_paths_and_the_most_pages(self, api: ApiClient, site: Site) -> None:
        site.pages = {
            "/": page("Начало страниц магазина.", "/a", "/shop/cart", "/news"),
            "/a": page("Первая страница магазина.", "/a/b"),
            "/a/b": page("Вторая страница магазина."),
            "/news": page("Новости магазина сегодня."),
        }
        run = crawled(api, site, max_depth=1, exclude_paths=["/shop/"], include_paths=["/a", "/shop"])
        assert reasons(run, site) == {"/a/b": "too_deep", "/shop/cart": "excluded", "/news": "excluded"}
        assert site.paths() == ["/", "/a"]
        assert run["pages"]["skipped"] == 3
        site.asked.clear()
        run = crawled(api, site, max_pages=2)
        assert (run["state"], run["pages"]["fetched"]) == ("done", 2)
        assert len(site.paths()) == 2

    def test_what_gives_no_rules_says_why(self, api: ApiClient, site: Site) -> None:
        site.pages = {
            "/": page(
                "Начало страниц магазина.",
                "/noindex",
                "/header",
                "/gone",
                "/error",
                "/pdf",
                "/empty",
                "/big",
                "/same",
                "/copy",
                "/binary",
                "/out",
                "/private",
                "/loop",
            ),
            "/noindex": page("Скрыто от всех.", "/behind", head='<meta name="robots" content="noindex">'),
            "/behind": page("За скрытой страницей."),
            "/header": Given(page("Скрыто заголовком.").body, headers={"X-Robots-Tag": "googlebot: index, noindex"}),
            "/error": Given("oops", status=500),
            "/pdf": Given(b"%PDF-1.4", kind="application/pdf"),
            "/empty": Given("<html><body></body></html>"),
            "/big": Given(b"<p>" + b"a " * 1_100_000),
            "/same": page("Начало страниц магазина."),
            "/copy": page("Это копия.", head='<link rel="canonical" href="/behind">'),
            "/binary": Given(b"\x00\x01\x02" * 100),
            "/out": redirect("https://other.example/"),
            "/private": redirect("http://169.254.169.254/latest"),
            "/loop": redirect("/loop?1"),
            **{f"/loop?{n}": redirect(f"/loop?{n + 1}") for n in range(1, 9)},
        }
        run = crawled(api, site)
        assert reasons(run, site) == {
            "/noindex": "noindex",
            "/header": "noindex",
            "/gone": "status_404",
            "/error": "status_500",
            "/pdf": "not_text",
            "/empty": "empty",
            "/big": "too_large",
            "/same": "duplicate",
            "/copy": "duplicate",
            "/binary": "not_text",
            "/out": "off_host",
            "/private": "off_host",
            "/loop?5": "redirects",
        }
        assert rules() == {"/": "Начало страниц магазина.", "/behind": "За скрытой страницей."}
        assert run["pages"]["failed"] == 4

    def test_links_marked_nofollow_are_not_followed(self, api: ApiClient, site: Site) -> None:
        site.pages = {
            "/": Given('<main><p>Начало страниц.</p><a rel="nofollow" href="/a">a</a><a href="/b">b</a></main>'),
            "/b": page("Вторая страница.", "/c", head='<meta name="ParleyBot" content="nofollow">'),
        }
        crawled(api, site)
        assert site.paths() == ["/", "/b"]

    def test_our_own_articles_are_not_read(self, api: ApiClient, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        """`own_article`: their text is knowledge already, and what a crawl had read of them goes."""
        site.pages = {
            "/": page("Начало страниц магазина.", "/help/flowers/ru/1-dostavka", "/help/flowers-2"),
            "/help/flowers/ru/1-dostavka": page("Доставка по городу."),
            "/help/flowers-2": page("Страница с похожим адресом."),
        }
        crawled(api, site)
        assert list(rules()) == ["/", "/help/flowers/ru/1-dostavka", "/help/flowers-2"]
        hook(monkeypatch, own_pages=lambda widget_id: [site.url("/help/flowers/")])
        asked = len(site.paths())
        run = crawled(api, site)
        assert reasons(run, site) == {"/help/flowers/ru/1-dostavka": "own_article"}
        assert (run["pages"]["skipped"], run["pages"]["removed"]) == (1, 1)
        assert list(rules()) == ["/", "/help/flowers-2"]
        assert "/help/flowers/ru/1-dostavka" not in site.paths()[asked:]

    def test_a_redirect_is_a_page_of_its_own(self, api: ApiClient, site: Site) -> None:
        site.pages = {"/": redirect("/start", 301), "/start": page("Начало страниц магазина.")}
        run = crawled(api, site, max_depth=0)
        assert (run["pages"]["found"], run["pages"]["changed"], run["problems"]) == (2, 1, [])
        assert list(rules()) == ["/start"]

    def test_a_start_page_that_redirects_to_its_www_form_brings_that_host_along(
        self, api: ApiClient, site: Site, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        port = site.host.rpartition(":")[2]
        hosts = [f"{name}:{port}" for name in ("shop.test", "www.shop.test", "blog.shop.test")]
        settings.EGRESS_ALLOW = hosts
        look_up = socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", lambda _, *more, **options: look_up("127.0.0.1", *more, **options))

        def start(headers: Headers) -> bytes:
            return str(page("Начало страниц магазина.", "/a", f"http://{hosts[2]}/a").body).encode()

        def by_host(headers: Headers) -> bytes:
            return b"" if headers["Host"] == hosts[0] else start(headers)

        site.pages = {"/": redirect(f"http://{hosts[1]}/start"), "/start": Given(by_host), "/a": page("Страница а.")}
        answer = api.put("/kb/crawler", json={"start_urls": [f"http://{hosts[0]}/"], "use_sitemap": False})
        assert answer.status_code == 200, answer.content
        work_off()
        refs = sorted(Source.objects.values_list("ref", flat=True))
        assert refs == [f"crawl:http://{hosts[1]}/a", f"crawl:http://{hosts[1]}/start"]

    def test_encodings_and_plain_text(self, api: ApiClient, site: Site) -> None:
        text = "Доставка по Москве стоит триста рублей."
        body = str(page(text).body)
        site.pages = {
            "/": Given(body.encode("cp1251"), kind="text/html; charset=windows-1251"),
            "/wrong": Given(body.replace("триста", "четыреста").encode("cp1251"), kind="text/html; charset=utf-8"),
            "/plain": Given("Просто текст о доставке.".encode(), kind="text/plain"),
        }
        crawled(api, site, start_urls=[site.url(path) for path in site.pages])
        assert rules() == {
            "/": text,
            "/wrong": text.replace("триста", "четыреста"),
            "/plain": "Просто текст о доставке.",
        }

    def test_calendars_and_session_ids_end(self, api: ApiClient, site: Site) -> None:
        links = [f"/calendar?day={day}" for day in range(40)] + ["/a;jsessionid=1", "/a?PHPSESSID=2", "/a?gclid=x"]
        site.pages = {"/": page("Начало страниц магазина.", *links)}
        run = crawled(api, site)
        assert len([path for path in site.paths() if path.startswith("/calendar")]) == 20
        assert len([path for path in site.paths() if path.startswith("/a")]) == 1
        assert run["state"] == "done"

    def test_a_full_knowledge_base_ends_the_run(self, api: ApiClient, site: Site, settings: Settings) -> None:
        settings.KB_MAX_RULES = 1
        site.pages = {"/": page("Начало страниц магазина.", "/a"), "/a": page("Вторая страница магазина.")}
        run = crawled(api, site)
        assert (run["state"], run["error"]["code"]) == ("failed", "kb_full")
        assert list(rules()) == ["/"]


class TestRobots:
    @pytest.mark.parametrize(
        ("robots", "asked"),
        [
            (Given("User-agent: *\nDisallow: /a\n", kind="text/plain"), ["/", "/b"]),
            (Given("User-agent: ParleyBot\nDisallow: /b\n\nUser-agent: *\nDisallow: /\n"), ["/", "/a"]),
            (Given("User-agent: *\nDisallow: /*a$\n"), ["/", "/b"]),
            (Given("no", status=403), ["/", "/a", "/b"]),
            (Given(""), ["/", "/a", "/b"]),
            (redirect("http://169.254.169.254/robots.txt"), ["/", "/a", "/b"]),
            (Given(b"\xff\xfe\x00garbage"), ["/", "/a", "/b"]),
        ],
    )
    def test_its_rules_are_kept(self, api: ApiClient, site: Site, robots: Given, asked: list[str]) -> None:
        site.pages = {
            "/robots.txt": robots,
            "/": page("Начало страниц магазина.", "/a", "/b"),
            "/a": page("Первая страница."),
            "/b": page("Вторая страница."),
        }
        run = crawled(api, site)
        assert site.paths() == asked
        assert set(reasons(run, site).values()) <= {"robots"}
        assert [path for path, _ in site.asked].count("/robots.txt") == 1

    @pytest.mark.parametrize(
        ("robots", "code"),
        [
            (Given("User-agent: *\nDisallow: /\n"), "robots_disallowed"),
            (Given("", status=503), "robots_unavailable"),
        ],
    )
    def test_a_site_that_lets_nothing_be_fetched_fails_the_run(
        self, api: ApiClient, site: Site, robots: Given, code: str
    ) -> None:
        site.pages = {"/robots.txt": robots, "/": page("Начало страниц магазина.")}
        run = crawled(api, site)
        assert (run["state"], run["error"]["code"], reasons(run, site)) == ("failed", code, {"/": "robots"})
        assert site.paths() == []

    def test_a_dead_site_and_a_private_one(self, api: ApiClient, site: Site, settings: Settings) -> None:
        put(api, site)
        settings.EGRESS_ALLOW = []
        work_off()
        run = api.get("/kb/crawler").json()["data"]["run"]
        assert run["error"]["code"] == "unreachable", "an address of http that is not allowed any more is none"
        with Site() as dead:
            settings.EGRESS_ALLOW = [dead.host]
            put(api, dead)
        work_off()
        run = api.get("/kb/crawler").json()["data"]["run"]
        assert (run["state"], run["error"]["code"]) == ("failed", "unreachable")

    def test_requests_are_apart_by_the_pause_and_the_sites_delay(
        self, api: ApiClient, site: Site, settings: Settings
    ) -> None:
        settings.KB_CRAWL_PAUSE = 0.2
        site.pages = {
            "/robots.txt": Given("User-agent: *\nCrawl-delay: 0.4\n"),
            "/": page("Начало страниц магазина.", "/a"),
            "/a": page("Первая страница."),
        }
        crawled(api, site)
        gaps = [after - before for before, after in zip(site.times, site.times[1:], strict=False)]
        assert gaps[0] >= 0.19
        assert gaps[1] >= 0.39

    def test_429_waits_once_as_long_as_it_says(self, api: ApiClient, site: Site) -> None:
        site.pages = {"/": Given("later", status=429, headers={"Retry-After": "1"})}
        run = crawled(api, site)
        assert site.paths() == ["/", "/"]
        assert site.times[-1] - site.times[-2] >= 0.9
        assert reasons(run, site) == {"/": "status_429"}


SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'
INDEX = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</sitemapindex>'


def locations(site: Site, kind: str, *paths: str) -> str:
    return "".join(f"<{kind}><loc>{path if '//' in path else site.url(path)}</loc></{kind}>" for path in paths)


class TestSitemaps:
    def test_pages_are_found_by_indexes_and_gzip_within_the_hosts(self, api: ApiClient, site: Site) -> None:
        inner = SITEMAP.format(locations(site, "url", "/b", "https://other.example/c", "http://10.0.0.1/"))
        site.pages = {
            "/robots.txt": Given(f"Sitemap: {site.url('/index.xml')}\nSitemap: https://other.example/map.xml\n"),
            "/index.xml": Given(INDEX.format(locations(site, "sitemap", "/inner.xml.gz", "http://10.0.0.1/s.xml"))),
            "/inner.xml.gz": Given(gzip.compress(inner.encode()), kind="application/gzip"),
            "/sitemap.xml": Given(SITEMAP.format(locations(site, "url", "/a", "/a", "/"))),
            "/": page("Начало страниц магазина."),
            "/a": page("Первая страница."),
            "/b": page("Вторая страница."),
        }
        run = crawled(api, site, use_sitemap=True)
        assert sorted(rules()) == ["/", "/a", "/b"]
        assert (run["pages"]["found"], run["problems"]) == (3, [])

    @pytest.mark.parametrize(
        "sitemap",
        [
            '<!DOCTYPE x [<!ENTITY a "b">]><urlset><url><loc>&a;</loc></url></urlset>',
            "<urlset><url><loc>/not closed",
            gzip.compress(bytes(11 * 1024 * 1024)),
            gzip.compress(b"<urlset/>")[:-9],
            b"\x1f\x8bnot gzip",
            "",
        ],
        ids=["entities", "not closed", "bomb", "cut", "no gzip", "empty"],
    )
    def test_a_bad_sitemap_is_none(self, api: ApiClient, site: Site, sitemap: str | bytes) -> None:
        site.pages = {"/sitemap.xml": Given(sitemap, kind="text/xml"), "/": page("Начало страниц магазина.")}
        run = crawled(api, site, use_sitemap=True)
        assert (run["state"], list(rules())) == ("done", ["/"])

    def test_indexes_that_list_themselves_end(self, api: ApiClient, site: Site) -> None:
        maps = [f"/m{n}.xml" for n in range(80)]
        site.pages = {
            "/": page("Начало страниц магазина."),
            "/sitemap.xml": Given(INDEX.format(locations(site, "sitemap", "/sitemap.xml", *maps))),
            **{name: Given(INDEX.format(locations(site, "sitemap", "/sitemap.xml", "/x.xml"))) for name in maps},
        }
        crawled(api, site, use_sitemap=True)
        assert len([path for path, _ in site.asked if path.endswith(".xml")]) == 50


FOOTER = "Интернет-магазин цветов «Ромашка», ИНН 7701234567, работаем ежедневно с девяти до двадцати одного."


def canonical(to: str) -> str:
    return f'<link rel="canonical" href="{to}">'


class TestCanonicals:
    """A canonical is a hint: it holds where the page that it names has the text."""

    PAGES = ("delivery", "pay", "returns")

    def texts(self) -> dict[str, str]:
        return {f"/{name}": f"Страница о том, как устроена тема {name}." for name in self.PAGES}

    def test_all_pages_that_name_the_front_page_are_kept(self, api: ApiClient, site: Site) -> None:
        site.pages = {
            "/": page("Начало страниц магазина.", *self.texts(), head=canonical("/")),
            **{path: page(text, head=canonical("/")) for path, text in self.texts().items()},
        }
        run = crawled(api, site)
        assert (run["problems"], sorted(rules())) == ([], ["/", *sorted(self.texts())])

    @pytest.mark.parametrize(
        "other", [Given("no", status=404), redirect("/delivery"), Given("<html></html>"), Given("x", status=500)]
    )
    def test_one_that_gives_no_rules_is_no_page(self, api: ApiClient, site: Site, other: Given) -> None:
        text = "Доставка стоит 300 рублей."
        site.pages = {
            "/": page("Начало.", "/delivery"), "/delivery": page(text, head=canonical("/d")), "/d": other
        }  # fmt: skip
        crawled(api, site)
        assert rules()["/delivery"] == text

    def test_a_circle_loses_none(self, api: ApiClient, site: Site) -> None:
        site.pages = {
            "/": page("Начало страниц.", "/a", "/b"),
            "/a": page("Первая страница магазина.", head=canonical("/b")),
            "/b": page("Вторая страница магазина.", head=canonical("/a")),
        }
        crawled(api, site)
        assert sorted(rules()) == ["/", "/a", "/b"]

    def test_a_copy_is_left_out(self, api: ApiClient, site: Site) -> None:
        text = "Букет из двадцати пяти красных роз стоит четыре тысячи рублей и собирается за один час в день заказа."
        site.pages = {
            "/": page("Начало страниц.", "/rose?color=red", "/rose"),
            "/rose?color=red": page(f"{text} Выбран красный.", head=canonical("/rose")),
            "/rose": page(text, head=canonical("/rose")),
        }
        run = crawled(api, site)
        assert reasons(run, site) == {"/rose?color=red": "duplicate"}
        assert rules()["/rose"] == text

    def test_a_page_of_much_else_is_kept(self, api: ApiClient, site: Site) -> None:
        first = "роза тюльпан пион ирис нарцисс гвоздика лилия хризантема гербера астра мимоза сирень василёк мак"
        second = "ваза горшок кашпо лейка секатор грунт удобрение лента бумага открытка корзина коробка шляпка шар"
        site.pages = {
            "/": page("Начало страниц.", "/list?page=2"),
            "/list?page=2": page(second, head=canonical("/list")),
            "/list": page(first),
        }
        crawled(api, site)
        assert sorted(rules()) == ["/", "/list", "/list?page=2"]


class TestWhatIsNoPage:
    @pytest.mark.parametrize("content", ["0; url=/new", "3;URL='/new'", "0;url=new"])
    def test_a_refresh_is_followed(self, api: ApiClient, site: Site, content: str) -> None:
        head = f'<meta http-equiv="Refresh" content="{content}">'
        site.pages = {"/": page("Вы будете перенаправлены.", head=head), "/new": page("Новая страница магазина.")}
        crawled(api, site)
        assert rules() == {"/new": "Новая страница магазина."}

    @pytest.mark.parametrize("content", ["600; url=/new", "0", "30", "0; url=/", "0; url=https://other.example/"])
    def test_a_refresh_that_leads_nowhere_is_none(self, api: ApiClient, site: Site, content: str) -> None:
        head = f'<meta http-equiv="refresh" content="{content}">'
        site.pages = {"/": page("Курсы обновляются сами.", head=head)}
        crawled(api, site)
        assert list(rules()) == ["/"]

    def test_a_page_of_scripts_alone_is_told_as_such(self, api: ApiClient, site: Site) -> None:
        told = "<noscript><p>Этот сайт не работает без JavaScript, включите его, пожалуйста.</p></noscript>"
        site.pages = {"/": Given(f'<html><body><div id="root"></div>{told}<script src="/a.js"></script></body></html>')}
        run = crawled(api, site)
        assert reasons(run, site) == {"/": "empty"}
        assert CrawlPage.objects.get().note == "needs_scripts"
        assert rules() == {}

    def test_a_page_of_placeholders_alone_is_one_of_scripts(self, api: ApiClient, site: Site) -> None:
        site.pages = {"/": Given("<html><body><main><h1>{{ title }}</h1><p>{{ text }}</p></main></body></html>")}
        run = crawled(api, site)
        assert reasons(run, site) == {"/": "empty"}
        assert CrawlPage.objects.get().note == "needs_scripts"
        assert rules() == {}

    def test_a_line_of_placeholders_alone_is_no_knowledge_and_others_are_told(
        self, api: ApiClient, site: Site, shop: Widget
    ) -> None:
        lines = "<p>Доставка стоит 300 рублей.</p><p>{{ banner }}</p><p>Осталось ${left} штук</p>"
        lines += "<p>&lt;%= sum %&gt;</p>"
        site.pages = {"/": Given(f"<html><body><main>{lines}</main></body></html>")}
        crawled(api, site)
        (text,) = rules().values()
        assert "Доставка стоит 300 рублей." in text
        assert "Осталось ${left} штук" in text
        assert "banner" not in text
        assert "sum" not in text
        assert CrawlPage.objects.get().note == "unfilled"
        owner = signed_in(StaffFactory.create(account=shop.account, role="owner"))
        source = Source.objects.get(type="crawl")
        shown = owner.get(f"/admin/kb/source/{source.pk}/change/", headers={"Accept-Language": "en"})
        assert shown.context["unfilled"] == ["Осталось ${left} штук"]
        assert "Its placeholders are filled in by scripts" in shown.content.decode()

    def test_a_page_with_little_text_beside_its_scripts_is_told(self, api: ApiClient, site: Site, shop: Widget) -> None:
        body = '<div id="app">Загружаем каталог…</div><script src="/a.js"></script>'
        site.pages = {"/": Given(f"<html><body>{body}</body></html>")}
        crawled(api, site)
        assert CrawlPage.objects.get().note == "few_words"
        owner = signed_in(StaffFactory.create(account=shop.account, role="owner"))
        source = Source.objects.get(type="crawl")
        shown = owner.get(f"/admin/kb/source/{source.pk}/change/", headers={"Accept-Language": "en"}).content.decode()
        assert "It has little text before its scripts run" in shown

    def test_what_stands_for_scripts_is_no_knowledge(self, api: ApiClient, site: Site) -> None:
        body = str(page("Доставка стоит 300 рублей.").body)
        told = "<noscript>Включите JavaScript, чтобы видеть цены.</noscript>"
        site.pages = {"/": Given(body.replace("</main>", f"{told}</main>"))}
        crawled(api, site)
        assert rules() == {"/": "Доставка стоит 300 рублей."}

    def test_a_login_page_is_told(self, api: ApiClient, site: Site) -> None:
        form = '<form><input type="email"><input type="password"></form>'
        site.pages = {
            "/": page("Начало страниц магазина.", "/orders", "/cabinet", "/login"),
            "/orders": redirect("/account/login?next=/orders"),
            "/cabinet": redirect("/enter"),
            "/enter": Given(f"<main><p>Введите почту и пароль, чтобы войти.</p>{form}</main>"),
            "/login": Given(f"<main><p>Введите почту и пароль для входа.</p>{form}</main>"),
        }
        run = crawled(api, site)
        assert reasons(run, site) == {"/orders": "login", "/enter": "login", "/login": "login"}
        assert list(rules()) == ["/"]

    def test_a_password_field_in_a_window_of_every_page_makes_no_login(self, api: ApiClient, site: Site) -> None:
        form = '<dialog><form><input type="password"></form></dialog>'
        site.pages = {"/": Given(f"<main><p>Доставка стоит 300 рублей.</p></main>{form}")}
        crawled(api, site)
        assert list(rules()) == ["/"]

    @pytest.mark.parametrize(
        ("address", "same"),
        [
            ("/a?sort=price&page=2", "/a?page=2"),
            ("/a?order=asc&orderby=date", "/a"),
            ("/a?_ga=1&srsltid=x&utm_content=y", "/a"),
            ("/a?replytocom=5", "/a"),
            ("/a?osCsid=abc&id=7", "/a?id=7"),
            ("/a?view=article&id=7", "/a?view=article&id=7"),
        ],
    )
    def test_parameters_that_make_no_other_page(self, address: str, same: str) -> None:
        assert without_tracking(address) == same


class TestRepeatedLines:
    def pages(self, *names: str, footer: str = FOOTER, note: str = "") -> dict[str, Given]:
        """A site whose pages all end with the same line, in markup that tells it from nothing."""

        def body(name: str) -> str:
            own = f"<p>Страница {name} рассказывает о своём.</p><p>Гарантия: 12 месяцев</p>"
            links = "".join(f'<a href="/{other}"></a>' for other in names)
            return f"<html><body><div>{own}{note}</div><div><p>{footer}</p></div>{links}</body></html>"

        return {"/": Given(body("start")), **{f"/{name}": Given(body(name)) for name in names}}

    def test_lines_that_most_pages_have_are_knowledge_once(self, api: ApiClient, site: Site) -> None:
        site.pages = self.pages("a", "b", "c", "d")
        crawled(api, site)
        found = rules()
        assert sorted(found) == ["/", "/a", "/b", "/c", "/d"]
        assert [path for path, text in found.items() if FOOTER in text] == ["/"]
        assert all("рассказывает о своём" in text and "Гарантия: 12 месяцев" in text for text in found.values())

    def test_a_page_that_changes_is_rid_of_them_at_once_and_the_others_stay(self, api: ApiClient, site: Site) -> None:
        site.pages = self.pages("a", "b", "c", "d")
        crawled(api, site)
        before = dict(Rule.objects.values_list("source__ref", "pk"))
        site.pages["/b"] = Given(str(site.pages["/b"].body).replace("о своём", "о новом"))
        run = crawled(api, site)
        assert (run["pages"]["changed"], run["rules_written"]) == (1, 1)
        assert FOOTER not in rules()["/b"]
        after = dict(Rule.objects.values_list("source__ref", "pk"))
        assert {ref for ref in before if before[ref] != after[ref]} == {f"crawl:{site.url('/b')}"}

    def test_a_line_of_all_pages_goes_wherever_it_stands(self, api: ApiClient, site: Site) -> None:
        def body(name: str, own: str) -> str:
            links = "".join(f'<a href="/{other}"></a>' for other in "abcd")
            inner = f"<p>Страница {name}.</p><p>Успейте купить!</p><p>{own}</p>"
            return f"<html><body><main>{inner}</main>{links}</body></html>"

        names = ["start", "a", "b", "c", "d"]
        site.pages = {f"/{name}".replace("start", ""): Given(body(name, f"Своё у {name}.")) for name in names}
        crawled(api, site)
        assert [path for path, text in rules().items() if "Успейте купить!" in text] == ["/"]
        site.pages["/b"] = Given(body("b", "Новое у b."))
        crawled(api, site)
        assert "Новое у b." in rules()["/b"]
        assert "Успейте купить!" not in rules()["/b"]

    def test_a_shared_line_with_a_placeholder_goes_from_the_first_page_too(self, api: ApiClient, site: Site) -> None:
        site.pages = self.pages("a", "b", "c", "d", note="<p>В корзине: {{ n }}</p>")
        crawled(api, site)
        assert not [text for text in rules().values() if "{{ n }}" in text]
        assert all("Гарантия: 12 месяцев" in text for text in rules().values())

    def test_few_pages_are_not_compared(self, api: ApiClient, site: Site) -> None:
        site.pages = self.pages("a", "b")
        crawled(api, site)
        assert all(FOOTER in text for text in rules().values())


class TestListedDates:
    def sitemap(self, site: Site, moment: str) -> Given:
        return Given(SITEMAP.format(f"<url><loc>{site.url('/a')}</loc><lastmod>{moment}</lastmod></url>"))

    @pytest.mark.parametrize(
        ("days", "asked"), [(-10, []), (+1, ["/a"]), (None, ["/a"])], ids=["before", "after", "unreadable"]
    )
    def test_a_page_that_has_not_changed_is_not_asked_for(
        self, api: ApiClient, site: Site, days: int | None, asked: list[str]
    ) -> None:
        moment = "some day" if days is None else (timezone.now() + timedelta(days=days)).date().isoformat()
        site.pages = {
            "/": page("Начало страниц магазина."), "/a": page("Первая страница.", "/b"), "/b": page("Вторая страница.")
        }  # fmt: skip
        site.pages["/sitemap.xml"] = self.sitemap(site, moment)
        crawled(api, site, use_sitemap=True)
        site.asked.clear()
        run = crawled(api, site, use_sitemap=True)
        assert site.paths() == ["/", *asked, "/b"]
        assert (run["pages"]["unchanged"], sorted(rules())) == (3, ["/", "/a", "/b"])

    @pytest.mark.parametrize(
        "moment", ["9999-12-31", "9999-12-31T23:59:59", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00"]
    )
    def test_a_date_that_no_calendar_has_is_ignored(self, api: ApiClient, site: Site, moment: str) -> None:
        site.pages = {"/": page("Начало страниц магазина."), "/a": page("Первая страница.")}
        site.pages["/sitemap.xml"] = self.sitemap(site, moment)
        run = crawled(api, site, use_sitemap=True)
        assert (run["state"], sorted(rules())) == ("done", ["/", "/a"])
        assert CrawlPage.objects.get(url=site.url("/a")).listed_at is None

    def test_a_listing_is_believed_for_a_month_and_never_without_rules(self, api: ApiClient, site: Site) -> None:
        site.pages = {"/": page("Начало страниц магазина."), "/a": page("Первая страница.")}
        site.pages["/sitemap.xml"] = self.sitemap(site, "2020-01-01")
        crawled(api, site, use_sitemap=True)
        CrawlPage.objects.update(read_at=timezone.now() - timedelta(days=31))
        site.asked.clear()
        crawled(api, site, use_sitemap=True)
        assert "/a" in site.paths()
        assert api.delete("/kb/rules", query={"source_ref": f"crawl:{site.url('/a')}"}).status_code == 200
        crawled(api, site, use_sitemap=True)
        assert sorted(rules()) == ["/", "/a"]


class TestRecrawl:
    def test_what_has_not_changed_is_not_written(self, api: ApiClient, site: Site) -> None:
        site.pages = {
            "/": Given(page("Начало страниц магазина.", "/a", "/b").body, headers={"ETag": '"1"'}),
            "/a": page("Первая страница."),
            "/b": page("Вторая страница."),
        }
        crawled(api, site)
        before = set(Rule.objects.values_list("pk", "updated_at"))
        site.pages["/b"] = page("Вторая страница стала другой.")
        site.pages["/a"] = Given(str(page("Первая страница.").body) + "<!-- another time -->")
        site.asked.clear()
        run = crawled(api, site)
        assert (run["pages"]["changed"], run["pages"]["unchanged"], run["rules_written"]) == (1, 2, 1)
        assert site.paths() == ["/", "/a", "/b"], "its links are known, though it was not sent again"
        assert site.asked[-3][1]["if-none-match"] == '"1"'
        assert len(before & set(Rule.objects.values_list("pk", "updated_at"))) == 2
        assert rules()["/b"] == "Вторая страница стала другой."

    def test_pages_that_are_gone_go(self, api: ApiClient, site: Site) -> None:
        site.pages = {
            "/": page("Начало страниц магазина.", "/gone", "/hidden", "/moved", "/unlinked", "/broken", "/slow"),
            **{f"/{name}": page(f"Страница {name}.") for name in ("gone", "hidden", "moved", "unlinked")},
            "/broken": page("Страница broken.", "/behind"),
            "/behind": page("Страница behind."),
        }
        crawled(api, site)
        assert len(rules()) == 7
        site.pages["/"] = page("Начало страниц магазина.", "/gone", "/hidden", "/moved", "/broken")
        site.pages["/gone"] = Given(status=410)
        site.pages["/hidden"] = page("Страница hidden.", head='<meta name="robots" content="none">')
        site.pages["/moved"] = redirect("/there")
        site.pages["/there"] = page("Страница there.")
        site.pages["/broken"] = Given(status=500)
        run = crawled(api, site)
        assert sorted(rules()) == ["/", "/behind", "/broken", "/there"]
        assert run["pages"]["removed"] == 4

    def test_a_run_that_was_cut_short_removes_nothing(self, api: ApiClient, site: Site) -> None:
        site.pages = {"/": page("Начало страниц.", "/a", "/b"), "/a": page("Страница а."), "/b": page("Страница б.")}
        crawled(api, site)
        site.pages["/"] = page("Начало страниц.", "/c", "/d")
        crawled(api, site, max_pages=1)
        assert sorted(rules()) == ["/", "/a", "/b"]

    def test_robots_that_now_refuse_take_the_rules_away_but_not_while_they_can_not_be_read(
        self, api: ApiClient, site: Site
    ) -> None:
        site.pages = {"/": page("Начало страниц.", "/a"), "/a": page("Страница а.")}
        crawled(api, site)
        site.pages["/robots.txt"] = Given(status=500)
        assert crawled(api, site)["error"]["code"] == "robots_unavailable"
        assert sorted(rules()) == ["/", "/a"]
        site.pages["/robots.txt"] = Given("User-agent: *\nDisallow: /a\n")
        crawled(api, site)
        assert sorted(rules()) == ["/"]

    def test_a_source_that_was_deleted_comes_back(self, api: ApiClient, site: Site) -> None:
        site.pages = {"/": Given(page("Начало страниц магазина.").body, headers={"ETag": '"1"'})}
        crawled(api, site)
        ref = Source.objects.get().ref
        assert api.delete("/kb/rules", query={"source_ref": ref}).status_code == 200
        assert rules() == {}
        crawled(api, site)
        assert list(rules()) == ["/"]


class TestLeases:
    def test_a_run_that_is_told_to_stop_is_given_back_whole(self, api: ApiClient, site: Site) -> None:
        site.pages = {"/": page("Начало страниц.", "/a"), "/a": page("Страница а.")}
        put(api, site)
        (lease,) = claims.claim(CRAWL_QUEUE, wanted=1)
        lease.stop()
        lease.run()
        row = CrawlRun.objects.get()
        assert (row.state, row.claim_id, row.claims) == ("running", None, 0)
        work_off()
        assert CrawlRun.objects.get().state == "done"
        assert site.paths() == ["/", "/a"]

    def test_after_three_lost_leases_it_has_crashed(self, api: ApiClient, site: Site) -> None:
        put(api, site)
        CrawlRun.objects.update(claims=3, state="running")
        work_off()
        run = api.get("/kb/crawler").json()["data"]["run"]
        assert (run["state"], run["error"]["code"]) == ("failed", "crashed")

    def test_a_worker_without_its_lease_writes_nothing(self, api: ApiClient, site: Site) -> None:
        site.pages = {"/": page("Начало страниц.")}
        put(api, site)
        (late,) = claims.claim(CRAWL_QUEUE, wanted=1)
        CrawlRun.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        (again,) = claims.claim(CRAWL_QUEUE, wanted=1)
        late.run()
        assert not CrawlPage.objects.exists()
        again.run()
        assert list(rules()) == ["/"]
