"""Loops on which much waits at once, against real servers on loopback and look-ups that hang."""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.utils import translation

from apps.egress import EgressRefused, fetch, kept, transport
from apps.egress.loops import WaitingLoop, result_of
from tests.egress.receivers import (
    Conversation,
    Receiver,
    Resolver,
    answer,
    certificate_for,
    closed_port,
    drips,
    read_request,
    says,
)
from tests.egress.test_single import HOSTILE, deadline_of
from tests.webhooks.receivers import wait_until

LOOPBACK = Resolver(receiver_test=[["127.0.0.1"]])
SOON_S = 20.0


class Loop:
    """A loop in its thread, and the outcomes of what it is given."""

    def __init__(self) -> None:
        self.loop, self.idles = WaitingLoop(), 0
        options = {"idle": self._count, "idle_s": 0.05}
        self.thread = threading.Thread(target=self.loop.run, kwargs=options, daemon=True)
        self.thread.start()

    def _count(self) -> None:
        self.idles += 1

    def begin(self, work: Callable[[], Any]) -> "Future[Any]":
        outcome: Future[Any] = Future()

        def run() -> None:
            try:
                outcome.set_result(work())
            except Exception as error:
                outcome.set_exception(error)

        self.loop.add(run)
        return outcome

    def do(self, work: Callable[[], Any]) -> Any:
        return self.begin(work).result(SOON_S)


@pytest.fixture
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.loop.end()
    loop.thread.join(SOON_S)
    assert not loop.thread.is_alive()


@pytest.fixture
def stopped() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def tls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ssl.SSLContext]:
    context, authority = certificate_for("receiver.test", tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    transport.bounded_context.cache_clear()
    yield context
    transport.bounded_context.cache_clear()


def call(receiver: Receiver, settings: Any, *, scheme: str = "http", **options: Any) -> bytes:
    settings.EGRESS_ALLOW = [f"receiver.test:{receiver.port}"]
    options = {"timeout": SOON_S, "max_bytes": 10_000_000, "lookup": LOOPBACK, **options}
    return fetch("POST", f"{scheme}://receiver.test:{receiver.port}/", **options).body


def answers_once(released: threading.Event) -> Conversation:
    """Answers each request with its own body, once it may."""

    def talk(connection: socket.socket) -> None:
        while head := read_request(connection):
            released.wait(SOON_S)
            connection.sendall(answer(next(line for line in head.split(b"\r\n") if line.startswith(b"X-Number"))))

    return talk


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_much_waits_at_once_in_one_thread(settings: Any, loop: Loop, tls: ssl.SSLContext, scheme: str) -> None:
    released, threads = threading.Event(), set()

    def work(number: int) -> bytes:
        threads.add(threading.get_ident())
        return call(receiver, settings, scheme=scheme, headers={"X-Number": str(number)})

    with Receiver(answers_once(released), tls=tls if scheme == "https" else None) as receiver:
        calls = [loop.begin(lambda number=number: work(number)) for number in range(64)]
        wait_until(lambda: len(receiver.requests) == 64)
        assert not any(one.done() for one in calls)
        released.set()
        assert [one.result(SOON_S) for one in calls] == [b"X-Number: %d" % number for number in range(64)]
    assert threads == {loop.thread.ident}


def test_a_connection_is_kept_from_one_thread_to_the_other(settings: Any, loop: Loop, tls: ssl.SSLContext) -> None:
    with Receiver(says(answer()), tls=tls) as receiver:
        settings.EGRESS_ALLOW = [f"receiver.test:{receiver.port}"]

        def ask() -> bytes:
            url = f"https://receiver.test:{receiver.port}/"
            with kept_stream(url) as stream:
                return b"".join(stream)

        assert [loop.do(ask), ask(), loop.do(ask)] == [b"ok"] * 3
        assert receiver.connections == 1
        kept.connections.close()


def kept_stream(url: str) -> Any:
    from apps.egress import open_stream

    return open_stream("GET", url, owner=b"me", max_bytes=10, lookup=LOOPBACK)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_upstream_is_left_in_time(settings: Any, loop: Loop, name: str) -> None:
    talk, reason = HOSTILE[name]
    with Receiver(talk) as receiver:
        deadline = deadline_of(reason, 2.0)
        with pytest.raises(EgressRefused) as refusal:
            loop.do(lambda: call(receiver, settings, timeout=deadline, max_bytes=2_000))
        assert refusal.value.reason == reason
        assert receiver.wait_until_ended(1)


HEADS = (b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")


def test_what_drips_is_left_at_its_deadline_and_holds_up_nobody(
    settings: Any, loop: Loop, tls: ssl.SSLContext, stopped: threading.Event
) -> None:
    """Nor does half a record of TLS, or a server that says nothing to a hello, or one that takes no body."""

    def half_a_record(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(HEADS[2])
        raw = socket.socket(fileno=connection.detach())
        raw.sendall(b"\x17\x03\x03\x00\x40half")
        stopped.wait(SOON_S)
        raw.close()

    def nothing(_: socket.socket) -> None:
        stopped.wait(SOON_S)

    released = threading.Event()
    released.set()
    slow = [drips(head, stopped=stopped) for head in HEADS]
    with (
        Receiver(slow[0]) as first,
        Receiver(slow[1]) as second,
        Receiver(slow[2]) as third,
        Receiver(nothing) as silent,
        Receiver(half_a_record, tls=tls) as half,
        Receiver(answers_once(released)) as quick,
    ):
        everybody = (first, second, third, silent, half, quick)
        allowed = [f"receiver.test:{one.port}" for one in everybody]
        settings.EGRESS_ALLOW = allowed

        def ask(receiver: Receiver, scheme: str, timeout: float, body: bytes = b"") -> bytes:
            url = f"{scheme}://receiver.test:{receiver.port}/"
            options: dict[str, Any] = {"headers": {"X-Number": "1"}, "max_bytes": 100_000, "lookup": LOOPBACK}
            return fetch("POST", url, body=body, timeout=timeout, **options).body

        hanging = [
            loop.begin(lambda one=one, scheme=scheme, body=body: ask(one, scheme, 3.0, body))
            for one, scheme, body in (
                (first, "http", b""),
                (second, "http", b""),
                (third, "http", b""),
                (silent, "https", b""),
                (silent, "http", bytes(20_000_000)),
                (half, "https", b""),
            )
        ]
        begun = time.monotonic()
        answered = 0
        while time.monotonic() < begun + 2.5 and answered < 20:
            assert loop.do(lambda: ask(quick, "http", SOON_S)) == b"X-Number: 1"
            answered += 1
        assert answered == 20
        assert not any(one.done() for one in hanging)
        for one in hanging:
            with pytest.raises(EgressRefused) as refusal:
                one.result(SOON_S)
            assert refusal.value.reason == "timeout"


def test_nobody_there_is_refused(settings: Any, loop: Loop) -> None:
    port = closed_port()
    settings.EGRESS_ALLOW = [f"receiver.test:{port}"]
    with pytest.raises(EgressRefused) as refusal:
        loop.do(lambda: fetch("GET", f"http://receiver.test:{port}/", max_bytes=1, lookup=LOOPBACK))
    assert refusal.value.reason == "connect_failed"


def test_a_look_up_that_hangs_holds_up_nobody(settings: Any, loop: Loop, stopped: threading.Event) -> None:
    def hangs(host: str, port: int) -> list[str]:
        stopped.wait(SOON_S)
        return ["127.0.0.1"]

    with Receiver(says(answer())) as receiver:
        hanging = loop.begin(lambda: call(receiver, settings, lookup=hangs, timeout=1.0))
        assert loop.do(lambda: call(receiver, settings)) == b"ok"
        with pytest.raises(EgressRefused) as refusal:
            hanging.result(SOON_S)
    assert refusal.value.reason == "timeout"


def test_a_future_is_waited_for_and_raises_what_it_holds(loop: Loop) -> None:
    given: Future[str] = Future()
    failed: Future[str] = Future()
    waiting = [loop.begin(lambda one=one: result_of(one, SOON_S)) for one in (given, failed)]
    assert loop.do(lambda: "meanwhile") == "meanwhile"
    failed.set_exception(KeyError("no"))
    given.set_result("here")
    assert waiting[0].result(SOON_S) == "here"
    with pytest.raises(KeyError):
        waiting[1].result(SOON_S)
    with pytest.raises(TimeoutError):
        loop.do(lambda: result_of(Future(), 0.05))


def test_a_pause_lets_others_go_on(loop: Loop) -> None:
    said: list[str] = []

    def slow() -> None:
        said.append("begins")
        loop.loop.pause(0.3)
        said.append("ends")

    pausing = loop.begin(slow)
    loop.do(lambda: said.append("meanwhile"))
    pausing.result(SOON_S)
    assert said == ["begins", "meanwhile", "ends"]


def test_each_work_has_its_own_context(loop: Loop) -> None:
    def speaks(language: str) -> str:
        translation.activate(language)
        loop.loop.pause(0.1)
        return str(translation.get_language())

    russian, german = (loop.begin(lambda code=code: speaks(code)) for code in ("ru", "de"))
    assert [russian.result(SOON_S), german.result(SOON_S)] == ["ru", "de"]
    assert loop.do(translation.get_language) == "en"


def test_work_that_fails_ends_no_loop(loop: Loop, caplog: pytest.LogCaptureFixture) -> None:
    def fails() -> None:
        loop.loop.pause(0.01)
        raise KeyError("no")

    loop.loop.add(fails)
    wait_until(lambda: bool(caplog.records))
    assert loop.do(lambda: "goes on") == "goes on"
    assert [record.getMessage() for record in caplog.records] == ["work on a loop failed"]


def test_a_loop_on_which_all_waits_is_idle(loop: Loop, stopped: threading.Event) -> None:
    given: Future[str] = Future()
    waiting = loop.begin(lambda: result_of(given, SOON_S))
    wait_until(lambda: loop.idles == 1)
    assert loop.loop.load == 1
    given.set_result("here")
    assert waiting.result(SOON_S) == "here"
    wait_until(lambda: loop.idles == 2)


@pytest.mark.django_db(transaction=True)
def test_nothing_waits_inside_a_transaction(loop: Loop) -> None:
    def waits() -> None:
        from django.db import connection

        try:
            with transaction.atomic():
                loop.loop.pause(0.01)
        finally:
            connection.close()

    with pytest.raises(RuntimeError, match="atomic block"):
        loop.do(waits)


def test_its_end_waits_for_all_work() -> None:
    loop, given = Loop(), Future[str]()
    waiting = loop.begin(lambda: result_of(given, SOON_S))
    loop.loop.end()
    loop.thread.join(0.2)
    assert loop.thread.is_alive()
    given.set_result("here")
    assert waiting.result(SOON_S) == "here"
    loop.thread.join(SOON_S)
    assert not loop.thread.is_alive()
