"""Requests made up from the OpenAPI document, lawful and unlawful: no 5xx, and only what is documented."""

from collections.abc import Iterator
from http.cookies import SimpleCookie
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.wsgi import application
from tests.contract.document import path_of
from tests.contract.requests import to
from tests.contract.routes import Route, each_route
from tests.contract.samples import World

pytestmark = pytest.mark.slow

# Of each operation and mode: some 2,000 requests in all, the same ones in every run.
EXAMPLES = 10
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# What any address may answer, and no operation lists: an id that is none, a method, an Accept header, a parameter.
EVERYWHERE = {404, 405, 406, 422}


@pytest.fixture(scope="module")
def api(document: dict[str, Any]) -> Iterator[Any]:
    """The document, and the application that it describes, in this process."""
    schema = schemathesis.openapi.from_dict(document)
    schema.app = application
    # Django's handler would close the connection that holds the test's transaction, as its own test client knows.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield schema
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@each_route()
@pytest.mark.parametrize("mode", GenerationMode)
def test_made_up_requests_are_answered_as_documented(
    route: Route, mode: GenerationMode, world: World, token: str, api: Any, document: dict[str, Any]
) -> None:
    operation = api[path_of(route, document)][route.method]
    request = to(route, world, token)
    own_ids, headers = request.ids, dict(request.authorization)
    cookies = {name: morsel.value for name, morsel in SimpleCookie(headers.pop("Cookie", "")).items()}

    @settings(
        max_examples=EXAMPLES,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), to_own_rows=st.booleans())
    def run(case: Any, to_own_rows: bool) -> None:
        if to_own_rows and own_ids:
            case.path_parameters = dict(zip(case.path_parameters, own_ids, strict=True))
        # The transport of these calls knows no compression, though it asks for some.
        response = case.call(headers={**headers, "Accept-Encoding": "identity"}, cookies=cookies)
        excluded = [status_code_conformance] if response.status_code in EVERYWHERE else []
        case.validate_response(response, checks=CHECKS, excluded_checks=excluded)

    run()
