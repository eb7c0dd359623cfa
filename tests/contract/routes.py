"""What is routed, beside its row of the table: the ground of every matrix test."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from apps.core.endpoints.operations import Operation
from apps.core.endpoints.routing import RoutedOperation, routed_operations
from apps.core.endpoints.serializers import AnyQuery
from apps.core.problems import ProblemType
from tests.contract.endpoints import ENDPOINTS, Endpoint

_PLACEHOLDER = re.compile(r"<[^>]+>|{[^}]+}")


@dataclass(frozen=True, slots=True)
class Route:
    """A routed operation. `name` is "METHOD /path" as the table writes it. `endpoint` is its row, if it is one of the
    specification's."""

    name: str
    path: str
    routed: RoutedOperation
    endpoint: Endpoint | None

    @property
    def method(self) -> str:
        return self.routed.method

    @property
    def operation(self) -> Operation:
        return self.routed.operation

    @property
    def problems(self) -> tuple[ProblemType, ...]:
        """All that it may refuse with."""
        return self.routed.problems

    def address(self, ids: Sequence[Any] = ()) -> str:
        """The path with those values in its places."""
        values = iter(ids)
        return _PLACEHOLDER.sub(lambda _: str(next(values)), self.path)

    @property
    def places(self) -> int:
        """How many values the path takes."""
        return len(_PLACEHOLDER.findall(self.path))

    @property
    def successes(self) -> tuple[int, ...]:
        """The statuses of its successes."""
        return self.endpoint.success if self.endpoint else self.operation.statuses

    @property
    def methods(self) -> set[str]:
        """Every method of its path."""
        return {route.method for route in ROUTES if shape("", route.path) == shape("", self.path)}


def shape(method: str, path: str) -> str:
    """A method and path by which the table and the router are compared: the names of placeholders do not count."""
    return f"{method} /{_PLACEHOLDER.sub('{}', path).lstrip('/')}"


_BY_SHAPE = {shape(endpoint.method, endpoint.path): endpoint for endpoint in ENDPOINTS}


def _named(placeholder: re.Match[str]) -> str:
    """A placeholder of a path as the tables write it: `{id}` for the key of an object, else its own name."""
    name = placeholder[0].strip("<>{}").rpartition(":")[2]
    return "{id}" if name.endswith(("_id", "_guid")) else f"{{{name}}}"


def routes() -> list[Route]:
    """Every routed operation."""
    found = []
    for routed in routed_operations():
        endpoint = _BY_SHAPE.get(shape(routed.method, routed.path))
        path = endpoint.path if endpoint else f"/{_PLACEHOLDER.sub(_named, routed.path)}"
        found.append(Route(f"{routed.method} {path}", path, routed, endpoint))
    return found


ROUTES = routes()


def each_route(*, when: Any = lambda route: True) -> pytest.MarkDecorator:
    """Runs the test for every routed operation (that `when` picks), as the argument `route`."""
    picked = [route for route in ROUTES if when(route)]
    return pytest.mark.parametrize("route", picked, ids=[route.name for route in picked])


def each_kind_of_route(*, when: Any = lambda route: True) -> pytest.MarkDecorator:
    """Runs the test for one routed operation of each kind: for what the shared layer does for all, alike.

    Of one kind are those with the same authenticator which take the same sort of body, and ask for a key or not.
    """
    picked = first_of_its_kind(when)
    return pytest.mark.parametrize("route", picked, ids=[route.name for route in picked])


def first_of_its_kind(when: Any) -> list[Route]:
    """One of each kind, of the routes that `when` picks."""
    first: dict[object, Route] = {}
    for route in filter(when, ROUTES):
        first.setdefault(kind_of(route), route)
    return list(first.values())


def kind_of(route: Route) -> object:
    operation = route.operation
    changes = route.method in ("PATCH", "PUT")
    return (
        type(route.routed.viewset.authenticator),
        (takes_body(route), operation.upload is not None, changes, writes(route)),
        (needs_key(route), operation.key, refuses_unknown_members(route)),
        operation.status == 302,
    )


def takes_token(route: Route) -> bool:
    """Whether it is the API's: its callers are API tokens."""
    return route.routed.viewset.authenticator.needs_scopes


def is_signed(route: Route) -> bool:
    """Whether it is for a company's own application, which signs its calls."""
    return route.endpoint is not None and route.endpoint.auth == "bearer and signed envelope"


def of_desk(route: Route) -> bool:
    """Whether it is for support agents."""
    return route.path.startswith("/api/v1/support/")


def of_visitors(route: Route) -> bool:
    return route.routed.viewset.authenticator.tag == "visitor"


def of_console(route: Route) -> bool:
    """Whether it is for operators who signed in at the console."""
    return route.routed.viewset.authenticator.tag == "console"


def has_secret_in_path(route: Route) -> bool:
    """Whether its callers have a secret in the path: the compat routes."""
    return route.endpoint is not None and route.endpoint.auth == "secret in the path"


def needs_session(route: Route) -> bool:
    """Whether it is for visitors who have a session."""
    return of_visitors(route) and {"visitor": []} in route.routed.viewset.authenticator.security


def reads_query(route: Route) -> bool:
    """Whether what stands in the query counts."""
    return not isinstance(route.operation.filters, AnyQuery)


def writes(route: Route) -> bool:
    return route.method != "GET"


def takes_body(route: Route) -> bool:
    return route.operation.body is not None


def refuses_unknown_members(route: Route) -> bool:
    """Whether it takes a body of ours, of which each member counts."""
    return route.operation.body is not None and not route.operation.body.passes_over_unknown


def needs_key(route: Route) -> bool:
    return route.operation.idempotent


def takes_ids(route: Route) -> bool:
    return route.places > 0
