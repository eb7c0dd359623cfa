"""Idempotency keys: which writes need one, which keys are refused, and that a key does one write."""

import pytest

from tests.client import ApiClient, assert_problem
from tests.contract.requests import to
from tests.contract.routes import Route, each_kind_of_route, each_route, needs_key
from tests.contract.samples import World
from tests.rows import snapshot

MALFORMED = {
    "empty": "",
    "a space inside": "a b",
    "a tab inside": "a\tb",
    "DEL": "a\x7f",
    "not ASCII": "ключ",
}


@each_route(when=needs_key)
def test_without_a_key_it_is_400(route: Route, world: World, token: str) -> None:
    request = to(route, world, token)
    before = snapshot()
    assert_problem(request.but(key=None).send(), 400, "idempotency_key_required")
    assert snapshot() == before


@each_kind_of_route(when=needs_key)
def test_a_malformed_key_is_400(route: Route, world: World, token: str) -> None:
    request = to(route, world, token)
    before = snapshot()
    rules = route.operation.key
    for kind, key in {**MALFORMED, "too long": "k" * (rules.longest + 1)}.items():
        response = request.but(key=key).send()
        assert response.status_code == 400, kind
        assert_problem(response, 400, rules.invalid.code)
    assert snapshot() == before


@each_kind_of_route(when=needs_key)
@pytest.mark.parametrize("is_longest", [False, True], ids=["1 character", "the longest"])
def test_the_shortest_and_the_longest_key_pass(route: Route, world: World, token: str, is_longest: bool) -> None:
    response = to(route, world, token).but(key="~" * route.operation.key.longest if is_longest else "!").send()
    assert response.status_code in route.successes, response.content


@each_route(when=needs_key)
def test_a_key_used_again_is_409_and_writes_nothing(route: Route, world: World, token: str) -> None:
    request = to(route, world, token).but(key="one-intent")
    first = request.send()
    assert first.status_code in route.successes, first.content
    before = snapshot()
    assert_problem(request.send(), 409, route.operation.key.reused.code)
    assert snapshot() == before


@each_route(when=needs_key)
def test_a_refused_write_leaves_its_key_free(route: Route, world: World, token: str) -> None:
    request = to(route, world, token).but(key="one-intent")
    assert_problem(request.but(query={"no_such_parameter": "1"}).send(), 422, "invalid_input")
    if route.operation.body is not None:
        assert_problem(request.but(json={"no_such_member": 1}).send(), 422, "invalid_input")
    response = request.send()
    assert response.status_code in route.successes, response.content


@each_route(when=needs_key)
def test_another_tokens_key_is_another_key(route: Route, world: World, token: str, rival_api: ApiClient) -> None:
    request = to(route, world, token).but(key="one-intent")
    rivals = request.but(token=rival_api.token, ids=request.sample.foreign_ids).send()
    assert rivals.json().get("code") != "idempotency_key_reused"
    response = request.send()
    assert response.status_code in route.successes, response.content


@each_route(when=lambda route: not route.operation.idempotent)
def test_where_no_key_is_needed_none_is_claimed(route: Route, world: World, token: str) -> None:
    request = to(route, world, token).but(key="one-intent")
    response = request.send()
    assert response.status_code in route.successes, response.content
    assert snapshot()["core.IdempotencyKey"] == []
