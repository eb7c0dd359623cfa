"""Behind a real nginx, with the lines of docs/guides/deployment.md, over TLS: all that people and programs do."""

import http.client
import json
import re
import socket
import ssl
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from typing import Any, cast

import pytest
import requests
from playwright.sync_api import BrowserContext, expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.conftest import RUNNING
from tests.e2e.console import ALICE, PASSWORD, Desk
from tests.e2e.nginx import NGINX, Nginx
from tests.run.service import Service

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(NGINX is None, reason="nginx is not here (`make test` installs it where it may)"),
]

MB = 1024 * 1024
CALLS_A_MINUTE, SOCKETS = 120, 5
LONG = 2000  # messages of a chat


class Front:
    """The service behind nginx: what its clients see of it."""

    def __init__(self, service: Service, nginx: Nginx) -> None:
        self.service, self.nginx = service, nginx
        self.widget: dict[str, Any] = service.demo["accounts"][0]["widgets"][0]
        self.url, self.guid, self.chat_id = nginx.url, self.widget["guid"], self.widget["chat_ids"][0]
        self._session = requests.Session()
        self._session.verify, self._session.trust_env = str(nginx.trusted), False

    def ask(self, method: str, path: str, *, token: str | None = None, **options: Any) -> requests.Response:
        """An answer, without following where it leads; as a system with the widget's token, or another or none ("")."""
        token = self.widget["tokens"]["all"] if token is None else token
        headers = {"X-Service-Idempotency-Key": uuid.uuid4().hex, **options.pop("headers", {})}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        address = path if path.startswith("http") else self.url + path
        return self._session.request(method, address, headers=headers, allow_redirects=False, timeout=30, **options)

    def forget_sign_ins(self) -> None:
        self.service.forget_sign_ins()

    def visitor_token(self) -> str:
        answer = self.ask("POST", f"/widget/{self.guid}/sessions", token="", json={})
        token: str = answer.json()["data"]["visitor_token"]
        return token

    def socket(self, path: str, *, origin: str | None, address: str = "127.0.0.1", **headers: str) -> ClientConnection:
        """A websocket from that address of this machine, as a page of that origin opens one."""
        plain = socket.create_connection(("127.0.0.1", self.nginx.port), source_address=(address, 0))
        return connect(
            self.nginx.realtime_url + path,
            sock=plain,
            ssl=self.nginx.tls(),
            origin=cast("Any", origin),
            additional_headers=headers,
            open_timeout=10,
            proxy=None,
        )


@pytest.fixture(scope="module")
def front(kept_service: Service) -> Iterator[Front]:
    service = kept_service
    service.end()
    with Nginx({8000: service.port, 8001: service.realtime_port}) as nginx:
        try:
            service.start(
                **RUNNING
                | {
                    "PUBLIC_URL": nginx.url,
                    "REALTIME_URL": nginx.realtime_url,
                    "TRUSTED_PROXIES": "1",
                    "HSTS_SECONDS": "300",
                    "METRICS_TOKEN": "scrape-me",
                    "VISITOR_RATE_LIMIT": str(CALLS_A_MINUTE),
                    "SOCKETS_PER_ADDRESS": str(SOCKETS),
                }
            )
            yield Front(service, nginx)
        finally:
            service.end()


@pytest.fixture(scope="module")
def idle_socket(front: Front) -> Iterator[tuple[float, ClientConnection]]:
    """Since when, and a visitor's, who says nothing from now on."""
    token = front.visitor_token()
    with front.socket(f"/ws/visitor/{front.guid}", origin=front.url) as opened:
        opened.send(json.dumps({"type": "auth", "token": token}))
        assert json.loads(opened.recv(10))["type"] == "ready"
        yield time.monotonic(), opened


def problem(answer: requests.Response) -> tuple[int, str]:
    assert answer.headers["Content-Type"] == "application/problem+json", answer.text
    return answer.status_code, answer.json()["code"]


def test_a_system_reads_writes_and_is_refused_as_without_it(front: Front, idle_socket: object) -> None:
    listed = front.ask("GET", "/api/v1/chats")
    assert (listed.status_code, listed.headers["Content-Type"]) == (200, "application/json")
    message = {"type": "text", "body": "Hello", "agent_id": front.widget["agents"][0]["id"]}
    path = f"/api/v1/chats/{front.chat_id}/messages"
    key = {"X-Service-Idempotency-Key": uuid.uuid4().hex}
    assert front.ask("POST", path, json=message, headers=key).status_code == 202
    assert problem(front.ask("POST", path, json=message, headers=key)) == (409, "idempotency_key_reused")
    assert problem(front.ask("POST", path, json={"type": "text"})) == (422, "invalid_input")
    assert problem(front.ask("POST", path, json=message, token="")) == (401, "not_authenticated")
    assert problem(front.ask("GET", "/api/v1/nothing")) == (404, "not_found")
    assert problem(front.ask("DELETE", "/api/v1/chats"))[0] == 405
    assert front.ask("GET", "/api/v1/chats", headers={"X-Request-Id": "mine"}).headers["X-Request-Id"] == "mine"


def test_an_assistant_works_through_it(front: Front) -> None:
    """The protocol's own headers go through, and its refusals come back whole."""

    def send(method: str, **options: Any) -> requests.Response:
        headers = {"Accept": "application/json, text/event-stream", **options.pop("headers", {})}
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": options.pop("params", {})}
        return front.ask("POST", "/mcp", json=message, headers=headers, **options)

    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    call = {"name": "get_chat", "arguments": {"chat_id": front.chat_id}, "_meta": meta}
    named = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "get_chat"}
    read = send("tools/call", params=call, headers=named).json()["result"]
    assert (read["isError"], read["structuredContent"]["data"]["id"]) == (False, front.chat_id)
    refused = [send("ping", headers={"Origin": origin}).status_code for origin in ("https://evil.example", front.url)]
    assert refused == [403, 200]
    assert send("ping", token="").headers["WWW-Authenticate"] == "Bearer"
    assert front.ask("GET", "/mcp").status_code == 405


def test_files_go_in_and_out_and_too_large_ones_are_answered_with_a_problem(front: Front) -> None:
    def upload(size: int) -> requests.Response:
        return front.ask("POST", "/api/v1/files", files={"file": ("note.bin", bytes(size))})

    kept = upload(10 * MB)
    assert kept.status_code == 201, kept.text
    address = kept.json()["data"]["url"]
    assert address.startswith(front.url)
    read = front.ask("GET", address, token="")
    assert (read.status_code, len(read.content)) == (200, 10 * MB)
    head = front.ask("HEAD", address, token="")
    assert (head.status_code, head.headers["Content-Length"], head.content) == (200, str(10 * MB), b"")
    for size in (10 * MB + 1, 29 * MB):
        refused = upload(size)
        assert problem(refused) == (422, "invalid_input")
        assert refused.json()["errors"] == {"file": ["The file is larger than 10 MB."]}
    assert problem(upload(31 * MB)) == (413, "body_too_large"), "nginx itself"
    form = {"Content-Type": "multipart/form-data; boundary=b"}
    chunked = front.ask("POST", "/api/v1/files", headers=form, data=(bytes(MB) for _ in range(31)))
    assert problem(chunked) == (413, "body_too_large")


@pytest.mark.slow
def test_a_long_transcript_is_streamed(front: Front) -> None:
    """Not made whole first: it comes in chunks, without a length that somebody would have had to wait for."""
    front.service.manage(
        "shell",
        "-c",
        "from apps.chats.models import Chat, Message\n"
        f"chat = Chat.objects.get(pk={front.widget['chat_ids'][1]})\n"
        "Message.objects.bulk_create(Message(chat=chat, widget_id=chat.widget_id, sender_kind='client',"
        f" body=f'line {{n}} ' + 'x' * 300) for n in range({LONG}))",
    )
    answer = front.ask("GET", f"/api/v1/chats/{front.widget['chat_ids'][1]}/transcript", stream=True)
    assert (answer.headers["Transfer-Encoding"], "Content-Length" in answer.headers) == ("chunked", False)
    text = answer.text
    assert (text.count("line "), f"line {LONG - 1} " in text) == (LONG, True)


def static(front: Front) -> str:
    """Where a file of the widget is, under its lasting name."""
    loader = front.ask("GET", f"/widget/{front.guid}/embed.js").text
    found = re.search(rf'"{re.escape(front.url)}(/static/[^"]+\.js)"', loader)
    assert found is not None, loader
    return found[1]


@pytest.mark.slow
def test_nginx_compresses_nothing_of_it_and_the_service_what_may_be(front: Front) -> None:
    gzip = {"Accept-Encoding": "gzip"}
    for path in (f"/api/v1/chats/{front.chat_id}/messages", "/demo/"):
        assert "Content-Encoding" not in front.ask("GET", path, headers=gzip).headers, path
    session = front.ask("POST", f"/widget/{front.guid}/sessions", token="", json={}, headers=gzip)
    assert "Content-Encoding" not in session.headers
    public = (f"/widget/{front.guid}/embed.js", f"/widget/{front.guid}/config")
    for path in ("/api/schema", *public, static(front)):
        compressed = front.ask("GET", path, headers=gzip)
        assert (compressed.status_code, compressed.headers.get("Content-Encoding")) == (200, "gzip"), path
        assert "Accept-Encoding" in compressed.headers["Vary"]
        again = front.ask("GET", path, headers={**gzip, "If-None-Match": compressed.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")


def calls(front: Front, address: str, at_most: int) -> list[int]:
    """Statuses of a visitor's calls until one is refused, all from that address, each claiming to be from another."""
    caller = http.client.HTTPSConnection(
        "localhost", front.nginx.port, context=front.nginx.tls(), source_address=(address, 0)
    )
    statuses = [200]
    while statuses[-1] == 200 and len(statuses) <= at_most:
        forged = f"203.0.113.{len(statuses) % 250}"
        headers = {"X-Forwarded-For": f"{forged}, {forged}", "X-Real-IP": forged, "Forwarded": f"for={forged}"}
        caller.request("GET", f"/widget/{front.guid}/config", headers=headers)
        answer = caller.getresponse()
        answer.read()
        statuses.append(answer.status)
    caller.close()
    return statuses[1:]


def test_visitors_are_limited_by_the_address_that_nginx_sees(front: Front) -> None:
    statuses = calls(front, "127.0.0.31", 10 * CALLS_A_MINUTE)
    assert (statuses[-1], statuses.count(200) >= CALLS_A_MINUTE) == (429, True)
    assert calls(front, "127.0.0.32", 1) == [200], "another visitor is not"


def test_hosts_and_schemes_that_clients_claim_do_not_count(front: Front) -> None:
    assert problem(front.ask("GET", "/api/v1/chats", headers={"Host": "evil.example"})) == (400, "unknown_host")
    for path in ("/admin/", "/console/"):
        claimed = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http", "Forwarded": "host=evil.example"}
        answer = front.ask("GET", path, token="", headers=claimed)
        assert (answer.status_code, answer.headers["Location"].startswith("/")) == (302, True)
        assert answer.headers["Strict-Transport-Security"] == "max-age=300"
    plain = f"http://localhost:{front.nginx.plain_port}/console/login/?next=/console/"
    answer = front.ask("GET", plain, token="", headers={"X-Forwarded-Proto": "https"})
    assert (answer.status_code, answer.headers["Location"]) == (301, "https://localhost/console/login/?next=/console/")
    assert "Set-Cookie" not in answer.headers
    assert front.ask("GET", "/console/login/", token="").status_code == 200, "and no other redirect follows"


HIDDEN = (
    "/metrics", "/metrics?a", "//metrics", "/%6detrics", "/a/../metrics", "/ws/../metrics", "/ws/%2e%2e/metrics",
    "/ws/..%2fmetrics", "/./metrics", "/metrics%23", "/METRICS", "/metrics/", "/ws/metrics",
)  # fmt: skip


def test_probes_and_figures_are_not_shown_outside(front: Front) -> None:
    scrape = "Authorization: Bearer scrape-me\r\n"
    for path in HIDDEN:
        for spelling in (path, f"https://localhost{path}"):
            status, answer = exchange(front, "nginx", f"GET {spelling} HTTP/1.1\r\n{HOST}{scrape}{CLOSE}\r\n".encode())
            assert (status, b"parley_" in answer) == ([404], False), spelling
    for path in ("/healthz", "/readyz"):
        assert front.ask("GET", path, token="").status_code == 404
    assert front.service.get("/readyz")[0] == 200, "but to whoever asks the process itself"


# Requests that two servers might read differently, and what may become of them: "alike" through nginx and without it,
# else the statuses that are all right through nginx.
HOST, CLOSE = "Host: localhost\r\n", "Connection: close\r\n"
LIST = "GET /api/v1/chats HTTP/1.1\r\n"
TOKEN = "Authorization: TOKEN\r\n"
POST = "POST /api/v1/chats/1/messages HTTP/1.1\r\n" + HOST + TOKEN
HIDDEN_ONE = f"GET /api/v1/contacts HTTP/1.1\r\n{HOST}{TOKEN}\r\n"
ODD_REQUESTS = {
    "length and chunks": POST + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN_ONE,
    "two lengths": POST + "Content-Length: 4\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + HIDDEN_ONE,
    "a list of lengths": POST + "Content-Length: 4, 5\r\n\r\n0\r\n\r\n" + HIDDEN_ONE,
    "a length with a sign": POST + "Content-Length: +4\r\n\r\n0\r\n\r\n" + HIDDEN_ONE,
    "an unknown coding": POST + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + HIDDEN_ONE,
    "two codings": POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + HIDDEN_ONE,
    "a coding with a tab": POST + "Transfer-Encoding:\tchunked, identity\r\n\r\n0\r\n\r\n" + HIDDEN_ONE,
    "a space before the colon": POST + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + HIDDEN_ONE,
    "a folded line": LIST + HOST + "X-A: b\r\n Transfer-Encoding: chunked\r\n" + CLOSE + "\r\n",
    "a chunk's size in hex with 0x": POST + "Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n",
    "a negative chunk": POST + "Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n",
    "a return within a line": LIST + HOST + "X-A: b\rTransfer-Encoding: chunked\r\n" + CLOSE + "\r\n",
    "a zero within a line": LIST + HOST + "X-A: b\0c\r\n" + CLOSE + "\r\n",
    "no host": LIST + CLOSE + "\r\n",
    "two hosts": LIST + HOST + "Host: evil.example\r\n" + CLOSE + "\r\n",
    "a host with a path": LIST + "Host: localhost/evil\r\n" + CLOSE + "\r\n",
    "another host in the line": "GET http://evil.example/api/v1/chats HTTP/1.1\r\nHost: evil.example\r\n"
    + CLOSE
    + "\r\n",
    "a method in small letters": "get /api/v1/chats HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
    "CONNECT": "CONNECT localhost:443 HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
    "TRACE": "TRACE / HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
    "up and out": "GET /../../etc/passwd HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
    "up and out, encoded": "GET /static/%2e%2e/%2e%2e/manage.py HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
    "a zero in the path": "GET /%00 HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
    "a line's end in the path": "GET /%0d%0aX:y HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
    "a host in the path": "GET //evil.example/admin HTTP/1.1\r\n" + HOST + CLOSE + "\r\n",
    "two slashes": "GET /api//v1/chats HTTP/1.1\r\n" + HOST + TOKEN + CLOSE + "\r\n",
    "up and back, encoded": "GET /api/%2e%2e/api/v1/chats HTTP/1.1\r\n"
    + HOST
    + "Authorization: TOKEN\r\n"
    + CLOSE
    + "\r\n",
}
ACCEPTED = {
    "a whole address in the line": f"GET https://localhost/api/v1/chats HTTP/1.1\r\n{HOST}{TOKEN}{CLOSE}\r\n",
    "HTTP/1.0": f"GET /api/v1/chats HTTP/1.0\r\n{HOST}{TOKEN}\r\n",
    "underscores": f"{LIST}{HOST}{TOKEN}X_Forwarded_Proto: http\r\nX_FORWARDED_FOR: a\r\n{CLOSE}\r\n",
    "a letter in hex": f"GET /%61pi/v1/chats HTTP/1.1\r\n{HOST}{TOKEN}{CLOSE}\r\n",
    "one after the other at once": (f"{LIST}{HOST}{TOKEN}\r\n" * 2)
    + f"{LIST}{HOST}{TOKEN}{CLOSE}\r\n",
    "a body that nobody asked for": f"{LIST}{HOST}{TOKEN}{CLOSE}Content-Length: 5\r\n\r\nhello",
}  # fmt: skip


def exchange(front: Front, by: str, request: bytes) -> tuple[list[int], bytes]:
    """Statuses of all answers on one connection, and the answers; the service itself is asked as nginx would."""
    request = request.replace(b"TOKEN", f"Bearer {front.widget['tokens']['all']}".encode())
    port = front.nginx.port if by == "nginx" else front.service.port
    with ExitStack() as stack:
        connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
        if by == "nginx":
            connection = stack.enter_context(front.nginx.tls().wrap_socket(connection, server_hostname="localhost"))
        else:
            request = request.replace(b"\r\n", b"\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: 127.0.0.1\r\n", 1)
        answer = b""
        try:
            connection.sendall(request)
            while piece := connection.recv(65_536):
                answer += piece
        except (ConnectionError, ssl.SSLError):
            pass
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) [A-Z]", answer)], answer


@pytest.mark.parametrize("name", ODD_REQUESTS)
def test_what_two_servers_might_read_differently_is_refused_once(front: Front, name: str) -> None:
    """By both, each with one answer: so no second request can hide behind the first."""
    for by in ("nginx", "the service itself"):
        statuses, _ = exchange(front, by, ODD_REQUESTS[name].encode())
        assert (len(statuses), statuses[0] in {400, 401, 404, 405, 501}) == (1, True), (by, statuses)


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_is_unusual_and_clear_is_answered_alike(front: Front, name: str) -> None:
    request = ACCEPTED[name].encode()
    expected = [200] * request.count(b"HTTP/1.")
    assert [exchange(front, by, request)[0] for by in ("nginx", "the service itself")] == [expected, expected]


class TestSockets:
    def test_a_visitor_writes_and_reads(self, front: Front) -> None:
        token = front.visitor_token()
        with front.socket(f"/ws/visitor/{front.guid}", origin="https://shop.example") as opened:
            opened.send(json.dumps({"type": "auth", "token": token}))
            assert json.loads(opened.recv(10))["type"] == "ready"
            said = {"client_id": str(uuid.uuid4()), "type": "text", "body": "Hello"}
            opened.send(json.dumps({"type": "message.send", "data": said}))
            ack = json.loads(opened.recv(10))
            assert (ack["type"], ack["data"]["message"]["body"]) == ("ack", "Hello")

    def test_the_operators_is_for_the_consoles_own_page(self, front: Front) -> None:
        with front.socket("/ws/operator", origin=front.url):
            pass
        with pytest.raises(InvalidStatus) as refused:
            front.socket("/ws/operator", origin="https://evil.example", **{"X-Forwarded-Host": "evil.example"})
        assert refused.value.response.status_code == 403

    def test_sockets_are_counted_by_the_address_that_nginx_sees(self, front: Front) -> None:
        path = f"/ws/visitor/{front.guid}"

        def open_one(n: int, address: str) -> ClientConnection:
            return front.socket(path, origin=None, address=address, **{"X-Forwarded-For": f"203.0.113.{n}"})

        with ExitStack() as opened:
            for n in range(SOCKETS):
                opened.enter_context(open_one(n, "127.0.0.41"))
            with pytest.raises(InvalidStatus) as refused:
                open_one(99, "127.0.0.41")
            assert refused.value.response.status_code in (403, 429)
            opened.enter_context(open_one(0, "127.0.0.42"))


def test_a_visitor_talks_in_the_browser_and_is_answered_from_the_console(
    front: Front, new_context: Callable[..., BrowserContext]
) -> None:
    browser = new_context(ignore_https_errors=True)
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: message.type == "error" and errors.append(message.text))
    page.goto(f"{front.url}/demo/")
    page.get_by_role("button", name="Open chat").click()
    page.get_by_role("dialog").get_by_role("textbox", name="Write a message").fill("Is it behind nginx?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_contain_text("Is it behind nginx?")

    operator = new_context(ignore_https_errors=True)
    desk = Desk(cast("Service", front), operator)
    assert desk.page.url.startswith(f"{front.url}/console/")
    cookies = {cookie["name"]: cookie for cookie in operator.cookies()}
    assert {name: (cookie["secure"], cookie["sameSite"]) for name, cookie in cookies.items()} == dict.fromkeys(
        ("sessionid", "csrftoken"), (True, "Lax")
    )
    assert cookies["sessionid"]["httpOnly"]
    desk.rows.filter(has_text="Is it behind nginx?").click()
    desk.page.locator(".composer textarea").fill("It is.")
    desk.page.keyboard.press("Enter")
    expect(page.get_by_role("log")).to_contain_text("It is.")
    assert (errors, desk.complaints) == ([], [])


def test_a_forged_form_is_refused(front: Front) -> None:
    page = front.ask("GET", "/console/login/", token="")
    token = page.cookies["csrftoken"]
    form = {"username": ALICE, "password": PASSWORD, "csrfmiddlewaretoken": token}
    sent = {"data": form, "cookies": {"csrftoken": token}, "token": ""}
    for headers in ({"Origin": "https://evil.example"}, {"Referer": "https://evil.example/"}, {}):
        assert front.ask("POST", "/console/login/", headers=headers, **sent).status_code == 403
    assert front.ask("POST", "/console/login/", headers={"Origin": front.url}, **sent).status_code == 302


def test_what_is_idle_for_longer_than_pings_are_apart_stays(idle_socket: tuple[float, ClientConnection]) -> None:
    """Pings come every 20 seconds, most of which have passed by now."""
    opened_at, opened = idle_socket
    while (left := opened_at + 22 - time.monotonic()) > 0:
        with suppress(TimeoutError):
            opened.recv(left)
    opened.send(json.dumps({"type": "ping"}))
    while (frame := json.loads(opened.recv(10))["type"]) != "pong":
        assert frame == "agent.presence"


def test_while_the_service_is_away_callers_get_a_problem_and_then_all_is_well(front: Front) -> None:
    """The last test: it stops the service, with nginx in front."""
    front.service.stop()
    refused = front.ask("GET", "/api/v1/chats")
    assert (problem(refused), refused.headers["Retry-After"]) == ((503, "try_again"), "5")
