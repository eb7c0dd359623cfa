"""One request of the matrix tests, changed in the one respect that a test is about."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tests.client import NEW_KEY, ApiClient
from tests.contract.routes import Route
from tests.contract.samples import SAMPLES, Sample, World

_client = ApiClient()  # one for all: making one loads the middlewares


@dataclass(frozen=True, slots=True)
class Request:
    """A request to a routed operation; as `to(route, world, token)` makes it, it succeeds."""

    route: Route
    sample: Sample
    token: str | None
    ids: tuple[Any, ...]
    key: str | None
    json: Any
    data: bytes | None = None
    content_type: str | None = None
    query: Mapping[str, Any] | None = None
    headers: Mapping[str, str] | None = None

    def but(self, **changes: Any) -> "Request":
        return replace(self, **changes)

    def send(self) -> Any:
        return _client.request(
            self.route.method,
            self.route.address(self.ids),
            token=self.token,
            json=self.json,
            data=self.data,
            content_type=self.content_type,
            query=self.query,
            idempotency_key=self.key,
            headers=self.headers,
        )


def to(route: Route, world: World, token: str | None) -> Request:
    """The valid request of the route's sample."""
    sample = SAMPLES[route.name](world)
    return Request(
        route=route,
        sample=sample,
        token=token,
        ids=sample.ids,
        key=NEW_KEY if route.operation.idempotent else None,
        json=sample.body,
        query=sample.query or None,
    )
