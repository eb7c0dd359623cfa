"""Slow senders and readers, by the dozen, with nothing in front of the web process: they hold nobody's thread (R22).

The deadlines that end them, and what else odd clients do, are in `tests/core/test_serving.py`.
"""

import http.client
import json
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import cycle, islice, takewhile

import pytest
from django.conf import settings
from django.db import connection

from apps.accounts.models import Widget
from apps.chats.models import Chat, File
from apps.core.endpoints.answers import JSON
from tests.contract.web import WebProcess
from tests.factories import ApiTokenFactory, plain_text
from tests.faults.conftest import Figures
from tests.faults.fleet import p95
from tests.faults.scale import SCALE
from tests.realtime.process import database_url
from tests.uploads import FORM, form, part

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

EACH = 64
MIB = 1024 * 1024
LIMIT = 200 if SCALE.is_long else 20
CALLS = LIMIT


@pytest.fixture
def web(settings_of_web: dict[str, str]) -> Iterator[WebProcess]:
    """One process with two threads."""
    with WebProcess(**settings_of_web) as process:
        yield process


@pytest.fixture
def settings_of_web() -> dict[str, str]:
    return {
        "DATABASE_URL": database_url(),
        "REDIS_URL": settings.REDIS_URL,
        "API_RATE_LIMIT": str(LIMIT),
        "WEB_THREADS": "2",
    }


@pytest.fixture
def new_token(shop: Widget) -> Callable[[], str]:
    return lambda: plain_text(ApiTokenFactory.create(widget=shop))


def send(web: WebProcess, head: str, *, window: int | None = None) -> socket.socket:
    """Begins a request on a connection of its own, which reads nothing yet."""
    peer = socket.socket()
    if window is not None:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
    peer.settimeout(30)
    peer.connect(("127.0.0.1", web.port))
    peer.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n")
    return peer


def answer(peer: socket.socket) -> tuple[int, dict[str, str], bytes]:
    response = http.client.HTTPResponse(peer)
    response.begin()
    return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()


def head(method: str, path: str, token: str, *more: str) -> str:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"X-Service-Idempotency-Key: {uuid.uuid4()}", *more]
    return "\n".join([*lines, f"Authorization: Bearer {token}"])


def is_awaited(peer: socket.socket) -> bool:
    """Whether a sender's body is still waited for, or was until its deadline."""
    peer.setblocking(False)
    try:
        return peer.recv(100, socket.MSG_PEEK).startswith(b"HTTP/1.1 408 ")
    except BlockingIOError:
        return True


def long_transcript(chat: Chat) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO chats_message (chat_id, widget_id, type, body, sender_kind, sender_name)
               SELECT %s, %s, 'text', repeat('x', 2000), 'client', 'Ivan' FROM generate_series(1, 1500)""",
            [chat.pk, chat.widget_id],
        )


@pytest.mark.slow
def test_others_are_answered_while_dozens_send_and_read_nothing(
    web: WebProcess, chat: Chat, new_token: Callable[[], str], figures: Figures
) -> None:
    long_transcript(chat)
    ours = new_token()
    before = call_for_a_page(web, ours)
    with ExitStack() as held:
        readers = [
            send(web, head("GET", f"/api/v1/chats/{chat.pk}/transcript", new_token()), window=4096) for _ in range(EACH)
        ]
        senders = [send(web, request) for request in _stalled(chat, new_token)]
        for peer in (*readers, *senders):
            held.enter_context(closing(peer))
        during = call_for_a_page(web, new_token())
        for peer in senders:
            assert is_awaited(peer)
        for peer in readers:
            assert peer.recv(100, socket.MSG_PEEK).startswith(b"HTTP/1.1 200 OK")
        status, _, text = answer(readers[0])
    assert (status, text.count(b"Ivan: xxx")) == (200, 1500)
    figures.add("R22", f"p95 {p95(before):.0f} ms alone, {p95(during):.0f} ms beside {2 * EACH} stalled clients")
    if SCALE.is_long:
        assert p95(during) <= 2 * p95(before)


def _stalled(chat: Chat, new_token: Callable[[], str]) -> Iterator[str]:
    """Requests whose bodies do not come, announced in each way, to whom they are welcome and to whom not."""
    kinds = [
        (f"/api/v1/chats/{chat.pk}/messages", JSON, "Content-Length: 99"),
        ("/api/v1/files", FORM, f"Content-Length: {MIB}"),
        ("/api/v1/files", FORM, "Transfer-Encoding: chunked"),
        (f"/widget/{'0' * 32}/files", FORM, "Content-Length: 50000"),
        ("/admin/login/", "application/x-www-form-urlencoded", "Content-Length: 100000"),
    ]
    for path, kind, announced in islice(cycle(kinds), EACH):
        yield head("POST", path, new_token(), f"Content-Type: {kind}", announced)


def call_for_a_page(web: WebProcess, token: str) -> list[float]:
    """So many calls, each on a connection of its own; their times in milliseconds."""
    times = []
    for _ in range(CALLS):
        began = time.perf_counter()
        with closing(send(web, head("GET", "/api/v1/chats", token))) as peer:
            assert answer(peer)[0] == 200
        times.append((time.perf_counter() - began) * 1000)
    return times


@pytest.mark.slow
def test_a_file_of_10_mb_on_a_slow_line_arrives_and_is_counted_once(
    web: WebProcess, new_token: Callable[[], str]
) -> None:
    body = form(part(b"a line of text\n" * (10 * MIB // 15)))
    with closing(
        send(web, head("POST", "/api/v1/files", new_token(), f"Content-Type: {FORM}", f"Content-Length: {len(body)}"))
    ) as peer:
        pause = threading.Event()
        for start in range(0, len(body), 256 * 1024):
            peer.sendall(body[start : start + 256 * 1024])
            pause.wait(0.02)
        status, headers, document = answer(peer)
    assert status == 201
    assert headers["x-ratelimit-remaining"] == str(LIMIT - 1)
    assert File.objects.get().size == json.loads(document)["data"]["size"] == 10 * MIB // 15 * 15


class TestARefusalReachesAClientThatSendsAllOfItsBodyFirst:
    """The answer is there when it looks, though nobody has read what it sent; and the connection serves on."""

    def refused(self, web: WebProcess, path: str, token: str, size: int, kind: str = FORM) -> tuple[int, str]:
        announced = (f"Content-Type: {kind}", f"Content-Length: {size}")
        with closing(send(web, head("POST", path, token, *announced))) as peer:
            for _ in range(size // 65_536):
                peer.sendall(bytes(65_536))
            peer.sendall(bytes(size % 65_536))
            status, headers, document = answer(peer)
            assert headers["content-type"] == "application/problem+json"
            peer.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert answer(peer)[0] == 200
        return status, json.loads(document)["code"]

    @pytest.mark.slow
    def test_401_404_413_422(self, web: WebProcess, new_token: Callable[[], str], chat: Chat) -> None:
        token, path = new_token(), f"/api/v1/chats/{chat.pk}/messages"
        assert self.refused(web, "/api/v1/files", "unknown", 5 * MIB) == (401, "not_authenticated")
        assert self.refused(web, "/api/v1/nothing", token, 5 * MIB) == (404, "not_found")
        assert self.refused(web, f"/widget/{'0' * 32}/files", "", 5 * MIB) == (404, "not_found")
        assert self.refused(web, path, token, 5 * MIB, "application/json") == (413, "body_too_large")
        assert self.refused(web, "/api/v1/files", token, 11 * MIB) == (422, "invalid_input")
        assert not File.objects.exists()

    @pytest.mark.slow
    def test_uploads_over_the_token_budget_are_429(self, web: WebProcess, new_token: Callable[[], str]) -> None:
        token = new_token()
        answers = (self.refused(web, "/api/v1/files", token, MIB) for _ in range(10 * LIMIT))
        within = list(takewhile((429, "rate_limited").__ne__, answers))
        assert LIMIT <= len(within) < 10 * LIMIT
        assert set(within) == {(400, "invalid_form")}
