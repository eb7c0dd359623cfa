"""Every call of a visitor's: who may make it, from which page, how often, and in which order it is refused."""

from datetime import timedelta
from typing import Any
from zlib import crc32

from django.utils import timezone
from pytest_django import Settings

from apps.chats.models import Block
from apps.widget import rules
from tests.client import assert_problem
from tests.contract.requests import Request, to
from tests.contract.routes import Route, each_route, needs_session, of_visitors
from tests.contract.samples import World
from tests.factories.widget import VisitorSessionFactory, visitor_token
from tests.rows import snapshot

LOCAL = "127.0.0.1"
PAGE, OTHER_PAGE = "https://shop.test", "https://evil.test"


def from_page(request: Request, origin: str) -> Request:
    return request.but(headers={"Origin": origin})


def restrict(world: World) -> None:
    """The shop may be embedded at its own site alone."""
    world.widget.allowed_origins = [PAGE]
    world.widget.save(update_fields=["allowed_origins"])


@each_route(when=needs_session)
def test_without_a_good_session_it_is_401_and_nothing_changes(route: Route, world: World) -> None:
    past = timezone.now() - timedelta(seconds=1)
    revoked = visitor_token(VisitorSessionFactory.create(contact=world.contact, revoked_at=past))
    foreign = visitor_token(VisitorSessionFactory.create(contact=world.rival.contact))
    request = to(route, world, None)
    before = snapshot()
    for kind, token in {
        "none": None,
        "unknown": rules.new_visitor_token(),
        "revoked": revoked,
        "foreign": foreign,
    }.items():
        response = request.but(token=token).send()
        assert_problem(response, 401, "invalid_visitor_token")
        assert response.headers["WWW-Authenticate"] == "Visitor", kind
    assert_problem(request.but(scheme="Bearer").send(), 401, "invalid_visitor_token")
    assert snapshot() == before


@each_route(when=of_visitors)
def test_of_an_unknown_widget_it_is_404(route: Route, world: World) -> None:
    right = to(route, world, None)
    assert_problem(right.but(ids=("0" * 32, *right.ids[1:])).send(), 404, "not_found")


@each_route(when=of_visitors)
def test_a_page_that_may_not_embed_the_widget_is_refused_and_nothing_changes(route: Route, world: World) -> None:
    restrict(world)
    request = to(route, world, None)
    before = snapshot()
    response = from_page(request, OTHER_PAGE).send()
    assert_problem(response, 403, "origin_not_allowed")
    assert "Access-Control-Allow-Origin" not in response.headers
    assert snapshot() == before
    assert from_page(request, PAGE).send().status_code in route.successes


@each_route(when=of_visitors)
def test_a_blocked_visitor_reads_and_changes_nothing(route: Route, world: World) -> None:
    """By operation, whatever its method; to end one's session is no writing, and an offer only says so."""
    request = to(route, world, None)
    no_writing = ("DELETE /widget/{guid}/sessions", "POST /widget/{guid}/invitations/{id}/offers")
    is_allowed = route.method == "GET" or route.name in no_writing
    network = f"{LOCAL}/32"
    Block.objects.create(widget=world.widget, network=network, agent=world.agent)
    before = snapshot()
    response = request.send()
    if is_allowed:
        assert response.status_code in route.successes
    else:
        assert_problem(response, 403, "visitor_blocked")
        assert snapshot() == before


@each_route(when=of_visitors)
def test_answers_and_refusals_are_open_to_the_page(route: Route, world: World) -> None:
    restrict(world)
    request = from_page(to(route, world, None), PAGE)
    for response in (request.send(), request.but(query={"no_such_parameter": "1"}).send()):
        assert response.headers["Access-Control-Allow-Origin"] == PAGE
        assert "Origin" in response.headers["Vary"]
        assert "X-Request-Id" in response.headers["Access-Control-Expose-Headers"]


@each_route(when=of_visitors)
def test_past_the_budget_it_is_429_and_nothing_changes(route: Route, world: World, settings: Settings) -> None:
    settings.VISITOR_RATE_LIMIT, settings.TRUSTED_PROXIES = 1, 1
    address = {"X-Forwarded-For": f"2001:db8:{world.widget.pk:x}:{crc32(route.name.encode()) % 65_536:x}::1"}
    request = to(route, world, None).but(headers=address)
    assert request.send().status_code in route.successes
    before = snapshot()
    response: Any = request.send()
    assert_problem(response, 429, "rate_limited")
    assert 1 <= int(response.headers["Retry-After"]) <= 60
    assert response.headers["X-RateLimit-Remaining"] == "0"
    assert snapshot() == before


@each_route(when=of_visitors)
def test_refusals_come_in_one_order(route: Route, world: World, settings: Settings) -> None:
    """404, 403, 429, 401, then what is wrong with the request."""
    restrict(world)
    settings.TRUSTED_PROXIES = 1
    address = f"2001:db8:{world.widget.pk:x}:{crc32(route.name.encode()) % 65_536:x}::2"
    right = to(route, world, None)
    wrong = right.but(
        ids=("0" * 32, *right.ids[1:]),
        token=None,
        query={"no_such_parameter": "1"},
        headers={"Origin": OTHER_PAGE, "X-Forwarded-For": address},
    )
    assert_problem(wrong.send(), 404, "not_found")
    wrong = wrong.but(ids=right.ids)
    assert_problem(wrong.send(), 403, "origin_not_allowed")
    wrong = wrong.but(headers={"Origin": PAGE, "X-Forwarded-For": address})
    settings.VISITOR_RATE_LIMIT = 1
    wrong.send()
    assert_problem(wrong.send(), 429, "rate_limited")
    settings.VISITOR_RATE_LIMIT = 1_000_000
    if needs_session(route):
        assert_problem(wrong.send(), 401, "invalid_visitor_token")
