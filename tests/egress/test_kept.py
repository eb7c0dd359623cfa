"""Kept connections against real servers on loopback: used again by their owner alone, and by nobody once in doubt."""

import os
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.egress import EgressRefused, kept, open_stream, transport
from tests.egress.receivers import Conversation, Receiver, Resolver, answer, certificate_for, drips, read_request, says

OWNER, OTHER = b"owner", b"other"
LOOPBACK = Resolver(receiver_test=[["127.0.0.1"]])
SOON_S = 20.0


@pytest.fixture(autouse=True)
def connections(monkeypatch: pytest.MonkeyPatch) -> Iterator[kept.KeptConnections]:
    """Connections that are kept for as long as a test runs."""
    connections = kept.KeptConnections(seconds=60.0)
    monkeypatch.setattr(kept, "connections", connections)
    yield connections
    connections.close()


@pytest.fixture
def stopped() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def call(receiver: Receiver, settings: Any, **options: Any) -> bytes:
    """POSTs to the receiver, and gives the whole body."""
    settings.EGRESS_ALLOW = options.pop("allow", [f"receiver.test:{receiver.port}"])
    scheme, host = options.pop("scheme", "http"), options.pop("host", "receiver.test")
    options = {"timeout": SOON_S, "max_bytes": 1000, "owner": OWNER, "lookup": LOOPBACK, "body": b"{}", **options}
    with open_stream("POST", f"{scheme}://{host}:{receiver.port}/", **options) as stream:
        return b"".join(stream)


def refused(receiver: Receiver, settings: Any, **options: Any) -> str:
    with pytest.raises(EgressRefused) as refusal:
        call(receiver, settings, **options)
    return refusal.value.reason


def in_turn(*talks: Conversation) -> Conversation:
    """Has each connection another talk, the last one for ever."""
    left = list(talks)

    def talk(connection: socket.socket) -> None:
        (left.pop(0) if len(left) > 1 else left[0])(connection)

    return talk


def test_a_connection_is_used_again_by_its_owner(settings: Any) -> None:
    with Receiver(says(answer(b"one"), answer(b"two"), answer(b"", status="500 Oh"), answer(b"four"))) as receiver:
        assert [call(receiver, settings) for _ in range(4)] == [b"one", b"two", b"", b"four"]
        assert (receiver.connections, len(receiver.requests)) == (1, 4)


def test_a_chunked_answer_leaves_the_connection_usable(settings: Any) -> None:
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    with Receiver(says(chunked)) as receiver:
        assert [call(receiver, settings) for _ in range(3)] == [b"abc"] * 3
        assert receiver.connections == 1


def test_without_an_owner_nothing_is_kept(settings: Any) -> None:
    with Receiver(says(answer())) as receiver:
        for count in (1, 2):
            call(receiver, settings, owner=None)
            assert receiver.wait_until_ended(count)


def test_no_two_owners_share_a_connection(settings: Any) -> None:
    with Receiver(says(answer())) as receiver:
        for owner in (OWNER, OTHER, OWNER, OTHER):
            call(receiver, settings, owner=owner)
        assert receiver.connections == 2


def test_two_calls_at_once_have_a_connection_each(settings: Any) -> None:
    both = threading.Barrier(2)

    def talk(connection: socket.socket) -> None:
        while read_request(connection):
            both.wait(SOON_S)
            connection.sendall(answer())

    with Receiver(talk) as receiver:
        for _ in range(2):
            calls = [threading.Thread(target=call, args=(receiver, settings)) for _ in range(2)]
            for one in calls:
                one.start()
            for one in calls:
                one.join(SOON_S)
        assert (receiver.connections, len(receiver.requests)) == (2, 4)


# When a connection ends.


def test_an_address_that_is_vetted_no_more_ends_it(settings: Any) -> None:
    lookup = Resolver(receiver_test=[["127.0.0.1"], ["127.0.0.2"]])
    with Receiver(says(answer())) as receiver:
        call(receiver, settings, lookup=lookup)
        assert refused(receiver, settings, lookup=lookup) == "connect_failed"
        assert receiver.wait_until_ended(1)
        assert len(receiver.requests) == 1


def test_an_address_among_several_stays(settings: Any) -> None:
    lookup = Resolver(receiver_test=[["127.0.0.1"], ["127.0.0.2", "127.0.0.1"]])
    with Receiver(says(answer())) as receiver:
        assert [call(receiver, settings, lookup=lookup) for _ in range(2)] == [b"ok"] * 2
        assert receiver.connections == 1


def test_another_allow_list_ends_it(settings: Any) -> None:
    with Receiver(says(answer())) as receiver:
        call(receiver, settings)
        call(receiver, settings, allow=[f"127.0.0.1:{receiver.port}"])
        assert receiver.connections == 2
        assert refused(receiver, settings, allow=[]) == "not_https"
        assert len(receiver.requests) == 2


def test_what_is_idle_for_too_long_is_closed_though_nobody_calls(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "connections", kept.KeptConnections(seconds=0.1))
    with Receiver(says(answer())) as receiver:
        call(receiver, settings)
        assert receiver.wait_until_ended(1)
        call(receiver, settings)
        assert receiver.connections == 2


def test_no_more_are_kept_than_may_be(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for limits, owners in (({"most_each": 1}, (OWNER, OWNER)), ({"most": 1}, (OWNER, OTHER))):
        monkeypatch.setattr(kept, "connections", kept.KeptConnections(seconds=60.0, **limits))
        with Receiver(says(answer())) as receiver:
            address = {"headers": {}, "max_bytes": 10, "lookup": LOOPBACK}
            settings.EGRESS_ALLOW = [f"receiver.test:{receiver.port}"]
            url = f"http://receiver.test:{receiver.port}/"
            with (
                open_stream("GET", url, owner=owners[0], **address) as first,
                open_stream("GET", url, owner=owners[1], **address) as second,
            ):
                assert (list(first), list(second)) == ([b"ok"], [b"ok"])
            assert receiver.wait_until_ended(1)
            assert receiver.ended == 1


# What is in doubt is not used again.


def once_then(message: bytes, *, hangs_up: bool = False) -> Conversation:
    """Sends a message after the first request; then it hangs up, or waits for whatever comes."""

    def talk(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(message)
        while not hangs_up and read_request(connection):
            connection.sendall(answer(b"of the connection before"))

    return talk


def read_all(receiver: Receiver, settings: Any) -> object:
    return call(receiver, settings)


def stop_halfway(receiver: Receiver, settings: Any) -> None:
    settings.EGRESS_ALLOW = [f"receiver.test:{receiver.port}"]
    url = f"http://receiver.test:{receiver.port}/"
    with open_stream("POST", url, owner=OWNER, max_bytes=1000, lookup=LOOPBACK) as stream:
        next(stream.arriving())


DOUBTFUL: dict[str, tuple[bytes, Callable[[Receiver, Any], object]]] = {
    "bytes behind the answer": (answer() + b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged", read_all),
    "bytes behind the last chunk": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        read_all,
    ),
    "a body that is too long": (answer(b"x" * 2000), refused),
    "a body that is encoded": (answer(headers=("Content-Encoding: gzip",)), refused),
    "an answer that is the last": (answer(headers=("Connection: close",)), read_all),
    "an answer of HTTP/1.0": (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", read_all),
    "a stream that is left halfway": (answer(b"x", length=900), stop_halfway),
    "a broken chunk": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno\r\n", refused),
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_a_connection_in_doubt_is_not_used_again(settings: Any, name: str) -> None:
    message, first = DOUBTFUL[name]
    with Receiver(in_turn(once_then(message), says(answer(b"fresh")))) as receiver:
        first(receiver, settings)
        assert receiver.wait_until_ended(1)
        assert call(receiver, settings) == b"fresh"
        assert receiver.connections == 2


def test_a_message_that_comes_while_it_is_idle_is_nobodys_answer(settings: Any) -> None:
    read_once, forged = threading.Event(), threading.Event()

    def forges(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(b"first"))
        read_once.wait(SOON_S)
        connection.sendall(answer(b"forged"))
        forged.set()
        read_request(connection)

    with Receiver(in_turn(forges, says(answer(b"fresh")))) as receiver:
        assert call(receiver, settings) == b"first"
        read_once.set()
        assert forged.wait(SOON_S)
        assert call(receiver, settings) == b"fresh"


# A server that hangs up.


def test_a_server_that_hung_up_meanwhile_costs_nothing_but_a_connection(settings: Any) -> None:
    with Receiver(in_turn(once_then(answer(), hangs_up=True), says(answer(b"fresh")))) as receiver:
        call(receiver, settings)
        assert receiver.wait_until_ended(1)
        assert call(receiver, settings) == b"fresh"
        assert (receiver.connections, len(receiver.requests)) == (2, 2)


def hangs_up_on_the_second(sends: bytes, *, resets: bool = False) -> Conversation:
    """Answers one request; to the next it sends so much, and hangs up."""

    def talk(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(b"first"))
        read_request(connection)
        connection.sendall(sends)
        if resets:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")

    return talk


@pytest.mark.parametrize("resets", [False, True])
def test_a_kept_connection_that_closes_before_a_byte_is_replaced_once(settings: Any, resets: bool) -> None:
    second = hangs_up_on_the_second(b"", resets=resets)
    with Receiver(in_turn(second, says(answer(b"fresh")))) as receiver:
        assert [call(receiver, settings) for _ in range(2)] == [b"first", b"fresh"]
    with Receiver(in_turn(second, lambda connection: read_request(connection) and None)) as receiver:
        assert call(receiver, settings) == b"first"
        assert refused(receiver, settings) == "broken_answer"
        assert (receiver.connections, len(receiver.requests)) == (2, 3)


@pytest.mark.parametrize("sends", [b"H", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"])
def test_after_a_byte_of_the_answer_nothing_is_sent_again(settings: Any, sends: bytes) -> None:
    with Receiver(in_turn(hangs_up_on_the_second(sends), says(answer(b"fresh")))) as receiver:
        assert call(receiver, settings) == b"first"
        assert refused(receiver, settings) == "broken_answer"
        assert (receiver.connections, len(receiver.requests)) == (1, 2)
        assert call(receiver, settings) == b"fresh"


def test_a_first_connection_that_closes_is_not_tried_again(settings: Any) -> None:
    with Receiver(lambda connection: read_request(connection) and None) as receiver:
        assert refused(receiver, settings) == "broken_answer"
        assert len(receiver.requests) == 1


# The limits of an exchange hold on a kept connection, too.


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n"])
def test_a_drip_is_left_at_the_deadline_of_its_own_exchange(
    settings: Any, head: bytes, stopped: threading.Event
) -> None:
    def talk(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(b"first"))
        drips(head, stopped=stopped)(connection)

    with Receiver(talk) as receiver:
        assert call(receiver, settings) == b"first"
        assert refused(receiver, settings, timeout=0.4) == "timeout"
        assert receiver.wait_until_ended(1)


def test_the_deadline_of_the_exchange_before_is_over(settings: Any, stopped: threading.Event) -> None:
    heard = threading.Event()

    def talk(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(answer(b"first"))
        read_request(connection)
        heard.wait(SOON_S)
        connection.sendall(answer(b"second"))

    with Receiver(talk) as receiver:
        assert call(receiver, settings, timeout=1.0) == b"first"
        late = threading.Timer(1.2, heard.set)
        late.start()
        assert call(receiver, settings, timeout=SOON_S) == b"second"
        assert receiver.connections == 1


def test_heads_are_bounded_each_by_itself(settings: Any) -> None:
    head = b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: " % n + b"y" * 50_000 + b"\r\n" for n in range(2))
    with Receiver(says(head + b"Content-Length: 2\r\n\r\nok")) as receiver:
        assert [call(receiver, settings) for _ in range(4)] == [b"ok"] * 4
        assert receiver.connections == 1


# TLS.


@pytest.fixture
def tls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ssl.SSLContext]:
    context, authority = certificate_for("receiver.test", tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    transport.bounded_context.cache_clear()
    yield context
    transport.bounded_context.cache_clear()


def test_a_connection_of_tls_is_used_again_without_another_handshake(settings: Any, tls: ssl.SSLContext) -> None:
    hellos: list[str | None] = []
    tls.sni_callback = lambda connection, name, _: hellos.append(name)
    with Receiver(says(answer(b"secure")), tls=tls) as receiver:
        assert [call(receiver, settings, scheme="https") for _ in range(3)] == [b"secure"] * 3
        assert (hellos, receiver.connections) == (["receiver.test"], 1)


@pytest.mark.parametrize("hangs_up", [True, False])
def test_a_server_of_tls_that_hangs_up_is_called_again(settings: Any, tls: ssl.SSLContext, hangs_up: bool) -> None:
    first = once_then(answer(), hangs_up=True) if hangs_up else hangs_up_on_the_second(b"")
    with Receiver(in_turn(first, says(answer(b"fresh"))), tls=tls) as receiver:
        call(receiver, settings, scheme="https")
        assert call(receiver, settings, scheme="https") == b"fresh"
        assert receiver.connections == 2


def test_bytes_behind_an_answer_of_tls_are_nobodys(settings: Any, tls: ssl.SSLContext) -> None:
    with Receiver(in_turn(once_then(answer() + answer(b"forged")), says(answer(b"fresh"))), tls=tls) as receiver:
        assert [call(receiver, settings, scheme="https") for _ in range(2)] == [b"ok", b"fresh"]


# A forked process.


def test_a_forked_process_has_connections_of_its_own(settings: Any) -> None:
    with Receiver(says(answer())) as receiver:
        call(receiver, settings)
        before = kept.connections
        child = os.fork()
        if child == 0:
            os._exit(0 if kept.connections is not before and not kept.connections._idle else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        call(receiver, settings)
        assert receiver.connections == 1
