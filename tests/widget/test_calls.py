"""What every visitor call keeps: CORS, strict bodies, limits, problems; and embed.js, config and the demo page."""

import json
import uuid
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.agents.actions import begin_presence, end_presence
from apps.agents.models import Agent
from apps.chats.models import Contact
from apps.chats.rules.languages import LANGUAGES
from apps.widget.models import WidgetSettings
from tests.client import assert_problem
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db

SHOP_PAGE, OTHER_PAGE = "https://shop.test", "https://evil.test"


@pytest.fixture
def restricted(shop: Widget) -> Widget:
    """The shop, embedded at its own site alone."""
    shop.allowed_origins = [SHOP_PAGE]
    shop.save(update_fields=["allowed_origins"])
    return shop


def test_an_unknown_widget_is_404() -> None:
    nobody = VisitorClient("0" * 32)
    for call in ("embed.js", "config", "messages"):
        assert_problem(nobody.get(call), 404, "not_found")
    assert_problem(nobody.post("sessions"), 404, "not_found")


def test_without_allowed_origins_any_page_may_call(visitor: VisitorClient) -> None:
    response = visitor.post("sessions", {}, Origin=OTHER_PAGE)
    assert response.status_code == 201
    assert response["Access-Control-Allow-Origin"] == OTHER_PAGE
    assert "Origin" in response["Vary"]
    assert "Access-Control-Allow-Credentials" not in response


@pytest.mark.parametrize("origin", [SHOP_PAGE, "https://SHOP.test", "http://localhost:8000"])
def test_an_allowed_page_and_the_services_own_may_call(restricted: Widget, origin: str) -> None:
    response = VisitorClient(restricted).post("sessions", {}, Origin=origin)
    assert response.status_code == 201
    assert response["Access-Control-Allow-Origin"] == origin


@pytest.mark.parametrize("origin", [OTHER_PAGE, "null", "http://shop.test", "https://shop.test.evil.test"])
def test_another_page_may_not_call_and_changes_nothing(restricted: Widget, origin: str) -> None:
    visitor = VisitorClient(restricted)
    response = visitor.post("sessions", {}, Origin=origin)
    assert_problem(response, 403, "origin_not_allowed")
    assert "Access-Control-Allow-Origin" not in response
    assert "Origin" in response["Vary"]
    assert not Contact.objects.exists()


def test_a_preflight_says_what_a_page_may_send(restricted: Widget) -> None:
    visitor = VisitorClient(restricted)
    response = visitor.preflight("messages", SHOP_PAGE)
    assert (response.status_code, response.content) == (204, b"")
    assert response["Access-Control-Allow-Origin"] == SHOP_PAGE
    assert response["Access-Control-Allow-Methods"] == "GET, POST, HEAD, OPTIONS"
    assert response["Access-Control-Allow-Headers"] == "Authorization, Content-Type"
    assert "Access-Control-Allow-Origin" not in visitor.preflight("messages", OTHER_PAGE)


def test_refusals_are_open_to_the_page_too(visitor: VisitorClient) -> None:
    response = visitor.get("messages", Origin=SHOP_PAGE)
    assert_problem(response, 401, "invalid_visitor_token")
    assert response["Access-Control-Allow-Origin"] == SHOP_PAGE
    assert "X-Request-Id" in response["Access-Control-Expose-Headers"]


def test_no_cookie_is_set_and_no_csrf_token_asked_for(visitor: VisitorClient) -> None:
    assert not visitor.post("sessions", {}).cookies


@pytest.mark.parametrize(
    ("body", "content_type", "status", "code"),
    [
        (b"{", "application/json", 400, "invalid_json"),
        (b"\xef\xbb\xbf{}", "application/json", 400, "invalid_json"),
        (b'{"name": NaN}', "application/json", 400, "invalid_json"),
        (b"[" * 65 + b"]" * 65, "application/json", 400, "invalid_json"),
        (b"[]", "application/json", 422, "invalid_input"),
        (b'{"name": "a", "name": "b"}', "application/json", 422, "duplicate_member"),
        (b'{"name": "\\u0000"}', "application/json", 422, "invalid_input"),
        (b"name=a", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
        (b'{"name": "' + b"a" * 1_100_000 + b'"}', "application/json", 413, "body_too_large"),
    ],
)
def test_bodies_are_strict(visitor: VisitorClient, body: bytes, content_type: str, status: int, code: str) -> None:
    assert_problem(visitor.post("sessions", body, content_type=content_type), status, code)
    assert not Contact.objects.exists()


def test_another_method_is_405_with_allow(visitor: VisitorClient) -> None:
    response = visitor.get("sessions")
    assert_problem(response, 405, "method_not_allowed")
    assert response["Allow"] == "POST, DELETE, OPTIONS"


def test_an_address_has_a_budget(shop: Widget, settings: Settings) -> None:
    settings.VISITOR_RATE_LIMIT = 2
    settings.TRUSTED_PROXIES = 1
    here = VisitorClient(shop, **{"X-Forwarded-For": f"10.9.8.7, 203.0.113.{shop.pk % 250}"})
    assert [here.post("sessions", {}).status_code for _ in range(2)] == [201, 201]
    response = here.post("sessions", {})
    assert_problem(response, 429, "rate_limited")
    assert 1 <= int(response["Retry-After"]) <= 60
    assert (response["X-RateLimit-Limit"], response["X-RateLimit-Remaining"]) == ("2", "0")
    assert Contact.objects.count() == 2
    elsewhere = VisitorClient(shop, **{"X-Forwarded-For": f"203.0.113.{shop.pk % 250}, 2001:db8:{shop.pk:x}::1"})
    assert elsewhere.post("sessions", {}).status_code == 201


def test_a_session_has_a_budget_whatever_its_address(shop: Widget, settings: Settings) -> None:
    visitor = VisitorClient(shop)
    visitor.come()
    settings.VISITOR_RATE_LIMIT = 3
    settings.TRUSTED_PROXIES = 1
    statuses = [visitor.get("messages", X_Forwarded_For=f"2001:db8:{shop.pk:x}:{n}::1").status_code for n in range(4)]
    assert statuses == [200, 200, 200, 429]


def test_the_loader_names_the_widget_and_is_cached(visitor: VisitorClient, shop: Widget) -> None:
    response = visitor.get("embed.js")
    assert response.status_code == 200
    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    assert response["Cache-Control"] == "public, max-age=300"
    source = response.content.decode()
    config = {
        "guid": shop.guid,
        "base_url": "http://localhost:8000",
        "module_url": "http://localhost:8000/static/widget/launcher.js",
    }
    assert json.dumps(config, separators=(",", ":")) in source
    assert "{%" not in source
    assert len(visitor.get("embed.js", Accept_Encoding="gzip, deflate, br").content) < 1000
    assert visitor.get("embed.js", If_None_Match=response["ETag"]).status_code == 304


def test_the_config_has_an_etag_that_follows_what_it_says(visitor: VisitorClient, shop: Widget) -> None:
    first = visitor.get("config")
    assert first.status_code == 200
    known = visitor.get("config", If_None_Match=first["ETag"], Origin=SHOP_PAGE)
    assert (known.status_code, known.content) == (304, b"")
    assert known["Access-Control-Allow-Origin"] == SHOP_PAGE
    Widget.objects.update(name="Renamed")
    changed = visitor.get("config", If_None_Match=first["ETag"])
    assert changed.status_code == 200
    assert changed.json()["data"]["widget_name"] == "Renamed"


def test_the_header_shows_the_operators_whether_online_or_not(
    visitor: VisitorClient, olga: Agent, alice: Agent, boris: Agent
) -> None:
    Agent.objects.filter(pk=alice.pk).update(show_in_header=False)
    Agent.objects.filter(pk=boris.pk).update(status="banned")
    data = visitor.get("config").json()["data"]
    assert data["operators"] == [{"name": "Olga Romanova", "avatar_url": None}]
    assert data["online"] is False


def test_a_widget_is_online_while_an_operator_is(visitor: VisitorClient, shop: Widget, olga: Agent) -> None:
    process = uuid.uuid4()
    begin_presence(agent_id=olga.pk, process=process)
    assert visitor.get("config").json()["data"]["online"] is True
    come = visitor.come()
    assert (come["online"], come["present"]) == (True, [{"name": "Olga Romanova", "avatar_url": None}])
    end_presence(agent_id=olga.pk, process=process)
    assert visitor.get("config").json()["data"]["online"] is False


@pytest.mark.parametrize(
    ("query", "accepted", "language"),
    [
        ("?lang=de", "ru", "de"),
        ("?lang=zh-CN", "", "zh"),
        ("?lang=xx", "el;q=0.5, es", "es"),
        ("", "fr, ar;q=0.8, en;q=0.9", "en"),
        ("", "ru-RU,ru;q=0.9", "ru"),
        ("", "ru;q=0, el", "el"),
        ("", "fr", "en"),
        ("", ";;;,,=", "en"),
    ],
)
def test_the_language_is_the_pages_else_the_browsers(
    visitor: VisitorClient, shop: Widget, query: str, accepted: str, language: str
) -> None:
    WidgetSettings.objects.create(widget=shop, stored={"widget_supported_languages": list(LANGUAGES)})
    response = visitor.get(f"config{query}", Accept_Language=accepted)
    data = response.json()["data"]
    assert data["language"] == language
    assert data["texts_url"] == f"http://localhost:8000/static/widget/languages/{language}.js"
    assert "Accept-Language" in response["Vary"]


def test_the_demo_page_embeds_the_first_widget(client: Client, shop: Widget, olga: Agent) -> None:
    response: Any = client.get("/demo/")
    page = response.content.decode()
    assert response.status_code == 200
    assert f'src="http://localhost:8000/widget/{shop.guid}/embed.js"' in page
    assert f'"agent_id": {olga.pk}' in page
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert "unsafe" not in response["Content-Security-Policy"]


def test_without_a_widget_there_is_no_demo(client: Client) -> None:
    assert client.get("/demo/").status_code == 404


def test_a_body_is_at_most_64_kibibytes_and_a_longer_one_changes_nothing(visitor: VisitorClient) -> None:
    limit = 64 * 1024
    assert_problem(visitor.post("sessions", {"name": "x" * limit}), 413, "body_too_large")
    assert_problem(visitor.post("sessions", {"name": "x" * (limit - 100)}), 422, "invalid_input")
    assert not Contact.objects.exists()
