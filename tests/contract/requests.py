"""One request of the matrix tests, changed in the one respect that a test is about."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tests.client import NEW_KEY, ApiClient, address_of, body_of
from tests.console.browser import console_headers
from tests.contract.routes import Route, is_signed, needs_session, of_console, of_desk, of_visitors
from tests.contract.samples import SAMPLES, Sample, World
from tests.factories.support import at_desk, bound, signed_headers
from tests.factories.widget import VisitorSessionFactory, visitor_token

_client = ApiClient()  # one for all: making one loads the middlewares


@dataclass(frozen=True, slots=True)
class Request:
    """A request to a routed operation; as `to(route, world, token)` makes it, it succeeds."""

    route: Route
    sample: Sample
    token: str | None
    scheme: str
    signed_in: Mapping[str, str]
    ids: tuple[Any, ...]
    key: str | None
    json: Any
    data: bytes | None = None
    content_type: str | None = None
    query: Mapping[str, Any] | None = None
    headers: Mapping[str, str] | None = None
    secret: str | None = None

    def but(self, **changes: Any) -> "Request":
        """The same otherwise; headers are added to its own."""
        if self.headers and changes.get("headers"):
            changes["headers"] = {**self.headers, **changes["headers"]}
        return replace(self, **changes)

    @property
    def authorization(self) -> dict[str, str]:
        """The headers that say who calls."""
        token = {"Authorization": f"{self.scheme} {self.token}"} if self.token else {}
        return {**token, **self.signed_in}

    def send(self) -> Any:
        return _client.request(
            self.route.method,
            self.route.address(self.ids),
            json=self.json,
            data=self.data,
            content_type=self.content_type,
            query=self.query,
            idempotency_key=self.key,
            headers={**self.authorization, **self.envelope(), **(self.headers or {})},
        )

    def envelope(self) -> dict[str, str]:
        """The headers that sign it, if its secret is known: over what is sent, as it is sent."""
        if self.secret is None:
            return {}
        body, _ = body_of(self.json, self.data, self.content_type)
        address = address_of(self.route.address(self.ids), self.query)
        return signed_headers(self.secret, self.route.method, address, body)


def to(route: Route, world: World, token: str | None) -> Request:
    """The valid request of the route's sample.

    The caller is the API's with that token, a visitor with a session or, at the console, the world's agent.
    """
    sample = SAMPLES[route.name](world)
    if of_desk(route) and token is not None:
        at_desk(token, world.agent)
    secret = bound(token) if is_signed(route) and token is not None else None
    if of_visitors(route):
        token = visitor_token(VisitorSessionFactory.create(contact=world.contact)) if needs_session(route) else None
    return Request(
        route=route,
        sample=sample,
        token=token,
        scheme="Visitor" if of_visitors(route) else "Bearer",
        signed_in=console_headers(world.agent) if of_console(route) else {},
        headers={"X-Service-Agent": "flora"} if of_desk(route) else None,
        ids=sample.ids,
        key=NEW_KEY if route.operation.idempotent else None,
        json=sample.body,
        data=sample.data,
        content_type=sample.content_type,
        query=sample.query or None,
        secret=secret,
    )
