"""Reads that are repeated: every JSON read of a token's has an ETag, and is answered 304 to who has it."""

from typing import Any

from rest_framework import serializers

from apps.core.endpoints.row_serializers import Secret
from tests.contract.document import described
from tests.contract.requests import to
from tests.contract.routes import ROUTES, Route, each_route
from tests.contract.samples import World

# Reads of tokens that ask a remote host, or answer no JSON.
WHOLE_EACH_TIME = {
    "GET /api/v1/files/{id}",
    "GET /api/v1/chats/{id}/transcript",
    "GET /api/v1/kb/search",
    "GET /api/v1/reports/export",
    "GET /api/v1/ai/credentials/{id}/models",
    "GET /api/v1/support/chats/{id}/messages/{message_id}/attachment",
}
# Without an end these say how things are at the moment of the call.
UNTIL_NOW = (
    "GET /api/v1/stats",
    "GET /api/v1/stats/channels",
    "GET /api/v1/stats/timeseries",
    "GET /api/v1/reports/ai",
    "GET /api/v1/ai/demand-signals",
)


# They say the moment of the call, so no answer is that of before.
ALWAYS_NEW = {"GET /api/v1/queue", "GET /api/v1/reports"}


def conditional(route: Route) -> bool:
    return route.operation.is_conditional and route.name not in ALWAYS_NEW


@each_route(when=conditional)
def test_who_has_the_answer_is_told_that_it_is_still_true(
    route: Route, world: World, token: str, document: dict[str, Any]
) -> None:
    request = to(route, world, token)
    if route.name in UNTIL_NOW:
        request = request.but(query={**(request.query or {}), "from": "2026-11-01", "to": "2026-11-20"})
    first = request.send()
    etag = first.headers["ETag"]
    assert etag.startswith('W/"')
    assert first.headers["Cache-Control"] == "private, no-cache"
    strong = etag.removeprefix("W/")
    for said in (etag, strong, "*", f'"other", {etag}', f'W/"a",{strong} , "b"'):
        again = request.but(headers={"If-None-Match": said}).send()
        assert (again.status_code, again.content) == (304, b""), said
        assert (again.headers["ETag"], again.headers["Cache-Control"]) == (etag, "private, no-cache")
        assert not {"Content-Type", "Content-Length"} & set(again.headers)
        assert "X-RateLimit-Remaining" in again.headers
    for said in ('"other"', "", strong.strip('"'), f'W/"{etag[3:-1]}0"', "nonsense"):
        whole = request.but(headers={"If-None-Match": said}).send()
        assert (whole.status_code, whole.content) == (200, first.content), said
    responses = described(route, document)["responses"]
    assert "ETag" in responses["200"]["headers"]
    assert "ETag" in responses["304"]["headers"]
    assert "content" not in responses["304"]


def test_every_read_of_a_tokens_is_so_but_these() -> None:
    reads = [each for each in ROUTES if each.method == "GET" and each.routed.viewset.authenticator.needs_keys]
    assert {each.name for each in reads if not conditional(each)} == WHOLE_EACH_TIME | ALWAYS_NEW
    assert not [each.name for each in ROUTES if conditional(each) and each.method != "GET"]


def test_no_read_that_may_be_kept_shows_a_secret() -> None:
    """What a caller's own cache holds may be read by who comes after them at that machine."""
    kept = [each for each in ROUTES if conditional(each)]
    assert not [each.name for each in kept if shows_secret(each.operation.answers())]


def shows_secret(shape: serializers.BaseSerializer[Any]) -> bool:
    nested = getattr(shape, "child", shape)
    members = getattr(nested, "fields", {}).values()
    return isinstance(nested, Secret) or any(shows_secret(member) for member in members)
