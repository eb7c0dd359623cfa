"""The specification's table and the router, compared both ways: each test tells all operations that differ."""

from tests.contract.endpoints import ENDPOINTS
from tests.contract.routes import ROUTES, of_console, of_visitors, shape
from tests.contract.samples import SAMPLES

ROUTED = {shape(route.method, route.path) for route in ROUTES}
SPECIFIED = [(route, route.endpoint) for route in ROUTES if route.endpoint is not None]


def test_the_table_names_each_endpoint_once() -> None:
    shapes = [shape(endpoint.method, endpoint.path) for endpoint in ENDPOINTS]
    assert len(shapes) == len(set(shapes)) == 276  # the specification names 187 of them


def test_no_operation_is_routed_twice() -> None:
    assert len(ROUTED) == len(ROUTES)


def test_every_endpoint_of_the_specification_is_routed() -> None:
    assert {shape(endpoint.method, endpoint.path) for endpoint in ENDPOINTS} - ROUTED == set()


def test_every_operation_is_the_specifications_or_of_visitors_or_of_the_console() -> None:
    own = [route for route in ROUTES if route.endpoint is None]
    assert [route.name for route in own if not of_visitors(route) and not of_console(route)] == []
    assert len(own) > 50


def test_every_operation_has_a_sample_and_no_other_has() -> None:
    names = {route.name for route in ROUTES}
    assert names - SAMPLES.keys() == set(), "say in samples.py how it is called"
    assert SAMPLES.keys() - names == set()


def test_an_operation_declares_the_scopes_of_its_row() -> None:
    assert [route.name for route, row in SPECIFIED if route.operation.scopes != row.scopes] == []


def test_an_operation_asks_for_a_key_where_its_row_does() -> None:
    assert [route.name for route, row in SPECIFIED if route.operation.idempotent != row.needs_key] == []


def test_an_operation_declares_the_successes_of_its_row() -> None:
    assert [route.name for route, row in SPECIFIED if set(route.operation.statuses) - set(row.success)] == []


def test_an_operation_declares_the_errors_of_its_row() -> None:
    missing = {}
    for route, row in SPECIFIED:
        of_all = {403, 404, 429} if "{secret}" in route.name else {401, 403, 429}
        missing[route.name] = {*row.errors, *of_all} - {problem.status for problem in route.problems}
    assert {name: statuses for name, statuses in missing.items() if statuses} == {}
