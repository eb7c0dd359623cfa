"""Sockets of strangers: one short frame before sign-in, and so many sockets and frames an address."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from socket import create_connection

import pytest
from pytest_django import Settings
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from apps.accounts.models import Widget
from apps.chats.realtime.allowances import SOCKETS_WORTH, Addresses
from apps.console.consumers import OperatorSocket
from apps.core.problems import Problem
from config.realtime_websockets import MAX_PARTS, UNTOLD_A_MINUTE
from tests.realtime.process import RealtimeProcess
from tests.realtime.tab import OperatorTab, Tab

OpenTab = Callable[..., Tab]


def test_addresses_that_proxies_add_in_lines_of_their_own_are_one_list(settings: Settings) -> None:
    settings.TRUSTED_PROXIES = 2
    socket = OperatorSocket()
    lines = [(b"X-Forwarded-For", b"203.0.113.7"), (b"x-forwarded-for", b"10.0.0.9")]
    socket.scope = {"headers": lines, "client": ("127.0.0.1", 1)}
    assert socket.address == "203.0.113.7"


@pytest.mark.parametrize(
    "frame",
    [
        '{"type": "ping"}',
        "nonsense",
        "[" * 4000,
        b"\x00\x01",
        '{"type": "auth"}',
        '{"type": "auth", "token": "T", "after_id": -1}',
        '{"type": "auth", "token": "T", "token": "T"}',
        '{"type": "auth", "token": "T"' + " " * 4096 + "}",
        '{"type": "auth", "token": "T", "more": "' + "ж" * 2048 + '"}',
    ],
)
def test_a_wrong_first_frame_ends_the_socket_and_those_after_it_are_not_read(
    open_tab: OpenTab, token_of_ivan: str, frame: str | bytes
) -> None:
    tab = open_tab()
    tab.send(frame.replace("T", token_of_ivan) if isinstance(frame, str) else frame)
    with suppress(ConnectionClosed):  # it may be over by now
        tab.send({"type": "auth", "token": token_of_ivan})
    assert tab.close_code() == 1008
    assert tab.frames == []


def test_a_first_frame_of_four_kibibytes_is_read(open_tab: OpenTab, token_of_ivan: str) -> None:
    frame = json.dumps({"type": "auth", "token": token_of_ivan})
    for length, is_read in ((4096, True), (4097, False)):
        tab = open_tab()
        tab.send(frame + " " * (length - len(frame)))
        if is_read:
            assert tab.next()["type"] == "ready"
        else:
            assert tab.close_code() == 1008


def test_a_frame_that_is_huge_is_not_taken_in(open_tab: OpenTab) -> None:
    tab = open_tab()
    tab.send("[" * 65_537)
    assert tab.close_code() == 1009


def test_pings_are_answered_and_a_flood_of_them_ends_the_socket(open_tab: OpenTab, token_of_ivan: str) -> None:
    """The application is not told of pings; their answers wait for a client that does not read."""
    tab = open_tab()
    tab.auth(token_of_ivan)
    answers = [tab._socket.ping() for _ in range(UNTOLD_A_MINUTE)]
    assert answers[-1].wait(10)
    # One write: a client whose write fails closes its socket, perhaps before it has read the code.
    tab._socket.socket.sendall(Frame(Opcode.PING, b"").serialize(mask=True) * UNTOLD_A_MINUTE)
    assert tab.close_code() == 1008


def test_a_message_comes_in_as_many_parts_as_it_has_kibibytes_at_most(open_tab: OpenTab, token_of_ivan: str) -> None:
    auth = json.dumps({"type": "auth", "token": token_of_ivan})
    spaces = [" "] * (MAX_PARTS - 2)  # an empty part ends it
    tab = open_tab()
    tab._socket.send([auth, *spaces])
    assert tab.next()["type"] == "ready"
    tab = open_tab()
    with suppress(ConnectionClosed):
        tab._socket.send([auth, *spaces, " "])
    assert tab.close_code() == 1008


def test_many_frames_at_once_are_read_in_order(open_tab: OpenTab, token_of_ivan: str) -> None:
    """More than are taken in at a turn."""
    tab = open_tab()
    tab.auth(token_of_ivan)
    said = [tab.say(f"{n} " + "x" * (n * 100)) for n in range(60)]
    acks = [tab.of_type("ack") for _ in said]
    assert [ack["client_id"] for ack in acks] == said


def test_an_address_has_so_many_sockets_open_and_the_next_ones_when_those_are_closed(
    start_realtime: Callable[..., RealtimeProcess], shop: Widget, token_of_ivan: str
) -> None:
    """Visitors' and operators' sockets count alike; other addresses are not touched."""
    process = start_realtime(SOCKETS_PER_ADDRESS="3", TRUSTED_PROXIES="1")
    try:
        full = {"X-Forwarded-For": "203.0.113.7"}
        tabs = [Tab(process.url, shop.guid, headers=full) for _ in range(2)]
        tabs.append(Tab(process.url, shop.guid, headers=full))
        for kind in (lambda: Tab(process.url, shop.guid, headers=full), lambda: OperatorTab(process.url, headers=full)):
            with pytest.raises(InvalidStatus) as refused:
                kind()
            assert refused.value.response.status_code == 403
        with Tab(process.url, shop.guid, headers={"X-Forwarded-For": "203.0.113.8"}) as other:
            other.auth(token_of_ivan)
        tabs.pop().close()
        with Tab(process.url, shop.guid, headers=full) as again:
            again.auth(token_of_ivan)
        for tab in tabs:
            tab.close()
    finally:
        process.stop()


def test_the_sockets_of_an_address_share_an_allowance_that_a_reconnect_does_not_renew(
    start_realtime: Callable[..., RealtimeProcess], shop: Widget, token_of_ivan: str
) -> None:
    process = start_realtime(VISITOR_RATE_LIMIT="1", TRUSTED_PROXIES="1")
    try:
        flood = {"X-Forwarded-For": "203.0.113.7"}
        for _ in range(SOCKETS_WORTH // 2):  # a handshake counts once, as a frame does
            with Tab(process.url, shop.guid, headers=flood) as tab:
                tab.send("nonsense")
                assert tab.close_code() == 1008
        with pytest.raises(InvalidStatus) as refused:
            Tab(process.url, shop.guid, headers=flood)
        assert refused.value.response.status_code == 403
        with Tab(process.url, shop.guid, headers={"X-Forwarded-For": "203.0.113.8"}) as other:
            other.auth(token_of_ivan)
    finally:
        process.stop()


def test_long_frames_count_more_and_who_is_silent_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    addresses = Addresses()
    addresses.spend("a", limit=1, size=(SOCKETS_WORTH - 1) * 4096)
    with pytest.raises(Problem) as refused:
        addresses.spend("a", limit=1)
    assert refused.value.type.code == "rate_limited"
    for n in range(1023):
        addresses.spend(str(n), limit=1)
    now += 60
    addresses.spend("b", limit=1)
    assert list(addresses._limits) == [("b", 1)]


@pytest.mark.slow
def test_who_says_nothing_is_sent_away_and_who_has_said_who_they_are_may_be_silent(
    realtime: RealtimeProcess, open_tab: OpenTab, token_of_ivan: str
) -> None:
    """A connection after 15 seconds without the whole head of a request, also when it comes byte by byte; a socket
    after 10 without its first frame. All wait at the same time.
    """
    tab = open_tab()
    tab.auth(token_of_ivan)
    unnamed = [open_tab(), OperatorTab(realtime.url)]
    began = time.monotonic()
    with create_connection(("127.0.0.1", realtime.port)) as silent, create_connection(silent.getpeername()) as slow:
        slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        silent.settimeout(30)
        with suppress(ConnectionResetError):
            assert silent.recv(1) == b""
        slow.settimeout(20)
        with suppress(ConnectionResetError, BrokenPipeError):
            slow.sendall(b"x")
            assert slow.recv(1) == b""
    assert time.monotonic() - began > 14
    assert [socket.close_code(seconds=20) for socket in unnamed] == [1008, 1008]
    tab.send({"type": "ping"})
    assert tab.next() == {"type": "pong"}


@pytest.mark.parametrize("head", ["X: " + 70_000 * "x", "X: 1\r\n" * 20_000], ids=["a line", "lines"])
def test_a_head_without_end_is_refused(realtime: RealtimeProcess, head: str) -> None:
    with create_connection(("127.0.0.1", realtime.port)) as stranger, suppress(ConnectionResetError, BrokenPipeError):
        stranger.settimeout(10)
        stranger.sendall(f"GET /healthz HTTP/1.1\r\nHost: localhost\r\n{head}".encode())
        assert stranger.recv(12) in (b"HTTP/1.1 431", b"HTTP/1.1 400")


@pytest.mark.slow
def test_what_is_no_request_leaves_no_line_in_the_log(start_realtime: Callable[..., RealtimeProcess]) -> None:
    process = start_realtime()
    with create_connection(("127.0.0.1", process.port)) as stranger:
        stranger.sendall(b"no request at all\r\n\r\n")
        assert stranger.recv(12) == b"HTTP/1.1 400"
    process.stop()
    assert [line for line in process.output.splitlines() if "/readyz" not in line and "/healthz" not in line] == []
