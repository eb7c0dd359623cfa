"""What is compressed on the wire, for whom, and what never is (THREAT_MODEL.md: a secret beside reflected input)."""

import gzip
from typing import Any

import brotli
import pytest
from django.test import Client

from apps.accounts.models import Widget
from apps.chats.models import Chat, Contact
from apps.chats.serializers.chats import ChatSerializer, MessageSerializer
from apps.core.endpoints import compression
from apps.core.endpoints.compression import MIN_BYTES, MOST_PADDING, takes
from apps.core.endpoints.operations import operation
from apps.core.endpoints.row_serializers import secrets_in
from apps.core.endpoints.serializers import Body
from apps.webhooks.serializers import CreatedSubscriptionSerializer, SubscriptionSerializer
from apps.widget.serializers.visitors import SessionSerializer
from tests.client import ApiClient
from tests.client import client as web
from tests.factories.chats import ContactFactory, MessageFactory
from tests.widget.visitor import VisitorClient

GZIP = {"Accept-Encoding": "gzip"}


@pytest.fixture
def visitor(shop: Widget) -> VisitorClient:
    return VisitorClient(shop)


@pytest.fixture
def many(shop: Widget) -> list[Contact]:
    return ContactFactory.create_batch(30, widget=shop)


def rows_of(response: Any) -> Any:
    return response.json()["data"]


@pytest.mark.parametrize("accepted", ["gzip", "gzip, deflate, br", "GZIP;q=0.5", "x-gzip", "*", "identity;q=0.5, gzip"])
def test_a_long_list_comes_compressed_to_who_takes_it(api: ApiClient, many: list[Contact], accepted: str) -> None:
    plain = api.get("/contacts", query={"limit": 100})
    response = api.get("/contacts", query={"limit": 100}, headers={"Accept-Encoding": accepted})
    assert response.status_code == 200
    assert response.headers["Content-Encoding"] == "gzip"
    assert response.headers["Content-Length"] == str(len(response.content))
    assert response.headers["Vary"] == "Accept-Encoding"
    assert response.headers["Content-Type"] == "application/json"
    assert len(response.content) < len(plain.content) / 3
    assert gzip.decompress(response.content) == plain.content


@pytest.mark.parametrize(
    "accepted", [None, "", "identity", "br", "gzip;q=0", "*;q=0", "gzip;q=0, *", "gzip;q=0.5, identity", "gzip;q=much"]
)
def test_it_comes_as_it_is_to_who_does_not(api: ApiClient, many: list[Contact], accepted: str | None) -> None:
    headers = {} if accepted is None else {"Accept-Encoding": accepted}
    response = api.get("/contacts", query={"limit": 100}, headers=headers)
    assert len(response.content) > MIN_BYTES
    assert "Content-Encoding" not in response.headers
    assert response.headers["Content-Length"] == str(len(response.content))
    assert response.headers["Vary"] == "Accept-Encoding", "a cache may not give it to who prefers the other"
    assert len(rows_of(response)) == 30


def test_a_short_list_comes_as_it_is(api: ApiClient, many: list[Contact]) -> None:
    response = api.get("/contacts", query={"limit": 2}, headers=GZIP)
    assert len(response.content) < MIN_BYTES
    assert "Content-Encoding" not in response.headers
    assert len(rows_of(response)) == 2


def test_head_is_told_what_get_would_be(api: ApiClient, many: list[Contact]) -> None:
    response = api.request("HEAD", "/contacts", query={"limit": 100}, headers=GZIP, idempotency_key=None)
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["Content-Encoding"] == "gzip"
    assert 0 < int(response.headers["Content-Length"]) < MIN_BYTES


def test_the_same_list_is_not_always_of_the_same_length(api: ApiClient, many: list[Contact]) -> None:
    """So that nobody who writes into it learns by the length what stands beside."""
    answers = [api.get("/contacts", query={"limit": 100}, headers=GZIP).content for _ in range(30)]
    lengths = {len(answer) for answer in answers}
    assert len(lengths) > 1
    assert max(lengths) - min(lengths) <= MOST_PADDING + 1  # a padding, and the zero that ends it
    assert len({gzip.decompress(answer) for answer in answers}) == 1


def test_messages_which_hold_addresses_of_files_never_are(api: ApiClient, chat: Chat) -> None:
    MessageFactory.create_batch(12, chat=chat, body="Розы " * 200)
    response = api.get(f"/chats/{chat.pk}/messages", headers=GZIP)
    assert len(response.content) > MIN_BYTES
    assert "Content-Encoding" not in response.headers


def test_refusals_are_never_compressed(api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "MIN_BYTES", 0)
    response = api.get("/contacts", query={"color": "red"}, headers=GZIP)
    assert response.status_code == 422
    assert "Content-Encoding" not in response.headers


class TestTheLoader:
    @pytest.fixture
    def address(self, shop: Widget) -> str:
        return f"/widget/{shop.guid}/embed.js"

    def test_it_comes_compressed_although_it_is_short(self, address: str) -> None:
        plain, response = web().get(address), web().get(address, headers=GZIP)
        assert response.headers["Content-Encoding"] == "gzip"
        assert response.headers["Content-Length"] == str(len(response.content))
        assert gzip.decompress(response.content) == plain.content
        for answer in (plain, response):
            assert answer.headers["Vary"] == "Accept-Encoding, Origin"
            assert answer.headers["Cache-Control"] == "public, max-age=300"

    def test_its_etag_is_weak_and_holds_for_both_forms(self, address: str) -> None:
        plain, response = web().get(address), web().get(address, headers=GZIP)
        assert plain.headers["ETag"] == response.headers["ETag"]
        assert plain.headers["ETag"].startswith('W/"')
        known = web().get(address, headers={**GZIP, "If-None-Match": response.headers["ETag"]})
        assert (known.status_code, known.content) == (304, b"")
        assert known.headers["ETag"] == response.headers["ETag"]
        assert known.headers["Vary"] == "Accept-Encoding, Origin"
        assert "Content-Encoding" not in known.headers

    def test_it_is_compressed_once(self, address: str) -> None:
        assert len({web().get(address, headers=GZIP).content for _ in range(5)}) == 1


class TestTheSchema:
    @pytest.mark.parametrize(
        ("accept", "content_type"),
        [
            ("*/*", "application/vnd.oai.openapi"),
            ("application/json", "application/json"),
            ("application/vnd.oai.openapi+json", "application/vnd.oai.openapi+json"),
        ],
    )
    def test_it_comes_compressed_in_every_form(self, accept: str, content_type: str) -> None:
        plain = Client().get("/api/schema", headers={"Accept": accept})
        response = Client().get("/api/schema", headers={"Accept": accept, **GZIP})
        assert plain.status_code == response.status_code == 200
        assert response.headers["Content-Type"].startswith(content_type)
        assert "Content-Encoding" not in plain.headers
        assert response.headers["Content-Encoding"] == "gzip"
        assert response.headers["Content-Length"] == str(len(response.content))
        assert len(response.content) < len(plain.content) / 8
        assert gzip.decompress(response.content) == plain.content
        for answer in (plain, response):
            assert {"Accept", "Accept-Encoding"} <= set(answer.headers["Vary"].split(", "))

    def test_it_can_be_asked_for_by_name(self) -> None:
        assert Client().get("/api/schema?format=json").json()["openapi"] == "3.1.0"

    def test_who_has_it_is_not_sent_it_again(self) -> None:
        etag = Client().get("/api/schema").headers["ETag"]
        assert etag.startswith('W/"')
        known = Client().get("/api/schema", headers={**GZIP, "If-None-Match": etag})
        assert (known.status_code, known.content, known.headers["ETag"]) == (304, b"", etag)

    def test_pages_of_other_websites_may_read_it(self) -> None:
        etag = Client().get("/api/schema").headers["ETag"]
        for headers in ({}, {"If-None-Match": etag}):
            answer = Client().get("/api/schema", headers={"Origin": "https://editor.example", **headers})
            assert answer.headers["Access-Control-Allow-Origin"] == "*"

    def test_in_another_form_it_is_another(self) -> None:
        etag = Client().get("/api/schema").headers["ETag"]
        assert Client().get("/api/schema?format=json", headers={"If-None-Match": etag}).status_code == 200

    def test_it_is_made_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        first = Client().get("/api/schema", headers=GZIP).content
        monkeypatch.setattr("drf_spectacular.generators.SchemaGenerator.get_schema", None)
        assert Client().get("/api/schema", headers=GZIP).content == first


@pytest.mark.parametrize("path", ["/admin/login/", "/", "/demo/", "/api/docs", "/problems/", "/healthz", "/readyz"])
def test_pages_are_never_compressed(shop: Widget, path: str) -> None:
    """Those of the cabinet hold CSRF tokens, and repeat what was sent."""
    response = Client().get(path, headers=GZIP)
    assert response.status_code == 200
    assert "Content-Encoding" not in response.headers


class TestDeclarations:
    def test_what_opens_something_is_found_however_deep(self) -> None:
        assert secrets_in(SessionSerializer()) == ["visitor_token", "messages.url"]
        assert secrets_in(MessageSerializer()) == ["url"]
        assert secrets_in(CreatedSubscriptionSerializer()) == ["secret"]
        assert secrets_in(SubscriptionSerializer()) == secrets_in(ChatSerializer()) == []

    @pytest.mark.parametrize(
        "declared",
        [{"answers": MessageSerializer, "lists": True}, {"takes": Body}, {"streams": True}],
        ids=["shows", "writes", "streams"],
    )
    def test_an_operation_that_shows_a_secret_or_writes_or_streams_cannot_be(self, declared: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match="can't be compressed"):
            operation(summary="x", scopes=("chats:read",), compresses="long", **declared)(lambda call: None)


@pytest.mark.parametrize(
    ("accepted", "taken"),
    [
        ("gzip;q=1.0", True),
        ("gzip ; q=0.001", True),
        ("gzip;q=0.000", False),
        ("gzip;level=1", False),
        ("gzip;q=2", False),
        ("gzip;q=nan", False),
        ("deflate, gzip;q=0, *;q=0.5", False),
        ("identity;q=0", False),
        (",,;;q=,=", False),
    ],
)
def test_weights_are_read_as_http_has_them(accepted: str, taken: bool) -> None:
    assert takes("gzip", accepted) is taken


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [("gzip, deflate, br", "br"), ("br", "br"), ("gzip, br;q=0", "gzip"), ("gzip", "gzip"), ("*", "gzip"), ("", None)],
)
def test_a_short_public_answer_is_as_small_as_it_gets(
    visitor: VisitorClient, accepted: str, coding: str | None
) -> None:
    plain = visitor.get("embed.js")
    response = visitor.get("embed.js", Accept_Encoding=accepted)
    assert response.headers.get("Content-Encoding") == coding
    decoded = {"br": brotli.decompress, "gzip": gzip.decompress}.get(coding or "", bytes)(response.content)
    assert decoded == plain.content
    assert response.headers["Content-Length"] == str(len(response.content))
    assert response.headers["Vary"] == "Accept-Encoding, Origin"
