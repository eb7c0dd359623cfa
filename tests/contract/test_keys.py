"""Idempotency keys: which writes need one, which keys are refused, and that a key does one write."""

import pytest

from tests.client import assert_problem
from tests.contract.requests import Request
from tests.contract.routes import Route, needs_key
from tests.contract.rules import Rules, of_a_kind
from tests.contract.samples import World
from tests.factories import ApiTokenFactory, plain_text
from tests.rows import snapshot

RULES = Rules()

MALFORMED = {
    "empty": "",
    "a space inside": "a b",
    "a tab inside": "a\tb",
    "DEL": "a\x7f",
    "not ASCII": "ключ",
}


@RULES.refusal(needs_key)
def without_a_key_it_is_400(request: Request) -> None:
    assert_problem(request.but(key=None).send(), 400, "idempotency_key_required")


@RULES.refusal(of_a_kind(needs_key))
def a_malformed_key_is_400(request: Request, route: Route) -> None:
    rules = route.operation.key
    for kind, key in {**MALFORMED, "too long": "k" * (rules.longest + 1)}.items():
        response = request.but(key=key).send()
        assert response.status_code == 400, kind
        assert_problem(response, 400, rules.invalid.code)


@RULES.rule(of_a_kind(needs_key))
def the_shortest_key_passes(request: Request, route: Route) -> None:
    response = request.but(key="!").send()
    assert response.status_code in route.successes, response.content


@RULES.rule(of_a_kind(needs_key))
def the_longest_key_passes(request: Request, route: Route) -> None:
    response = request.but(key="~" * route.operation.key.longest).send()
    assert response.status_code in route.successes, response.content


@RULES.rule(needs_key)
def a_key_used_again_is_409_and_writes_nothing(request: Request, route: Route) -> None:
    request = request.but(key="one-intent")
    first = request.send()
    assert first.status_code in route.successes, first.content
    before = snapshot()
    assert_problem(request.send(), 409, route.operation.key.reused.code)
    assert snapshot() == before


@RULES.rule(needs_key)
def a_refused_write_leaves_its_key_free(request: Request, route: Route) -> None:
    request = request.but(key="one-intent")
    assert_problem(request.but(query={"no_such_parameter": "1"}).send(), 422, "invalid_input")
    if route.operation.body is not None:
        assert_problem(request.but(json={"no_such_member": 1}).send(), 422, "invalid_input")
    response = request.send()
    assert response.status_code in route.successes, response.content


@RULES.rule(needs_key)
def another_tokens_key_is_another_key(request: Request, route: Route, world: World) -> None:
    request = request.but(key="one-intent")
    rivals_token = plain_text(ApiTokenFactory.create(widget=world.rival.widget))
    rivals = request.but(token=rivals_token, ids=request.sample.foreign_ids).send()
    assert rivals.json().get("code") != "idempotency_key_reused"
    response = request.send()
    assert response.status_code in route.successes, response.content


@RULES.rule(lambda route: not route.operation.idempotent)
def where_no_key_is_needed_none_is_claimed(request: Request, route: Route) -> None:
    request = request.but(key="one-intent")
    response = request.send()
    assert response.status_code in route.successes, response.content
    assert snapshot()["core.IdempotencyKey"] == []


@RULES.each_route()
def test_a_key_does_one_write(route: Route, world: World, token: str, subtests: pytest.Subtests) -> None:
    RULES.hold(route, world, token, subtests)
