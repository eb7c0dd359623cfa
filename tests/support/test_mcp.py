"""The support desk as tools of the Model Context Protocol (docs/guides/mcp.md)."""

import json
import os
import re
import subprocess
import sys
import threading
from base64 import b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anyio
import pytest
from django.conf import settings
from mcp import Client

from apps.core.endpoints.routing import routed_operations
from apps.support.mcp import Desk, server_of

TOKEN = "pt_secret"
TOOLS = {
    "list_tickets": ("GET", "/tickets"),
    "get_ticket": ("GET", "/tickets/{number}"),
    "close_ticket": ("POST", "/tickets/{number}/close"),
    "reopen_ticket": ("POST", "/tickets/{number}/reopen"),
    "list_chats": ("GET", "/chats"),
    "get_chat": ("GET", "/chats/{id}"),
    "read_messages": ("GET", "/chats/{id}/messages"),
    "read_attachment": ("GET", "/chats/{id}/messages/{messageId}/attachment"),
    "claim_chat": ("POST", "/chats/{id}/claim"),
    "release_chat": ("POST", "/chats/{id}/release"),
    "reply": ("POST", "/chats/{id}/reply"),
    "get_action": ("GET", "/actions/{id}"),
}


class Api(ThreadingHTTPServer):
    """Answers as the REST API would, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict[str, str], Any]] = []
        self.answer: tuple[int, Any] = (200, {"data": []})
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Api

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append((self.command, self.path, headers, json.loads(body) if body else None))
        status, said = self.server.answer
        content = said if isinstance(said, bytes) else json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@pytest.fixture
def rest() -> Iterator[Api]:
    server = Api()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def call(rest: Api, tool: str, **arguments: Any) -> Any:
    """What an assistant gets from a tool."""

    async def ask() -> Any:
        async with Client(server_of(Desk(rest.url, TOKEN, "first-line"))) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(ask)


def test_each_row_of_the_desk_is_a_tool(rest: Api) -> None:
    async def ask() -> Any:
        async with Client(server_of(Desk(rest.url, TOKEN, "first-line"))) as client:
            return await client.list_tools()

    tools = {tool.name: tool for tool in anyio.run(ask).tools}
    assert tools.keys() == TOOLS.keys()
    for name, (method, _) in TOOLS.items():
        assert tools[name].annotations.read_only_hint is (method == "GET")
        assert tools[name].description


def test_a_read_is_one_call_with_the_token_and_the_agents_name(rest: Api) -> None:
    answer = call(rest, "list_tickets", priority="urgent", limit=5)
    ((method, path, headers, body),) = rest.asked
    assert (method, path, body) == ("GET", "/api/v1/support/tickets?state=open&priority=urgent&limit=5", None)
    assert (headers["authorization"], headers["x-service-agent"]) == (f"Bearer {TOKEN}", "first-line")
    assert answer.structured_content == {"data": []}


@pytest.mark.parametrize(
    ("tool", "arguments", "path"),
    [
        ("get_ticket", {"number": 7}, "/tickets/7"),
        ("list_chats", {"updated_since": "2026-11-25", "has_open_ticket": True, "awaiting": "any"}, None),
        ("get_chat", {"chat_id": 3}, "/chats/3"),
        ("read_messages", {"chat_id": 3, "after_id": 9}, "/chats/3/messages?after_id=9&limit=50"),
        ("get_action", {"action_id": "a1"}, "/actions/a1"),
    ],
)
def test_a_reading_tool_calls_its_address(rest: Api, tool: str, arguments: dict[str, Any], path: str | None) -> None:
    call(rest, tool, **arguments)
    asked = rest.asked[0][1]
    path = path or "/chats?updated_since=2026-11-25&awaiting=any&has_open_ticket=1"
    assert asked == f"/api/v1/support{path}"


def test_a_write_has_a_key_of_its_own_which_it_answers(rest: Api) -> None:
    rest.answer = (201, {"action_id": "a1", "status": "stored"})
    answer = call(rest, "reply", chat_id=3, text="Добрый день!", expected_last_message_id=9, ticket=7)
    ((method, path, headers, body),) = rest.asked
    assert (method, path) == ("POST", "/api/v1/support/chats/3/reply")
    assert body == {"text": "Добрый день!", "expected_last_message_id": 9, "ticket": 7}
    key = headers["x-service-idempotency-key"]
    assert answer.structured_content == {"action_id": "a1", "status": "stored", "key": key}
    call(rest, "reply", chat_id=3, text="Добрый день!", expected_last_message_id=9, ticket=7, key=key)
    assert rest.asked[1][2]["x-service-idempotency-key"] == key


@pytest.mark.parametrize(
    ("tool", "arguments", "path", "body"),
    [
        ("claim_chat", {"chat_id": 3}, "/chats/3/claim", {"ttl_sec": 600}),
        ("release_chat", {"chat_id": 3, "claim_id": "c"}, "/chats/3/release", {"claim_id": "c"}),
        ("close_ticket", {"number": 7, "reason": "resolved"}, "/tickets/7/close", {"reason": "resolved"}),
        ("reopen_ticket", {"number": 7, "note": "again"}, "/tickets/7/reopen", {"note": "again"}),
    ],
)
def test_a_writing_tool_calls_its_address_with_its_body(
    rest: Api, tool: str, arguments: dict[str, Any], path: str, body: dict[str, Any]
) -> None:
    call(rest, tool, **arguments)
    assert (rest.asked[0][1], rest.asked[0][3]) == (f"/api/v1/support{path}", body)


def test_a_refusal_is_the_problem_and_its_key(rest: Api) -> None:
    problem = {"status": 409, "reason": "chat_changed", "last_message_id": 12}
    rest.answer = (409, problem)
    answer = call(rest, "reply", chat_id=3, text="a", expected_last_message_id=9)
    assert answer.is_error
    said = json.loads(answer.content[0].text.partition(": ")[2] or answer.content[0].text)
    assert {name: said[name] for name in problem} == problem
    assert said["key"] == rest.asked[0][2]["x-service-idempotency-key"]


def test_arguments_that_are_wrong_ask_nobody(rest: Api) -> None:
    for arguments in ({"limit": 0}, {"limit": 101}, {"state": "any"}, {"priority": "low "}):
        assert call(rest, "list_tickets", **arguments).is_error
    assert rest.asked == []


@pytest.mark.parametrize("answer", [(200, b"<html>"), (502, b"<html>"), (200, [1])], ids=str)
def test_what_is_no_answer_of_the_desk(rest: Api, answer: tuple[int, Any]) -> None:
    rest.answer = answer
    assert call(rest, "get_chat", chat_id=3).is_error


def test_a_tool_fails_while_the_service_is_away(rest: Api) -> None:
    rest.shutdown()
    rest.server_close()
    assert call(rest, "get_chat", chat_id=3).is_error


def test_a_picture_comes_as_one(rest: Api) -> None:
    image = {"kind": "image", "name": "a.png", "content_type": "image/png", "base64": b64encode(b"png").decode()}
    rest.answer = (200, {"data": image})
    answer = call(rest, "read_attachment", chat_id=3, message_id=9)
    assert rest.asked[0][1] == "/api/v1/support/chats/3/messages/9/attachment"
    assert [part.type for part in answer.content] == ["text", "image"]
    assert (answer.content[1].data, answer.content[1].mime_type) == (image["base64"], "image/png")


def test_a_documents_text_comes_as_text(rest: Api) -> None:
    rest.answer = (200, {"data": {"kind": "text", "name": "a.txt", "text": "Привет"}})
    (part,) = call(rest, "read_attachment", chat_id=3, message_id=9).content
    assert json.loads(part.text)["text"] == "Привет"


class TestCommand:
    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", "support_mcp", *arguments],
            env=os.environ | environment,
            cwd=settings.BASE_DIR,
            input="",
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def test_it_ends_with_its_input_and_says_nothing_but_the_protocol(self) -> None:
        done = self.run("--agent", "first-line", PARLEY_SUPPORT_TOKEN=TOKEN)
        assert (done.returncode, done.stdout) == (0, "")

    @pytest.mark.parametrize(
        ("arguments", "token", "said"),
        [
            (["--agent", "first-line"], "", "PARLEY_SUPPORT_TOKEN is not set"),
            (["--agent", "No One"], TOKEN, "--agent takes"),
        ],
    )
    def test_what_is_missing_is_said(self, arguments: list[str], token: str, said: str) -> None:
        done = self.run(*arguments, PARLEY_SUPPORT_TOKEN=token)
        assert done.returncode == 1
        assert said in done.stderr


def test_every_call_of_the_desk_has_its_tool() -> None:
    routed = [one for one in routed_operations() if "v1/support/" in one.path]
    paths = {(one.method.upper(), re.sub("<[^>]+>", "{}", one.path.partition("v1/support")[2])) for one in routed}
    assert paths == {(method, re.sub("{[^}]+}", "{}", path)) for method, path in TOOLS.values()}
