"""Clients over HTTP and over standard input: the official library, and the command of clients/mcp in front of it."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters

from apps.accounts.models import Widget
from apps.chats.models import Chat
from apps.kb.models import Rule
from config.environment import PROJECT_ROOT
from tests.contract.web import WebProcess
from tests.factories import MessageFactory
from tests.factories.accounts import ApiTokenFactory, plain_text
from tests.mcp.messages import request
from tests.realtime.process import database_url
from tests.rows import snapshot
from tests.served import connected, served

pytestmark = pytest.mark.django_db(transaction=True)

SOURCE = PROJECT_ROOT / "clients/mcp/src"


@pytest.fixture
def url() -> Iterator[str]:
    with served() as url:
        yield url


def command(url: str, token: str, **more: str) -> StdioServerParameters:
    """The program as an assistant starts it: no settings of the service are around it."""
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE), "PARLEY_URL": url, "PARLEY_TOKEN": token, **more}
    return StdioServerParameters(command=sys.executable, args=["-m", "parley_mcp"], env=env, cwd="/")


@asynccontextmanager
async def by_way(way: str, url: str, token: str, mode: str) -> AsyncIterator[Client]:
    if way == "http":
        async with connected(url, token, mode=mode) as client:
            yield client
    else:
        async with Client(command(url, token), mode=mode) as client:
            yield client


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("way", ["http", "command"])
class TestOfficialClient:
    def test_it_lists_reads_writes_and_is_refused(self, url: str, token: str, chat: Chat, way: str, mode: str) -> None:
        MessageFactory.create(chat=chat, sender_kind="client", body="Почём розы?")

        async def work() -> None:
            async with by_way(way, url, token, mode) as client:
                assert client.protocol_version == ("2025-11-25" if mode == "legacy" else "2026-07-28")
                assert (client.server_info.name, bool(client.server_info.version)) == ("parley", True)
                assert "never an instruction" in (client.instructions or "")
                tools = {tool.name: tool for tool in (await client.list_tools()).tools}
                assert tools["list_messages"].annotations.read_only_hint
                read = await client.call_tool("list_messages", {"chat_id": chat.pk})
                assert read.structured_content["data"][0]["body"] == "Почём розы?"
                written = await client.call_tool("write_rule", {"content": "По 90.", "idempotency_key": "k"})
                assert not written.is_error
                again = await client.call_tool("write_rule", {"content": "По 90.", "idempotency_key": "k"})
                assert (again.is_error, again.structured_content["code"]) == (True, "idempotency_key_reused")
                wrong = await client.call_tool("get_chat", {"chat_id": "x"})
                assert (wrong.is_error, list(wrong.structured_content["errors"])) == (True, ["chat_id"])
                with pytest.raises(MCPError, match="Unknown tool"):
                    await client.call_tool("drop_tables", {})

        anyio.run(work)
        assert Rule.objects.count() == 1

    def test_it_has_the_tools_of_its_scopes_alone(self, url: str, shop: Widget, way: str, mode: str) -> None:
        token = plain_text(ApiTokenFactory.create(widget=shop, scopes=["stats:read"]))

        async def work() -> None:
            async with by_way(way, url, token, mode) as client:
                tools = [tool.name for tool in (await client.list_tools()).tools]
                assert tools == ["get_stats", "get_report", "list_episodes"]
                refused = await client.call_tool("list_chats", {})
                assert (refused.is_error, refused.structured_content["code"]) == (True, "missing_scope")

        anyio.run(work)

    def test_with_a_token_that_is_none_it_is_told_why(self, url: str, way: str, mode: str) -> None:
        async def work() -> None:
            async with by_way(way, url, "pt_wrong", mode):
                raise AssertionError("it came in")

        with pytest.raises((MCPError, ExceptionGroup)) as caught:
            anyio.run(work)
        assert "Missing, invalid or expired token" in said_by(caught.value)

    def test_many_calls_at_once(self, url: str, token: str, chat: Chat, way: str, mode: str) -> None:
        found: list[int] = []

        async def work() -> None:
            async with by_way(way, url, token, mode) as client, anyio.create_task_group() as tasks:

                async def read() -> None:
                    result = await client.call_tool("get_chat", {"chat_id": chat.pk})
                    found.append(result.structured_content["data"]["id"])

                for _ in range(12):
                    tasks.start_soon(read)

        anyio.run(work)
        assert found == [chat.pk] * 12


def said_by(error: BaseException) -> str:
    """The text of an error and of all those in it."""
    return " ".join([str(error), *(said_by(each) for each in getattr(error, "exceptions", ()))])


class TestCommand:
    """`parley-mcp`, for what it does beside passing messages on."""

    def run(self, *lines: Any, **environ: str) -> subprocess.CompletedProcess[str]:
        env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE), **environ}
        sent = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
        done = [sys.executable, "-m", "parley_mcp"]
        return subprocess.run(
            done, input=sent, env=env, cwd="/", capture_output=True, text=True, timeout=60, check=False
        )

    def answers(self, done: subprocess.CompletedProcess[str]) -> list[Any]:
        assert (done.returncode, done.stderr) == (0, "")
        return [json.loads(line) for line in done.stdout.splitlines()]

    @pytest.mark.parametrize(
        ("environ", "named"),
        [
            ({"PARLEY_TOKEN": "pt_a"}, "PARLEY_URL"),
            ({"PARLEY_URL": "chat.example.com", "PARLEY_TOKEN": "pt_a"}, "PARLEY_URL"),
            ({"PARLEY_URL": "file:///etc/passwd", "PARLEY_TOKEN": "pt_a"}, "PARLEY_URL"),
            ({"PARLEY_URL": "https://[", "PARLEY_TOKEN": "pt_a"}, "PARLEY_URL"),
            ({"PARLEY_URL": "https://chat.example.com"}, "PARLEY_TOKEN"),
            ({"PARLEY_URL": "https://chat.example.com", "PARLEY_TOKEN": "pt_a\nb"}, "PARLEY_TOKEN"),
            ({"PARLEY_URL": "https://chat.example.com", "PARLEY_TOKEN": "p", "PARLEY_AGENT": "No One"}, "PARLEY_AGENT"),
        ],
    )
    def test_a_setting_that_is_missing_or_wrong_is_named(self, environ: dict[str, str], named: str) -> None:
        done = self.run(**environ)
        assert (done.returncode, done.stdout) == (2, "")
        assert named in done.stderr

    def test_it_ends_with_its_input_and_says_nothing_but_the_protocol(self, url: str, token: str) -> None:
        lines = ({"jsonrpc": "2.0", "method": "notifications/initialized"}, "", request("ping", id_="a"))
        done = self.run(*lines, PARLEY_URL=f"{url}/", PARLEY_TOKEN=token)
        assert self.answers(done) == [{"jsonrpc": "2.0", "id": "a", "result": {}}]

    def test_a_line_that_is_no_message_is_an_error(self, url: str, token: str) -> None:
        found = self.answers(self.run("{", "[1]", PARLEY_URL=url, PARLEY_TOKEN=token))
        assert [(each["id"], each["error"]["code"]) for each in found] == [(None, -32700)] * 2

    def test_a_service_that_is_away_is_named(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as closed:
            port = closed.getsockname()[1]
        done = self.run(request("ping"), PARLEY_URL=f"http://127.0.0.1:{port}", PARLEY_TOKEN="pt_a")
        (found,) = self.answers(done)
        assert (found["id"], f"http://127.0.0.1:{port}/mcp can't be reached" in found["error"]["message"]) == (1, True)

    def test_another_address_gets_no_token_by_a_redirect_and_is_said_to_be_wrong(self) -> None:
        asked: list[str] = []

        class Elsewhere(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.answer()

            def do_GET(self) -> None:
                self.answer()

            def answer(self) -> None:
                asked.append(f"{self.command} {self.path}")
                self.send_response(302)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Nothing."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as server:
            thread = Thread(target=server.serve_forever, args=(0.02,))
            thread.start()
            done = self.run(request("ping"), PARLEY_URL=f"http://127.0.0.1:{server.server_port}", PARLEY_TOKEN="pt_a")
            server.shutdown()
            thread.join()
        (found,) = self.answers(done)
        assert "PARLEY_URL" in found["error"]["message"]
        assert asked == ["POST /mcp"]

    def test_it_is_installed_from_its_folder_without_a_registry(self, tmp_path: Path) -> None:
        uvx = [str(Path(sys.executable).with_name("uvx")), "--offline", "--from", str(SOURCE.parent), "parley-mcp"]
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "UV_CACHE_DIR": str(tmp_path / "cache")}
        done = subprocess.run(uvx, env=env, cwd="/", capture_output=True, text=True, timeout=120, check=False)
        assert (done.returncode, "PARLEY_URL must hold" in done.stderr) == (2, True), done.stderr

    def test_it_needs_nothing_but_python(self) -> None:
        done = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(SOURCE)!r}); import parley_mcp"]
        assert subprocess.run(done, env={}, check=False).returncode == 0


class TestWebProcess:
    """The real web process, which reads bodies before it calls the view."""

    @pytest.fixture
    def process(self, shop: Widget) -> Iterator[WebProcess]:
        with WebProcess(DATABASE_URL=database_url()) as process:
            yield process

    def test_the_official_client_works_there(self, process: WebProcess, token: str, chat: Chat) -> None:
        async def work() -> None:
            async with connected(process.url, token) as client:
                assert not (await client.call_tool("get_chat", {"chat_id": chat.pk})).is_error

        anyio.run(work)

    def test_a_long_message_is_waited_for(self, process: WebProcess, token: str) -> None:
        answer = self.ask(process, token, "write_rule", content="а" * 200_000)
        assert list(answer.json()["result"]["structuredContent"]["errors"]) == ["content"]
        assert self.ask(process, "pt_wrong", "write_rule", content="а" * 200_000).status_code == 401

    @pytest.mark.slow
    def test_a_client_that_goes_away_leaves_the_whole_write_or_none(self, process: WebProcess, token: str) -> None:
        """Before its message is there: nothing. After it: the write is done, whoever reads the answer."""
        call = {"name": "write_rule", "arguments": {"content": "По 90. " + "а" * 3_000, "idempotency_key": "k"}}
        body = json.dumps(request("tools/call", call)).encode()
        head = (
            f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode()
        before = snapshot()
        for sent in (head[:40], head, head + body[:100], head + body[:-1]):
            self.leave(process, sent)
        assert self.ask(process, token, "list_chats").status_code == 200
        assert snapshot() == before
        self.leave(process, head + body)
        again = self.ask(process, token, "write_rule", **call["arguments"]).json()["result"]  # type: ignore[arg-type]
        assert again["structuredContent"].get("code") in (None, "idempotency_key_reused")
        assert Rule.objects.count() == 1

    def leave(self, process: WebProcess, sent: bytes) -> None:
        with socket.create_connection(("127.0.0.1", urlsplit(process.url).port or 0)) as connection:
            connection.sendall(sent)

    def ask(self, process: WebProcess, token: str, tool: str, **arguments: Any) -> httpx2.Response:
        call = request("tools/call", {"name": tool, "arguments": arguments})
        return httpx2.post(f"{process.url}/mcp", json=call, headers={"Authorization": f"Bearer {token}"}, timeout=30)
