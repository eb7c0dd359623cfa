"""Every success is what the OpenAPI document says it is, and nothing more."""

import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from tests.contract.document import described
from tests.contract.requests import to
from tests.contract.routes import ROUTES, Route, each_route, shape
from tests.contract.samples import World

formats = FormatChecker(formats=())


@formats.checks("date-time")
def is_timestamp(value: object) -> bool:
    """ISO 8601: in UTC with Z, or (statistics) with Moscow's offset."""
    return not isinstance(value, str) or bool(
        re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|\+03:00)", value)
    )


def closed(schema: Any) -> Any:
    """The schema with no room for members that it does not name."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: closed(value) for name, value in schema.items()}
    if isinstance(made.get("properties"), dict) and made.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


def test_the_document_says_what_is_enforced(document: dict[str, Any], subtests: pytest.Subtests) -> None:
    for route in ROUTES:
        with subtests.test(route.name):
            assert_says_what_is_enforced(route, document)


def assert_says_what_is_enforced(route: Route, document: dict[str, Any]) -> None:
    operation = described(route, document)
    assert operation["x-required-scopes"] == list(route.operation.scopes)
    assert operation["x-idempotency"] == ("required" if route.operation.idempotent else "none")
    for scope in route.operation.scopes:
        assert f"`{scope}`" in operation["description"], "for people, too"
    key = "`X-Service-Idempotency-Key` is required" if route.operation.idempotent else "none"
    assert f"**Idempotency key:** {key}" in operation["description"]
    documented = {int(status) for status in operation["responses"]}
    unchanged = {304} if route.operation.is_conditional else set()
    assert documented == {*route.operation.statuses, *unchanged, *(p.status for p in route.problems)}
    takes_something = route.operation.body is not None or route.operation.upload is not None
    assert bool(operation.get("requestBody")) == takes_something
    in_header = [parameter for parameter in operation["parameters"] if parameter["in"] == "header"]
    asked_for = ["X-Service-Idempotency-Key"] if route.operation.idempotent else []
    if route.method != "GET":
        asked_for += [header["name"] for header in route.routed.viewset.authenticator.write_headers]
    if route.operation.is_conditional:
        asked_for.append("If-None-Match")
    assert [p["name"] for p in in_header] == [*asked_for, "X-Request-Id"]
    in_path = [parameter for parameter in operation["parameters"] if parameter["in"] == "path"]
    assert len(in_path) == route.places


def test_the_document_describes_each_routed_operation_and_no_other(document: dict[str, Any]) -> None:
    methods = {"get", "put", "post", "delete", "options", "head", "patch", "trace"}
    in_document = {
        shape(method.upper(), path) for path, item in document["paths"].items() for method in item if method in methods
    }
    assert in_document == {shape(route.method, route.path) for route in ROUTES}


@each_route()
def test_a_success_is_as_documented(route: Route, world: World, token: str, document: dict[str, Any]) -> None:
    response = to(route, world, token).send()
    assert response.status_code in route.successes, response.content
    success = described(route, document)["responses"][str(response.status_code)]
    if route.operation.streams:
        assert "Content-Length" not in response.headers
    elif response.status_code == 204:  # Django's own middleware says 0, at the console's
        assert response.headers.get("Content-Length", "0") == "0"
    else:
        assert response.headers["Content-Length"] == str(len(response.content))
    if 304 in route.successes:  # a browser may keep it, and asks whether it is still true
        assert response.headers["ETag"]
    elif route.operation.is_conditional:
        assert response.headers["Cache-Control"] == "private, no-cache"
    else:
        assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    for header in success.get("headers", {}):
        assert header in response.headers
    if "content" not in success:
        assert response.content == b""
        return
    assert list(success["content"]) == [response.headers["Content-Type"]]
    if route.operation.media_type != "application/json":
        return
    schema = closed({**success["content"]["application/json"]["schema"], "components": document["components"]})
    Draft202012Validator(schema, format_checker=formats).validate(response.json())


@each_route(when=lambda route: route.operation.envelope == "list")
def test_an_empty_or_short_list_has_no_next_page(route: Route, world: World, token: str) -> None:
    answer = to(route, world, token).send().json()
    assert answer.keys() == {"data", "next_cursor"}
    assert answer["next_cursor"] is None
