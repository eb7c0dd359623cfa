"""Another tenant's id, at every place of every path, is the same 404 as one that never was."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.client import assert_problem
from tests.contract.requests import Request
from tests.contract.routes import Route, takes_ids
from tests.contract.rules import Rules
from tests.contract.samples import World

RULES = Rules()
NO_SUCH_ID, NO_SUCH_GUID = 999_999_999_999, "0" * 32


def counterpart_that_never_was(foreign: Any) -> Any:
    return NO_SUCH_ID if isinstance(foreign, int) else NO_SUCH_GUID


def pairs(request: Request) -> Iterator[tuple[Request, Request]]:
    """At each place that takes an id: the request with the rival's, and with one that never was."""
    sample = request.sample
    for place, foreign in enumerate(sample.foreign_ids):
        if foreign is not None:
            before, after = sample.ids[:place], sample.ids[place + 1 :]
            never_was = counterpart_that_never_was(foreign)
            yield request.but(ids=(*before, foreign, *after)), request.but(ids=(*before, never_was, *after))


def assert_same_404(foreign: Request, never_was: Request) -> None:
    one, other = foreign.send(), never_was.send()
    code = foreign.route.operation.missing.code
    assert_problem(one, 404, code)
    assert_problem(other, 404, code)
    instance_of_one, instance_of_other = (request.route.address(request.ids) for request in (foreign, never_was))
    assert one.content.replace(instance_of_one.encode(), b"") == other.content.replace(instance_of_other.encode(), b"")
    varying = {"X-Request-Id", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Content-Length"}
    assert {n: v for n, v in one.headers.items() if n not in varying} == {
        n: v for n, v in other.headers.items() if n not in varying
    }


@RULES.refusal(takes_ids)
def the_sample_names_the_rivals_counterparts(request: Request, route: Route) -> None:
    sample = request.sample
    assert len(sample.ids) == len(sample.foreign_ids) == route.places
    assert all(
        type(foreign) is type(own) and foreign != own
        for own, foreign in zip(sample.ids, sample.foreign_ids, strict=True)
        if foreign is not None
    )


@RULES.refusal(takes_ids)
def a_foreign_id_is_the_404_of_an_id_that_never_was(request: Request) -> None:
    for foreign, never_was in pairs(request):
        assert_same_404(foreign, never_was)


@RULES.refusal(takes_ids)
def not_found_comes_before_what_is_wrong_with_the_rest(request: Request, route: Route) -> None:
    """Else a foreign id could be told from one that never was by an input that only one of them refuses."""
    wrong: list[dict[str, Any]] = [{"query": {"no_such_parameter": "1"}}, {"query": {"limit": "0"}}]
    if route.operation.body is not None:
        wrong += [
            {"json": {"no_such_member": 1}},
            {"json": []},
            {"data": b'{"a": 1, "a": 2}'},
            {"data": b'{"a": 1e400}'},
        ]
    for foreign, never_was in pairs(request):
        for change in wrong:
            if "data" in change:
                change = {**change, "content_type": "application/json", "json": None}
            assert_same_404(foreign.but(**change), never_was.but(**change))


@RULES.rule(lambda route: takes_ids(route) and route.operation.idempotent)
def not_found_comes_before_a_reused_key(request: Request, route: Route) -> None:
    request = request.but(key="one-intent")
    first = request.send()
    assert first.status_code in route.successes, first.content
    for foreign, never_was in pairs(request):
        assert_same_404(foreign, never_was)


@RULES.each_route()
def test_a_foreign_id_is_as_good_as_none(route: Route, world: World, token: str, subtests: pytest.Subtests) -> None:
    RULES.hold(route, world, token, subtests)
