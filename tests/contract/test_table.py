"""The table and the router, compared both ways."""

import pytest

from tests.contract.endpoints import CONSOLE_ENDPOINTS, ENDPOINTS, VISITOR_ENDPOINTS, Endpoint
from tests.contract.not_built import AT_MOST, NOT_BUILT
from tests.contract.routes import ROUTES, Route, each_route, name_of, of_visitors, shape
from tests.contract.samples import SAMPLES

ROUTED = {shape(route.method, route.path) for route in ROUTES}
BUILT = [route for route in ROUTES if route.endpoint is not None]


def test_the_table_names_each_endpoint_once() -> None:
    shapes = [shape(endpoint.method, endpoint.path) for endpoint in ENDPOINTS]
    assert len(shapes) == len(set(shapes)) == 188


def test_no_operation_is_routed_twice() -> None:
    assert len(ROUTED) == len(ROUTES)


def test_every_call_of_a_visitors_and_of_the_consoles_is_routed() -> None:
    own = (*VISITOR_ENDPOINTS, *CONSOLE_ENDPOINTS)
    assert {shape(endpoint.method, endpoint.path) for endpoint in own} <= ROUTED


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=name_of)
def test_an_endpoint_is_either_routed_or_listed_as_not_built(endpoint: Endpoint) -> None:
    is_routed = shape(endpoint.method, endpoint.path) in ROUTED
    assert is_routed != (name_of(endpoint) in NOT_BUILT), (
        f"{name_of(endpoint)} is routed: take it out of not_built.py" if is_routed else "neither routed nor listed"
    )


def test_what_is_not_built_is_in_the_table_and_only_shrinks() -> None:
    assert set(NOT_BUILT) <= {name_of(endpoint) for endpoint in ENDPOINTS}
    assert len(NOT_BUILT) == len(set(NOT_BUILT)) == AT_MOST


@each_route()
def test_a_routed_operation_is_in_the_table(route: Route) -> None:
    assert route.endpoint is not None, "the API has no such endpoint; a new one needs a row in endpoints.py"


@each_route()
def test_a_routed_operation_has_a_sample(route: Route) -> None:
    assert route.name in SAMPLES, "say in samples.py how it is called"


def test_no_sample_is_of_an_operation_that_is_not_routed() -> None:
    assert set(SAMPLES) <= {route.name for route in ROUTES}


@pytest.mark.parametrize("route", BUILT, ids=lambda route: route.name)
class TestDeclaration:
    """What an operation declares is what its row says."""

    def test_an_operation_declares_the_scopes_of_its_row(self, route: Route) -> None:
        assert route.operation.scopes == route.endpoint.scopes

    def test_an_operation_asks_for_a_key_where_its_row_does(self, route: Route) -> None:
        assert route.operation.idempotent == route.endpoint.needs_key

    def test_an_operation_declares_the_successes_of_its_row(self, route: Route) -> None:
        assert set(route.operation.statuses) <= set(route.endpoint.success)

    def test_an_operation_declares_the_errors_of_its_row(self, route: Route) -> None:
        declared = {problem.status for problem in route.problems}
        has_no_token = of_visitors(route) or "{secret}" in route.name
        of_all = {403, 404, 429} if has_no_token else {401, 403, 429}
        assert declared >= {*route.endpoint.errors, *of_all}
