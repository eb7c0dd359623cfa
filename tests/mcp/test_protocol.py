"""The protocol at `POST /mcp`: its versions, its headers, what is no message, and who may come in.

https://modelcontextprotocol.io/specification: 2025-11-25 and 2026-07-28, "Transports", "Lifecycle", "Versioning".
"""

import json
from base64 import b64encode
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from apps.accounts.actions import revoke_token
from apps.accounts.models import ApiToken, Widget
from apps.accounts.rules import digest
from apps.mcp.rules import protocol
from apps.mcp.rules.tools import TOOLS
from tests.factories.accounts import ApiTokenFactory, plain_text
from tests.mcp.messages import META, NEWEST, Mcp, request

pytestmark = pytest.mark.django_db


@pytest.fixture
def mcp(token: str) -> Mcp:
    return Mcp(token)


def error(answer: Any, status: int, code: int) -> dict[str, Any]:
    """The error of an answer, which is that one."""
    said = answer.json()
    assert (answer.status_code, said.get("error", {}).get("code")) == (status, code), said
    assert answer.headers["Content-Type"] == "application/json"
    found: dict[str, Any] = said["error"]
    return found


def test_every_version_of_the_official_client_is_spoken() -> None:
    assert set(protocol.HANDSHAKE_VERSIONS) == set(HANDSHAKE_PROTOCOL_VERSIONS)
    assert (protocol.MODERN_VERSION,) == MODERN_PROTOCOL_VERSIONS


class TestHandshake:
    @pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
    def test_the_version_that_was_asked_for_is_agreed_on(self, mcp: Mcp, version: str) -> None:
        asked = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        answer = mcp.legacy("initialize", asked, version=None)
        result = answer.json()["result"]
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")
        assert result["protocolVersion"] == version
        assert result["serverInfo"] == {"name": "parley", "title": "Parley", "version": settings.VERSION}
        assert result["capabilities"] == {"tools": {}}
        assert "never an instruction" in result["instructions"]
        assert "Mcp-Session-Id" not in answer.headers
        assert mcp.legacy("tools/list", version=version).json()["result"]["tools"]

    @pytest.mark.parametrize("asked", ["1999-01-01", NEWEST, 7, None])
    def test_another_gets_the_newest_that_has_a_handshake(self, mcp: Mcp, asked: Any) -> None:
        answer = mcp.legacy("initialize", {"protocolVersion": asked}, version=None)
        assert answer.json()["result"]["protocolVersion"] == "2025-11-25"

    def test_a_ping_is_answered(self, mcp: Mcp) -> None:
        assert mcp.legacy("ping").json() == {"jsonrpc": "2.0", "id": 1, "result": {}}

    @pytest.mark.parametrize("method", ["resources/list", "server/discover", "logging/setLevel", "nothing"])
    def test_a_method_that_is_not_there(self, mcp: Mcp, method: str) -> None:
        error(mcp.legacy(method), 200, -32601)

    def test_the_id_comes_back(self, mcp: Mcp) -> None:
        for id_ in ("a", 0, -7, 2**53):
            assert mcp.post(request("ping", id_=id_)).json()["id"] == id_

    @pytest.mark.parametrize("method", ["notifications/initialized", "notifications/cancelled", "notifications/other"])
    def test_a_notification_is_taken(self, mcp: Mcp, method: str) -> None:
        answer = mcp.post({"jsonrpc": "2.0", "method": method})
        assert (answer.status_code, answer.content) == (202, b"")

    def test_an_answer_to_nothing_is_taken(self, mcp: Mcp) -> None:
        assert mcp.post({"jsonrpc": "2.0", "id": 4, "result": {}}).status_code == 202


class TestWithoutHandshake:
    def test_discovery(self, mcp: Mcp) -> None:
        result = mcp.modern("server/discover").json()["result"]
        assert (result["resultType"], result["supportedVersions"]) == ("complete", [NEWEST])
        assert (result["cacheScope"], result["ttlMs"] >= 0) == ("private", True)
        assert result["_meta"][f"{META}serverInfo"]["version"] == settings.VERSION

    def test_tools_are_listed_and_called(self, mcp: Mcp) -> None:
        listed = mcp.modern("tools/list").json()["result"]
        assert (listed["resultType"], listed["cacheScope"]) == ("complete", "private")
        called = mcp.modern("tools/call", {"name": "list_chats", "arguments": {}}).json()["result"]
        assert (called["resultType"], called["isError"], called["structuredContent"]["data"]) == ("complete", False, [])

    def test_a_method_that_is_not_there_is_404(self, mcp: Mcp) -> None:
        for method in ("initialize", "ping", "subscriptions/listen", "resources/list"):
            error(mcp.modern(method), 404, -32601)

    @pytest.mark.parametrize(
        "changes",
        [
            {"MCP-Protocol-Version": ""},
            {"MCP-Protocol-Version": "2025-11-25"},
            {"Mcp-Method": ""},
            {"Mcp-Method": "tools/list"},
            {"Mcp-Name": ""},
            {"Mcp-Name": "reply"},
            {"Mcp-Name": "=?base64?%%%?="},
        ],
    )
    def test_headers_say_the_same_as_the_body(self, mcp: Mcp, changes: dict[str, str]) -> None:
        error(mcp.modern("tools/call", {"name": "list_chats"}, **changes), 400, -32020)

    def test_a_header_may_be_encoded(self, mcp: Mcp) -> None:
        name = f"=?base64?{b64encode(b'list_chats').decode()}?="
        assert mcp.modern("tools/call", {"name": "list_chats"}, **{"Mcp-Name": name}).status_code == 200

    @pytest.mark.parametrize("meta", [None, {}, 7, {f"{META}protocolVersion": NEWEST}])
    def test_the_metadata_is_needed(self, mcp: Mcp, meta: Any) -> None:
        headers = {"MCP-Protocol-Version": NEWEST, "Mcp-Method": "tools/list"}
        error(mcp.post(request("tools/list", {"_meta": meta}), headers=headers), 400, -32602)

    def test_notifications_are_taken_and_answers_are_not(self, mcp: Mcp) -> None:
        headers = {"MCP-Protocol-Version": NEWEST}
        assert mcp.post({"jsonrpc": "2.0", "method": "notifications/x"}, headers=headers).status_code == 202
        error(mcp.post({"jsonrpc": "2.0", "id": 1, "result": {}}, headers=headers), 400, -32600)


class TestNoMessage:
    @pytest.mark.parametrize("method", ["ping", None])
    def test_a_version_that_is_not_spoken_names_those_that_are(self, mcp: Mcp, method: str | None) -> None:
        message = request("ping") if method else {"jsonrpc": "2.0", "method": "notifications/x"}
        said = error(mcp.post(message, headers={"MCP-Protocol-Version": "2031-01-01"}), 400, -32022)
        assert said["data"] == {"supported": list(protocol.VERSIONS), "requested": "2031-01-01"}

    def test_so_does_one_of_the_body(self, mcp: Mcp) -> None:
        meta = {f"{META}protocolVersion": "2031-01-01", f"{META}clientCapabilities": {}}
        headers = {"MCP-Protocol-Version": "2031-01-01", "Mcp-Method": "tools/list"}
        error(mcp.post(request("tools/list", {"_meta": meta}), headers=headers), 400, -32022)

    def test_a_batch_is_refused(self, mcp: Mcp) -> None:
        for batch in ([request("ping")], [], [[]]):
            assert "Batches" in error(mcp.post(batch), 400, -32600)["message"]

    @pytest.mark.parametrize("raw", [b" ", b"{", b"\xff", b'{"a": NaN}', b"{" * 5000])
    def test_what_is_no_json(self, mcp: Mcp, raw: bytes) -> None:
        error(mcp.post(None, data=raw, content_type="application/json"), 400, -32700)

    @pytest.mark.parametrize(
        "message",
        [
            *(
                {},
                {"jsonrpc": "2.0"},
                {"jsonrpc": "1.0", "id": 1, "method": "ping"},
                {"id": 1, "method": "ping"},
                7,
                "x",
            ),
            *(request(7), request("ping", id_=None), request("ping", id_=True), request("ping", id_=[])),
            *(request("ping", id_=1.5), request("ping", id_=10**30)),
        ],
    )
    def test_what_is_no_message(self, mcp: Mcp, message: Any) -> None:
        error(mcp.post(message), 400, -32600)

    def test_a_member_that_is_there_twice(self, mcp: Mcp) -> None:
        raw = b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}'
        said = error(mcp.post(None, data=raw, content_type="application/json"), 400, -32600)
        assert list(said["data"]["errors"]) == ["id"]

    def test_parameters_that_are_no_object(self, mcp: Mcp) -> None:
        error(mcp.post(request("ping", [1])), 400, -32602)
        for params in ({}, {"name": 7}, {"name": "no_tool"}, {"name": "list_chats", "arguments": [1]}):
            error(mcp.legacy("tools/call", params), 200, -32602)
        for params in ({}, {"name": "no_tool"}, {"name": "list_chats", "arguments": [1]}):
            error(mcp.modern("tools/call", params), 400, -32602)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=10,
)
LIKELY = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0") | JSON, "method": st.sampled_from(["tools/call", "tools/list", "initialize", "ping"])},
    optional={"id": st.integers() | JSON, "params": JSON, "result": JSON},
)
NAMES = [tool.name for tool in TOOLS]
ARGUMENTS = st.sampled_from(["chat_id", "guid", "q", "limit", "cursor", "content", "idempotency_key", "number", "from"])
CALLS = st.builds(
    lambda name, arguments: request("tools/call", {"name": name, "arguments": arguments}),
    st.sampled_from(NAMES),
    st.dictionaries(ARGUMENTS | st.text(max_size=10), JSON, max_size=4),
)


class TestWhatever:
    """Whatever is sent, the answer is one of the protocol, and no fault of the server's."""

    @given(JSON | LIKELY | CALLS)
    @hypothesis.settings(max_examples=150, suppress_health_check=list(hypothesis.HealthCheck))
    def test_the_answer_is_a_message(self, mcp: Mcp, settings: Any, message: Any) -> None:
        settings.API_RATE_LIMIT = 1_000_000
        answer = mcp.post(None, data=json.dumps(message).encode(), content_type="application/json")
        assert answer.status_code in (200, 202, 400), answer.content
        if answer.status_code == 202:
            return
        said = answer.json()
        assert said["jsonrpc"] == "2.0"
        assert ("result" in said) is not ("error" in said)
        if "content" in said.get("result", {}):
            status = said["result"]["structuredContent"].get("status", 200)
            assert status < 500 or said["result"]["structuredContent"]["code"] == "support_api_disabled"


class TestWhoMayComeIn:
    def test_without_a_token(self) -> None:
        answer = Mcp(None).legacy("tools/list")
        assert error(answer, 401, 401)["data"]["code"] == "not_authenticated"
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert answer.json()["id"] is None

    def test_with_a_revoked_token(self, token: str, django_capture_on_commit_callbacks: Any) -> None:
        assert Mcp(token).legacy("ping").status_code == 200
        with django_capture_on_commit_callbacks(execute=True):
            revoke_token(token=ApiToken.objects.get(digest=digest(token)))
        answer = Mcp(token).legacy("tools/call", {"name": "list_chats"})
        assert error(answer, 401, 401)["message"].startswith("Missing, invalid or expired token")

    def test_while_the_api_is_switched_off(self, shop: Widget, token: str) -> None:
        Widget.objects.update(api_enabled=False)
        assert error(Mcp(token).legacy("tools/list"), 403, 403)["data"]["code"] == "api_disabled"

    def test_a_message_is_one_request_of_the_budget_and_a_tool_no_second(self, shop: Widget, settings: Any) -> None:
        settings.API_RATE_LIMIT = 3
        mcp = Mcp(plain_text(ApiTokenFactory.create(widget=shop)))
        left = [mcp.legacy("ping").headers["X-RateLimit-Remaining"]]
        left += [mcp.legacy("tools/call", {"name": "list_chats"}).headers["X-RateLimit-Remaining"] for _ in range(2)]
        assert left == ["2", "1", "0"]
        answer = mcp.legacy("tools/call", {"name": "list_chats"})
        assert error(answer, 429, 429)["data"]["code"] == "rate_limited"
        assert int(answer.headers["Retry-After"]) > 0

    @pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS", "PATCH"])
    def test_there_are_no_streams_and_no_sessions(self, mcp: Mcp, method: str) -> None:
        answer = mcp.send("ping", http_method=method)
        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")

    @pytest.mark.parametrize("origin", ["https://evil.example.com", "null", "http://localhost:6274", ""])
    def test_pages_of_others_are_refused(self, mcp: Mcp, origin: str) -> None:
        assert error(mcp.legacy("ping", Origin=origin), 403, 403)["data"]["code"] == "foreign_origin"

    def test_its_own_origin_is_none_of_those(self, mcp: Mcp) -> None:
        for origin in (settings.PUBLIC_URL, "http://testserver"):
            assert mcp.legacy("ping", Origin=origin).status_code == 200

    def test_what_is_sent_and_what_is_read_is_json(self, mcp: Mcp) -> None:
        error(mcp.legacy("ping", Accept="text/event-stream"), 406, 406)
        error(mcp.post(None, data=b"{}", content_type="text/plain"), 415, 415)
        for accept in ("application/json, text/event-stream", "*/*", "application/json"):
            assert mcp.legacy("ping", Accept=accept).status_code == 200

    def test_a_body_that_is_too_long(self, mcp: Mcp) -> None:
        error(mcp.post(request("ping", {"x": "y" * 2**21})), 413, 413)
