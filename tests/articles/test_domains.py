"""A help center's own domain: its proof, what stands there, and what does not."""

import json
from datetime import datetime, timedelta
from io import StringIO
from typing import Any
from unittest.mock import ANY

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import RequestFactory
from django.utils import timezone

from apps.accounts.models import Widget
from apps.articles.actions import domains
from apps.articles.actions.domains import check_domains, set_domain
from apps.articles.events import HelpCenterChanged
from apps.articles.models import Article, HelpCenter
from apps.articles.rules.domains import DomainProblem, domain_refusal, problem_of, standing_after
from apps.articles.rules.states import DomainState
from config.direct import DirectApplication
from config.own_domains import OwnDomains
from tests.cast import Rival
from tests.client import ApiClient, assert_problem, client
from tests.factories.articles import an_article

pytestmark = pytest.mark.django_db

DOMAIN = "help.flowers.example"
NOTHING = dict.fromkeys(("name", "state", "txt_name", "txt_value", "problem", "checked_at"))
BROWSER = "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0"
_application = OwnDomains(DirectApplication(lambda environ, start: start("299 Django", []) or [b"django"]))


class Dns:
    """The records of names; `is_away` answers nothing."""

    def __init__(self) -> None:
        self.records: dict[str, list[str]] = {}
        self.is_away = False

    def __call__(self, name: str, *, timeout: float) -> list[str] | None:
        return None if self.is_away else self.records.get(name, [])


@pytest.fixture
def dns(monkeypatch: pytest.MonkeyPatch) -> Dns:
    found = Dns()
    monkeypatch.setattr(domains, "text_records", found)
    return found


@pytest.fixture
def center(shop: Widget) -> HelpCenter:
    return HelpCenter.objects.create(widget=shop, is_public=True, slug="shop", default_language="en")


@pytest.fixture
def article(shop: Widget, center: HelpCenter) -> Article:
    return an_article(shop, published=True)


@pytest.fixture
def own(shop: Widget, center: HelpCenter) -> HelpCenter:
    return set_domain(widget_id=shop.pk, domain=DOMAIN, is_vouched=True)


def at(
    path: str, host: str = DOMAIN, method: str = "GET", body: str = "", **headers: str
) -> tuple[int, dict[str, str], str]:
    """The answer of the web process to a request for that host."""
    kind = "application/x-www-form-urlencoded"
    sent = {"Host": host, "User-Agent": BROWSER, **headers}
    request = RequestFactory().generic(method, path, body, content_type=kind, headers=sent)
    started: dict[str, Any] = {}

    def start(status: str, headers: list[tuple[str, str]]) -> None:
        started.update(status=int(status.split()[0]), headers=dict(headers))

    content = b"".join(_application(request.environ, start))
    return started["status"], started["headers"], content.decode("utf-8", "replace")


def row(shop: Widget) -> HelpCenter:
    return HelpCenter.objects.for_widget(shop.pk).get()


# --- The rules --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "help", "a.localhost", "_a.example", "a." * 20 + "example"])
def test_addresses_and_single_labels_are_no_domains(host: str) -> None:
    assert domain_refusal(host) is not None
    assert domain_refusal(DOMAIN) is None


def test_the_record_proves_and_nothing_else_does() -> None:
    assert problem_of(["v=spf1", " parley-domain=ab "], "ab") is None
    assert problem_of(["parley-domain=abc"], "ab") is DomainProblem.OTHER_VALUE
    assert problem_of(["ab"], "ab") is DomainProblem.NO_RECORD
    assert problem_of([], "ab") is DomainProblem.NO_RECORD
    assert problem_of(None, "ab") is DomainProblem.NO_ANSWER


def test_seven_days_without_the_record_end_a_verified_domain() -> None:
    now, problem = timezone.now(), DomainProblem.NO_RECORD
    state, _, since = standing_after(DomainState.VERIFIED, problem, failed_since=None, now=now)
    assert (state, since) == (DomainState.VERIFIED, now)

    def after(days: float) -> DomainState:
        moment = now + timedelta(days=days)
        return standing_after(DomainState.VERIFIED, problem, failed_since=now, now=moment).state

    assert (after(6.9), after(7)) == (DomainState.VERIFIED, DomainState.LAPSED)
    assert standing_after(DomainState.LAPSED, None, failed_since=now, now=now) == (DomainState.VERIFIED, None, None)
    assert (
        standing_after(DomainState.PENDING, problem, failed_since=now, now=now + timedelta(days=9)).state == "pending"
    )


# --- The proof --------------------------------------------------------------------------------------------------------


def test_a_domain_is_named_and_proved(api: ApiClient, shop: Widget, dns: Dns, told: list[Any]) -> None:
    named = api.put("/help-center/domain", json={"domain": "Help.Flowers.Example."}).json()["data"]
    token = named["txt_value"].removeprefix("parley-domain=")
    assert named == {
        **NOTHING,
        "name": DOMAIN,
        "state": "pending",
        "txt_name": f"_parley.{DOMAIN}",
        "txt_value": f"parley-domain={token}",
    }
    assert (len(token), int(token, 16) > 0, told) == (32, True, [])
    assert api.put("/help-center/domain", json={"domain": DOMAIN}).json()["data"] == named

    dns.records[f"_parley.{DOMAIN}"] = ["parley-domain=another"]
    wrong = api.post("/help-center/domain/check").json()["data"]
    assert wrong == {**named, "problem": "other_value", "checked_at": ANY}
    dns.records[f"_parley.{DOMAIN}"] = [named["txt_value"]]
    proved = api.post("/help-center/domain/check").json()["data"]
    assert proved == {**named, "state": "verified", "checked_at": ANY}
    assert told == [HelpCenterChanged(widget_id=shop.pk, changed=("domain",))]
    assert api.get("/help-center").json()["data"]["domain"] == proved

    assert api.put("/help-center/domain", json={"domain": None}).json()["data"] == NOTHING
    assert api.get("/help-center").json()["data"]["domain"] is None


@pytest.mark.parametrize(
    "domain",
    [
        *("", "localhost", "help", "10.0.0.1", "[::1]", "https://a.example", "a.example/x", "a b.example"),
        *("*.a.example", "testserver", "a..example", "a" * 64 + ".example"),
    ],
)
def test_a_wrong_domain_is_refused(api: ApiClient, shop: Widget, own: HelpCenter, domain: str) -> None:
    assert_problem(api.put("/help-center/domain", json={"domain": domain}), 422, "invalid_input", errors=["domain"])
    assert row(shop).domain == DOMAIN


def test_a_host_of_the_installation_is_refused(api: ApiClient, settings: Any) -> None:
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = "https://chat.example.com", ["testserver", ".inner.example"]
    for domain in ("chat.example.com", "a.inner.example"):
        assert_problem(api.put("/help-center/domain", json={"domain": domain}), 422, "invalid_input", errors=["domain"])


def test_another_widgets_domain_is_taken(api: ApiClient, rival: Rival, rival_api: ApiClient) -> None:
    api.put("/help-center/domain", json={"domain": DOMAIN})
    assert_problem(rival_api.put("/help-center/domain", json={"domain": DOMAIN}), 409, "domain_taken")
    assert not HelpCenter.objects.for_widget(rival.widget.pk).exists()
    assert_problem(rival_api.post("/help-center/domain/check"), 404, "not_found")


def test_domains_are_looked_at_daily(shop: Widget, center: HelpCenter, dns: Dns, told: list[Any]) -> None:
    token = set_domain(widget_id=shop.pk, domain=DOMAIN).domain_token
    dns.records[f"_parley.{DOMAIN}"] = [f"parley-domain={token}"]
    assert check_domains() == 1
    assert row(shop).domain_state == DomainState.VERIFIED
    dns.is_away = True
    check_domains()
    assert (row(shop).domain_state, row(shop).domain_problem) == (DomainState.VERIFIED, "no_answer")
    assert at("/en/")[0] == 200
    HelpCenter.objects.for_widget(shop.pk).update(domain_failed_since=days_ago(7))
    check_domains()
    assert row(shop).domain_state == DomainState.LAPSED
    assert at("/en/")[0] == 299  # Django refuses the host
    assert [event.changed for event in told] == [("domain",), ("domain",)]


def days_ago(days: int) -> datetime:
    return timezone.now() - timedelta(days=days)


def test_the_installation_vouches_for_inner_names(shop: Widget, dns: Dns) -> None:
    def told(*options: str) -> Any:
        out = StringIO()
        call_command("help_domain", "--widget", str(shop.guid), *options, "--json", stdout=out)
        return json.loads(out.getvalue())

    vouched = {**NOTHING, "name": DOMAIN, "state": "verified", "checked_at": ANY}
    assert told("--domain", DOMAIN)["state"] == "pending"
    assert told("--domain", DOMAIN, "--confirm") == vouched
    assert check_domains() == 0
    assert told("--domain", DOMAIN) == vouched
    assert told("--remove") == NOTHING
    with pytest.raises(CommandError, match="domain"):
        told("--domain", "localhost")
    with pytest.raises(CommandError, match="no such widget"):
        call_command("help_domain", "--widget", "0" * 32, "--remove")


# --- What stands there ------------------------------------------------------------------------------------------------


def test_a_verified_host_has_its_help_center_at_the_root(article: Article, own: HelpCenter) -> None:
    assert at("/", **{"Accept-Language": "en"})[1]["Location"] == "/en/"
    status, headers, page = at(f"/en/{article.pk}-returns")
    assert (status, headers["Content-Language"]) == (200, "en")
    for line in (
        f'<link rel="canonical" href="https://{DOMAIN}/en/{article.pk}-returns">',
        'action="/en/search"',
        f'action="/en/{article.pk}-returns/feedback"',
        '<a class="brand" href="/en/">',
    ):
        assert line in page
    assert "/help/shop" not in page
    assert at("/robots.txt")[2] == f"User-agent: *\nAllow: /\n\nSitemap: https://{DOMAIN}/sitemap.xml\n"
    assert f"<loc>https://{DOMAIN}/en/{article.pk}-returns</loc>" in at("/sitemap.xml")[2]
    assert f"(https://{DOMAIN}/en/{article.pk}-returns.md)" in at("/llms.txt")[2]


@pytest.mark.parametrize(
    "path",
    [
        *("/admin/", "/api/v1/chats", "/api/schema", "/console/", "/healthz", "/demo/", "/help/shop/en/"),
        *("/help/rival/en/", "/compat/legacy", "/hooks/letters/a", "/mcp", "/domains/ask", "/metrics"),
        "/widget/" + "0" * 32 + "/config",
    ],
)
def test_nothing_of_the_installation_stands_on_a_domain(article: Article, own: HelpCenter, path: str) -> None:
    status, headers, page = at(path)
    assert status == 404
    assert 'role="search"' in page
    assert headers["Content-Type"] == "text/html; charset=utf-8"


def test_its_own_widget_and_files_stand_on_a_domain(shop: Widget, own: HelpCenter) -> None:
    assert at(f"/widget/{shop.guid}/config")[0] == 200
    assert at("/static/articles/help.css")[2] == "django"
    status, headers, _ = at("/files/nothing")
    assert (status, headers["Content-Type"]) == (404, "application/problem+json")


def test_the_widget_works_on_the_pages_of_its_domain(shop: Widget, own: HelpCenter) -> None:
    Widget.objects.filter(pk=shop.pk).update(allowed_origins=["https://shop.example"])
    path, host = f"/widget/{shop.guid}/config", "testserver"
    assert at(path, host, Origin=f"https://{DOMAIN}")[0] == 200
    assert at(path, host, Origin="https://other.example")[0] == 403
    HelpCenter.objects.for_widget(shop.pk).update(is_public=False)
    assert at(path, host, Origin=f"https://{DOMAIN}")[0] == 403


def test_a_reader_answers_on_the_domain(article: Article, own: HelpCenter) -> None:
    path = f"/en/{article.pk}-returns/feedback"
    status, headers, _ = at(path, method="POST", body="helpful=yes", Origin=f"https://{DOMAIN}")
    assert (status, headers["Location"]) == (303, f"/en/{article.pk}-returns?thanks=1#feedback")
    assert at(path, method="POST", body="helpful=yes", Origin=settings.PUBLIC_URL)[0] == 403


def test_the_older_address_leads_to_the_domain(article: Article, own: HelpCenter) -> None:
    for path in ("/", f"/en/{article.pk}-returns", "/en/search?q=a", "/sitemap.xml"):
        response = client().get(f"/help/shop{path}")
        assert (response.status_code, response.headers["Location"]) == (301, f"https://{DOMAIN}{path}")


def test_unknown_hosts_are_answered_as_before(article: Article, own: HelpCenter) -> None:
    for host in ("other.example", f"a.{DOMAIN}", "", "a b"):
        assert at(f"/help/shop/en/{article.pk}-returns", host)[0] == 400
    assert at("/en/", f"{DOMAIN}:8443")[0] == 200


def test_a_center_that_is_not_public_does_not_answer_on_its_domain(shop: Widget, own: HelpCenter) -> None:
    HelpCenter.objects.for_widget(shop.pk).update(is_public=False)
    assert at("/en/")[0] == 299  # Django refuses the host


def test_a_proxy_asks_for_domains(shop: Widget, own: HelpCenter) -> None:
    def asked(domain: str) -> int:
        return client().get("/domains/ask", {"domain": domain}).status_code

    assert [asked(one) for one in (DOMAIN, DOMAIN.upper(), "other.example", "", "a b", "localhost")] == [
        *(200, 200),
        *(404, 404, 404, 404),
    ]
    HelpCenter.objects.for_widget(shop.pk).update(domain_state=DomainState.PENDING)
    assert asked(DOMAIN) == 404
    assert client().post("/domains/ask").status_code == 405
