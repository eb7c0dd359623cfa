"""The order of refusals: 401, api_disabled, 429, missing_scope, 415, 400, 404, 422, 409.

Each test sends a request in which everything is wrong at once, then mends one thing after another.
"""

from typing import Any

import pytest
from django.test import override_settings

from apps.core import plugins
from tests.client import assert_problem
from tests.contract.requests import Request, to
from tests.contract.routes import Route, needs_key, reads_query, takes_body, takes_ids, takes_token
from tests.contract.rules import Rules
from tests.contract.samples import World
from tests.factories import ApiTokenFactory, WidgetFactory, plain_text

RULES = Rules()


def everything_wrong(request: Request) -> Request:
    """a body of no JSON type that is no JSON either, no key, another tenant's ids, an unknown parameter."""
    ids = tuple(own if foreign is None else foreign for own, foreign in zip(*ids_of(request), strict=True))
    wrong = request.but(ids=ids, query={"no_such_parameter": "1"}, key=None)
    if takes_body(request.route):
        return wrong.but(json=None, data=b"{", content_type="text/csv")
    return wrong


def ids_of(request: Request) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    return request.sample.ids, request.sample.foreign_ids or (None,) * len(request.sample.ids)


@RULES.rule(takes_token)
@override_settings(API_RATE_LIMIT=1)
def refusals_of_the_caller_come_before_those_of_the_request(route: Route, world: World) -> None:
    wrong = everything_wrong(to(route, world, None))
    assert_problem(wrong.send(), 401, "not_authenticated")

    switched_off = WidgetFactory.create(account=world.widget.account, api_enabled=False)
    token = plain_text(ApiTokenFactory.create(widget=switched_off, scopes=[]))
    for _ in range(2):  # the second is over the token's budget as well
        assert_problem(wrong.but(token=token).send(), 403, "api_disabled")

    other_scopes = [name for name in plugins.scopes() if name not in route.operation.scopes]
    token = plain_text(ApiTokenFactory.create(widget=world.widget, scopes=other_scopes))
    assert_problem(wrong.but(token=token).send(), 403, "missing_scope")
    assert_problem(wrong.but(token=token).send(), 429, "rate_limited")


@RULES.rule(reads_query)
def refusals_of_the_request_come_in_one_order(request: Request, route: Route) -> None:
    right, wrong = request, everything_wrong(request)
    if needs_key(route):
        used = right.but(key="used-before").send()
        assert used.status_code in route.successes, used.content
    if takes_body(route):
        assert_problem(wrong.send(), 415, "unsupported_media_type")
        wrong = wrong.but(content_type="application/json", key="used-before")
        assert_problem(wrong.send(), 400, "invalid_json")
        wrong = wrong.but(data=None, json={"no_such_member": 1})
    if needs_key(route):
        assert_problem(wrong.but(key=None).send(), 400, "idempotency_key_required")
        wrong = wrong.but(key="used-before")
    if takes_ids(route) and any(foreign is not None for foreign in right.sample.foreign_ids):
        assert_problem(wrong.send(), 404, route.operation.missing.code)
        wrong = wrong.but(ids=right.ids)
    assert_problem(wrong.send(), 422, "invalid_input")
    if takes_body(route):
        assert_problem(wrong.but(query=right.query).send(), 422, "invalid_input")
        wrong = wrong.but(json=right.json)
        assert_problem(wrong.send(), 422, "invalid_input")
    if needs_key(route):
        assert_problem(wrong.but(query=right.query).send(), 409, route.operation.key.reused.code)


@RULES.each_route()
def test_refusals_come_in_one_order(route: Route, world: World, token: str, subtests: pytest.Subtests) -> None:
    RULES.hold(route, world, token, subtests)
