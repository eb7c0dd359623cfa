"""Who may call: every operation through real requests, with every kind of token that must not pass."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts import rules
from apps.core import plugins
from tests.client import ApiClient, assert_problem
from tests.contract.requests import to
from tests.contract.routes import Route, each_kind_of_route, each_route, takes_token
from tests.contract.rules import Rules
from tests.contract.samples import World
from tests.factories import ApiTokenFactory, WidgetFactory, plain_text
from tests.rows import snapshot

RULES = Rules()
RATE_LIMIT_HEADERS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


def token_of(world: World, **fields: Any) -> str:
    return plain_text(ApiTokenFactory.create(widget=world.widget, **fields))


def assert_rate_limit_headers(response: Any) -> None:
    limit, remaining, reset = (int(response.headers[name]) for name in RATE_LIMIT_HEADERS)
    assert limit >= 1
    assert 0 <= remaining < limit
    assert reset >= int(timezone.now().timestamp())


@each_kind_of_route(when=takes_token)
def test_without_a_good_token_it_is_401(route: Route, world: World) -> None:
    past = timezone.now() - timedelta(seconds=1)
    good = token_of(world)
    refused = {
        "no token": None,
        "unknown": rules.new_token(),
        "mistyped": good[:-1] + ("a" if good[-1] != "a" else "b"),
        "malformed": "secret",
        "expired": token_of(world, expires_at=past),
        "revoked": token_of(world, revoked_at=past),
    }
    request = to(route, world, None)
    before = snapshot()
    for kind, token in refused.items():
        response = request.but(token=token).send()
        assert_problem(response, 401, "not_authenticated")
        assert response.headers["WWW-Authenticate"] == "Bearer", kind
        assert "X-RateLimit-Limit" not in response.headers, kind
    assert snapshot() == before


@each_kind_of_route(when=takes_token)
def test_a_good_token_counts_in_the_authorization_header_alone(route: Route, world: World) -> None:
    good = token_of(world)
    request = to(route, world, None)
    elsewhere: list[dict[str, Any]] = [
        {"query": {**(request.query or {}), "token": good}},
        {"query": {**(request.query or {}), "access_token": good}},
        {"headers": {"Authorization": good}},
        {"headers": {"Authorization": f"Basic {good}"}},
        {"headers": {"Authorization": f"Token {good}"}},
        {"headers": {"Authorization": f"Bearer {good} {good}"}},
        {"headers": {"X-Api-Key": good}},
        {"headers": {"Cookie": f"token={good}"}},
    ]
    for place in elsewhere:
        assert_problem(request.but(**place).send(), 401, "not_authenticated")


@each_kind_of_route(when=takes_token)
def test_with_the_api_switched_off_it_is_403_api_disabled(route: Route, world: World) -> None:
    switched_off = WidgetFactory.create(account=world.widget.account, api_enabled=False)
    token = plain_text(ApiTokenFactory.create(widget=switched_off))
    response = to(route, world, token).send()
    assert_problem(response, 403, "api_disabled")
    assert_rate_limit_headers(response)


@RULES.rule(takes_token)
def with_every_scope_but_its_own_it_is_403_missing_scope(route: Route, world: World) -> None:
    others = [name for name in plugins.scopes() if name not in route.operation.scopes]
    request = to(route, world, token_of(world, scopes=others))
    before = snapshot()
    response = request.send()
    problem = assert_problem(response, 403, "missing_scope")
    assert all(scope in problem["detail"] for scope in route.operation.scopes)
    assert_rate_limit_headers(response)
    assert snapshot() == before


@RULES.rule(takes_token)
def each_of_its_scopes_alone_lets_a_token_in(route: Route, world: World) -> None:
    for scope in route.operation.scopes:
        scopes = [scope, *route.operation.also_needs]
        response = to(route, world, token_of(world, scopes=scopes)).send()
        assert response.status_code in route.successes, response.content


@RULES.each_route()
def test_its_scopes_and_no_others_let_a_token_in(
    route: Route, world: World, token: str, subtests: pytest.Subtests
) -> None:
    RULES.hold(route, world, token, subtests)


@each_kind_of_route(when=takes_token)
def test_past_the_tokens_budget_it_is_429(route: Route, world: World, settings: Settings) -> None:
    settings.API_RATE_LIMIT = 1
    request = to(route, world, token_of(world))
    first = request.send()
    assert first.status_code in route.successes, first.content
    assert first.headers["X-RateLimit-Remaining"] == "0"
    before = snapshot()
    second = request.send()
    assert_problem(second, 429, "rate_limited")
    assert 1 <= int(second.headers["Retry-After"]) <= 60
    assert_rate_limit_headers(second)
    assert snapshot() == before


@each_kind_of_route()
def test_a_request_id_is_on_every_answer_and_a_well_formed_one_comes_back(route: Route, world: World) -> None:
    request = to(route, world, token_of(world))
    given = request.but(headers={"X-Request-Id": "order-4711.retry:2"}).send()
    assert given.headers["X-Request-Id"] == "order-4711.retry:2"
    for malformed in ("", "a b", "x" * 129, "<script>", "-starts-with-a-dash", "ключ".encode().decode("latin-1")):
        made = request.but(token=None, headers={"X-Request-Id": malformed}).send()
        assert re.fullmatch(r"[0-9a-f]{32}", made.headers["X-Request-Id"]), malformed


@each_kind_of_route(when=takes_token)
def test_another_method_is_405_and_names_those_allowed(route: Route, world: World) -> None:
    allowed = sorted(route.methods | ({"HEAD"} if "GET" in route.methods else set()))
    token = token_of(world)
    request = to(route, world, token)
    client = ApiClient()
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} - set(allowed):
        response = client.request(method, route.address(request.ids), token=token)
        assert_problem(response, 405, "method_not_allowed")
        assert sorted(response.headers["Allow"].split(", ")) == allowed
        assert_rate_limit_headers(response)
        assert_problem(client.request(method, route.address(request.ids)), 401, "not_authenticated")


@each_route(when=lambda route: route.operation.status == 302)
def test_what_stands_elsewhere_is_of_whatever_type_it_is(route: Route, world: World) -> None:
    for accepted in ("image/png", "image/*", "application/octet-stream"):
        response = to(route, world, token_of(world)).but(headers={"Accept": accepted}).send()
        assert response.status_code == 302, accepted


@each_kind_of_route(when=lambda route: route.operation.status != 302)
def test_an_answer_in_json_must_be_acceptable(route: Route, world: World) -> None:
    request = to(route, world, token_of(world))
    assert_problem(request.but(headers={"Accept": "image/png"}).send(), 406, "not_acceptable")
    kind = route.operation.media_type
    for accepted in (
        "application/json",
        "*/*",
        "application/*;q=0.5, text/html",
        "application/json; charset=utf-8",
        kind,
        "",
    ):
        response = to(route, world, token_of(world)).but(headers={"Accept": accepted}).send()
        assert response.status_code != 406, accepted


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/", "/api/v1/no-such-thing", "/api/v1/chats/", "/api/v2/chats"])
def test_an_unknown_route_is_a_404_problem(path: str) -> None:
    assert_problem(ApiClient().request("GET", path, headers={"Accept": "application/json"}), 404, "not_found")


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize("path", ["/nowhere", "/chats/x", "/chats/1/", "/"])
class TestAnAddressThatIsNotThere:
    def test_tells_a_known_token_what_is_left_of_its_budget(self, world: World, path: str, method: str) -> None:
        response = ApiClient(token_of(world, scopes=[])).request(method, path)
        assert_problem(response, 404, "not_found")
        assert_rate_limit_headers(response)

    def test_counts_against_the_budget(self, world: World, settings: Settings, path: str, method: str) -> None:
        settings.API_RATE_LIMIT = 1
        api = ApiClient(token_of(world))
        assert_problem(api.request(method, path), 404, "not_found")
        response = api.request(method, path)
        assert_problem(response, 429, "rate_limited")
        assert int(response.headers["Retry-After"]) >= 1
        assert response.headers["X-RateLimit-Remaining"] == "0"

    def test_is_refused_as_all_others_where_the_api_is_switched_off(self, world: World, path: str, method: str) -> None:
        switched_off = WidgetFactory.create(account=world.widget.account, api_enabled=False)
        api = ApiClient(plain_text(ApiTokenFactory.create(widget=switched_off)))
        assert_problem(api.request(method, path), 403, "api_disabled")

    def test_is_404_to_everybody_else(self, world: World, path: str, method: str) -> None:
        revoked = token_of(world, revoked_at=timezone.now())
        for token in (None, "secret", rules.new_token(), revoked):
            response = ApiClient(token).request(method, path)
            assert_problem(response, 404, "not_found")
            assert "X-RateLimit-Limit" not in response.headers
            assert "WWW-Authenticate" not in response.headers
