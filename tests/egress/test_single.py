"""Single outbound calls against real servers on loopback, well-behaved and hostile."""

import gzip
import ssl
import threading
import time
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from apps.egress import EgressRefused, InvalidUrl, certificate_ends_at, fetch, open_stream, transport, vet
from tests.egress.receivers import (
    Conversation,
    Receiver,
    Resolver,
    answer,
    certificate_for,
    closed_port,
    drips,
    floods,
    says,
)

LOOPBACK = Resolver(receiver_test=[["127.0.0.1"]])
# 50 MB. Made as 50 members: every collection of tests makes it.
BOMB = gzip.compress(bytes(1_000_000)) * 50
OUTWARD_TEXT = "The address could not be reached."
# Seconds in which a call ends on a busy machine too, where what it calls would go on for longer.
SOON_S = 20.0


@pytest.fixture
def stopped() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def allow(settings: Any, *receivers: Receiver, host: str = "receiver.test") -> None:
    settings.EGRESS_ALLOW = [f"{host}:{receiver.port}" for receiver in receivers]


def refused(url: str, method: str = "GET", **options: Any) -> EgressRefused:
    options = {"max_bytes": 100_000, "timeout": 5.0, "lookup": LOOPBACK, **options}
    with pytest.raises(EgressRefused) as refusal:
        fetch(method, url, **options)
    assert str(refusal.value) == OUTWARD_TEXT
    assert refusal.value.__cause__ is None
    return refusal.value


def deadline_of(reason: str, seconds: float) -> float:
    """The call's deadline where that is what ends it; else one that does not come first on a busy machine."""
    return seconds if reason == "timeout" else 2 * SOON_S


def test_a_call_is_sent_as_given_and_answered_whole(settings: Any) -> None:
    with Receiver(says(answer(b"hello", status="201 Created", headers=("X-Kind: a",)))) as receiver:
        allow(settings, receiver)
        response = fetch(
            "POST",
            f"http://receiver.test:{receiver.port}/hook?x=%20#part",
            headers={"X-Mine": "1"},
            body=b'{"a": 1}',
            max_bytes=100,
            lookup=LOOPBACK,
        )
    assert (response.status, response.body, response.headers["x-kind"]) == (201, b"hello", "a")
    head, _, body = receiver.requests[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /hook?x=%20 HTTP/1.1\r\n")
    lines = head.lower().split(b"\r\n")
    assert f"host: receiver.test:{receiver.port}".encode() in lines
    assert b"x-mine: 1" in lines
    assert b"accept-encoding: identity" in lines
    assert body == b'{"a": 1}'


def test_the_environment_adds_nothing(settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".netrc").write_text("machine receiver.test login spy password secret")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    with Receiver(says(answer())) as receiver, Receiver(says(answer())) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        allow(settings, receiver)
        url = f"http://receiver.test:{receiver.port}/"
        assert fetch("GET", url, max_bytes=10, lookup=LOOPBACK).status == 200
        assert proxy.connections == 0
    assert b"authorization" not in receiver.requests[0].lower()


def test_a_stream_comes_in_chunks(settings: Any) -> None:
    body = bytes(range(256)) * 1000
    with Receiver(says(answer(body))) as receiver:
        allow(settings, receiver)
        url = f"http://receiver.test:{receiver.port}/"
        with open_stream("GET", url, max_bytes=len(body), lookup=LOOPBACK) as stream:
            chunks = list(stream)
    assert b"".join(chunks) == body
    assert max(map(len, chunks)) <= 64 * 1024


def test_a_chunked_body_is_read(settings: Any) -> None:
    talk = says(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: 1\r\n\r\n")
    with Receiver(talk) as receiver:
        allow(settings, receiver)
        response = fetch("GET", f"http://receiver.test:{receiver.port}/", max_bytes=5, lookup=LOOPBACK)
    assert response.body == b"abcde"


# Where a call may not go.


@pytest.mark.parametrize("address", ["127.0.0.1", "::ffff:127.0.0.1", "0.0.0.0", "::1"])
def test_a_name_of_a_private_address_is_not_called(address: str) -> None:
    with Receiver(says(answer())) as canary:
        lookup = Resolver(evil_test=[[address]])
        refusal = refused(f"https://evil.test:{canary.port}/", lookup=lookup)
        assert (refusal.reason, refusal.is_permanent) == ("private_address", True)
        assert canary.connections == 0


def test_one_private_record_among_public_ones_refuses_all() -> None:
    with Receiver(says(answer())) as canary:
        lookup = Resolver(evil_test=[["8.8.8.8", "127.0.0.1", "1.1.1.1"]])
        assert refused(f"https://evil.test:{canary.port}/", lookup=lookup).reason == "private_address"
        assert canary.connections == 0


def test_a_name_that_was_public_when_saved_is_checked_again_when_called() -> None:
    with Receiver(says(answer())) as canary:
        lookup = Resolver(rebound_test=[["8.8.8.8"], ["127.0.0.1"]])
        url = f"https://rebound.test:{canary.port}/"
        assert vet(url, lookup=lookup).host == "rebound.test"
        assert refused(url, lookup=lookup).reason == "private_address"
        assert canary.connections == 0


def test_the_connection_goes_to_the_vetted_address_whatever_the_name_says_by_then(settings: Any) -> None:
    with Receiver(says(answer(b"vetted"))) as receiver:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{receiver.port}"]
        lookup = Resolver(localhost=[["127.0.0.1"], ["127.0.0.2"]])
        url = f"http://localhost:{receiver.port}/"
        assert fetch("GET", url, max_bytes=10, lookup=lookup).body == b"vetted"
        assert lookup.asked == ["localhost"]
        assert refused(url, lookup=lookup).reason == "private_address"
        assert receiver.connections == 1


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("http://127.0.0.1:{canary}/", "not_https"),
        ("https://127.0.0.1:{canary}/", "private_address"),
        ("https://[::ffff:127.0.0.1]:{canary}/", "private_address"),
        ("https://evil.test:{canary}/", "private_address"),
        ("https://2130706433:{canary}/", "bad_redirect"),
        ("//127.0.0.1:{canary}/", "not_https"),
        ("https://a@127.0.0.1:{canary}/", "bad_redirect"),
        ("file:///etc/passwd", "not_https"),
        ("https://gone.test/", "unresolvable"),
        ("https://[::1", "bad_redirect"),
        ("\\\\127.0.0.1", "bad_redirect"),
    ],
)
def test_a_redirect_goes_nowhere_else_either(settings: Any, location: str, reason: str) -> None:
    with Receiver(says(answer())) as canary:
        moved = answer(b"", status="302 Found", headers=(f"Location: {location.format(canary=canary.port)}",))
        with Receiver(says(moved)) as receiver:
            allow(settings, receiver)
            lookup = Resolver(receiver_test=[["127.0.0.1"]], evil_test=[["127.0.0.1"]])
            refusal = refused(f"http://receiver.test:{receiver.port}/", redirects=1, lookup=lookup)
            assert refusal.reason == reason
            assert canary.connections == 0


def test_one_redirect_is_followed_and_a_loop_ends(settings: Any) -> None:
    moved = answer(b"", status="302 Found", headers=("Location: /again#x",))
    with Receiver(says(moved)) as receiver:
        allow(settings, receiver)
        url = f"http://receiver.test:{receiver.port}/"
        response = fetch("GET", url, max_bytes=10, redirects=1, lookup=LOOPBACK)
        assert (response.status, response.url) == (302, f"{url}again")
        assert receiver.connections == 2
        assert fetch("GET", url, max_bytes=10, lookup=LOOPBACK).status == 302
        assert receiver.connections == 3


@pytest.mark.parametrize(
    "body",
    [
        floods(b"HTTP/1.1 302 Found\r\nLocation: /again\r\n\r\n", b"x" * 65536),
        says(answer(BOMB, status="302 Found", headers=("Location: /again", "Content-Encoding: gzip"))),
    ],
    ids=["endless body", "gzip bomb"],
)
def test_the_body_of_a_redirect_is_not_read(settings: Any, body: Conversation) -> None:
    with Receiver(body) as receiver:
        allow(settings, receiver)
        tracemalloc.start()
        try:
            url = f"http://receiver.test:{receiver.port}/"
            for redirects in (0, 1):
                with open_stream("GET", url, max_bytes=1000, redirects=redirects, lookup=LOOPBACK) as stream:
                    assert stream.status == 302
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 16 * 1024 * 1024
        assert receiver.connections == 3
        assert receiver.wait_until_ended(3)


def test_credentials_stay_with_their_origin(settings: Any) -> None:
    with Receiver(says(answer(b"there"))) as second:
        moved = answer(b"", status="307 x", headers=(f"Location: http://receiver.test:{second.port}/",))
        with Receiver(says(moved)) as first:
            allow(settings, first, second)
            response = fetch(
                "GET",
                f"http://receiver.test:{first.port}/",
                headers={"Authorization": "Bearer x", "X-Api-Key": "y", "Accept": "text/html"},
                max_bytes=10,
                redirects=1,
                lookup=LOOPBACK,
            )
    assert response.body == b"there"
    assert b"X-Api-Key" in first.requests[0]
    assert b"Bearer" not in second.requests[0]
    assert b"X-Api-Key" not in second.requests[0]
    assert b"Accept: text/html" in second.requests[0]


def test_a_write_follows_no_redirect() -> None:
    with pytest.raises(ValueError, match="only GET and HEAD"):
        fetch("POST", "https://example.com/", max_bytes=1, redirects=1, lookup=LOOPBACK)


# Failures that may pass.


def test_failures_that_may_pass(settings: Any) -> None:
    port = closed_port()
    settings.EGRESS_ALLOW = [f"receiver.test:{port}"]
    for url, reason in (
        (f"http://receiver.test:{port}/", "connect_failed"),
        ("https://gone.test/", "unresolvable"),
    ):
        refusal = refused(url)
        assert (refusal.reason, refusal.is_permanent) == (reason, False)


def test_a_url_that_cannot_be_called_says_why() -> None:
    with pytest.raises(InvalidUrl, match=r"^Must start with https://: this address is none that EGRESS_ALLOW names\.$"):
        fetch("GET", "http://example.com/", max_bytes=1, lookup=LOOPBACK)


def test_the_second_address_is_tried(settings: Any) -> None:
    with Receiver(says(answer())) as receiver:
        allow(settings, receiver)
        lookup = Resolver(receiver_test=[["127.0.0.3", "127.0.0.1"]])
        assert fetch("GET", f"http://receiver.test:{receiver.port}/", max_bytes=10, lookup=lookup).status == 200


def test_a_look_up_has_a_time_limit() -> None:
    release = threading.Event()

    def hangs(host: str, port: int) -> list[str]:
        release.wait(30)
        return ["8.8.8.8"]

    started = time.monotonic()
    assert refused("https://slow.test/", lookup=hangs, timeout=0.2).reason == "timeout"
    with pytest.raises(EgressRefused):
        vet("https://slow.test/", lookup=hangs, timeout=0.2)
    assert time.monotonic() - started < 3
    release.set()


# TLS.


@pytest.fixture
def trust(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    def use(file: Path) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        transport.bounded_context.cache_clear()

    yield use
    transport.bounded_context.cache_clear()


def test_the_certificate_must_be_for_the_host_of_the_url(settings: Any, trust: Any, tmp_path: Path) -> None:
    seen: list[str | None] = []
    context, authority = certificate_for("receiver.test", tmp_path)
    context.sni_callback = lambda connection, name, _: seen.append(name)
    trust(authority)
    with Receiver(says(answer(b"secure")), tls=context) as receiver:
        allow(settings, receiver)
        settings.EGRESS_ALLOW += [f"other.test:{receiver.port}", f"127.0.0.1:{receiver.port}"]
        lookup = Resolver(receiver_test=[["127.0.0.1"]], other_test=[["127.0.0.1"]])
        url = f"https://receiver.test:{receiver.port}/"
        assert fetch("GET", url, max_bytes=10, lookup=lookup).body == b"secure"
        assert seen == ["receiver.test"]
        for host in ("other.test", "127.0.0.1"):
            refusal = refused(f"https://{host}:{receiver.port}/", lookup=lookup)
            assert (refusal.reason, refusal.is_permanent) == ("tls", False)
    assert len(receiver.requests) == 1


def test_the_end_of_a_certificate_is_read_without_a_request(settings: Any, trust: Any, tmp_path: Path) -> None:
    context, authority = certificate_for("receiver.test", tmp_path)
    trust(authority)
    with Receiver(says(answer()), tls=context) as receiver:
        allow(settings, receiver)
        ends_at = certificate_ends_at(f"https://receiver.test:{receiver.port}/", timeout=SOON_S, lookup=LOOPBACK)
        assert timedelta(minutes=50) < ends_at - datetime.now(UTC) < timedelta(minutes=70)
        settings.EGRESS_ALLOW += [f"127.0.0.1:{receiver.port}"]
        with pytest.raises(EgressRefused) as refusal:
            certificate_ends_at(f"https://127.0.0.1:{receiver.port}/", timeout=SOON_S)
        assert refusal.value.reason == "tls"
    assert receiver.requests == []


def test_a_certificate_nobody_vouches_for_is_refused(settings: Any, tmp_path: Path) -> None:
    context, _ = certificate_for("receiver.test", tmp_path)
    with Receiver(says(answer()), tls=context) as receiver:
        allow(settings, receiver)
        assert refused(f"https://receiver.test:{receiver.port}/").reason == "tls"
    assert receiver.requests == []


def test_the_deadline_and_the_cap_hold_over_tls(
    settings: Any, trust: Any, tmp_path: Path, stopped: threading.Event
) -> None:
    context, authority = certificate_for("receiver.test", tmp_path)
    trust(authority)
    head = b"HTTP/1.1 200 OK\r\n\r\n"
    for talk, reason in ((drips(head, stopped=stopped), "timeout"), (floods(head, b"x" * 65536), "too_large")):
        with Receiver(talk, tls=context) as receiver:
            allow(settings, receiver)
            started = time.monotonic()
            refusal = refused(f"https://receiver.test:{receiver.port}/", timeout=deadline_of(reason, 0.5))
            assert refusal.reason == reason
            assert time.monotonic() - started < SOON_S
            assert receiver.wait_until_ended(1)


def test_a_plain_answer_to_a_tls_hello_and_a_silent_one(settings: Any, stopped: threading.Event) -> None:
    def silent(connection: Any) -> None:
        stopped.wait(30)

    def plain(connection: Any) -> None:
        connection.sendall(answer())
        connection.recv(65536)

    for talk, reason in ((plain, "tls"), (silent, "timeout")):
        with Receiver(talk) as receiver:
            allow(settings, receiver)
            refusal = refused(f"https://receiver.test:{receiver.port}/", timeout=deadline_of(reason, 0.5))
            assert refusal.reason == reason


# Hostile upstreams: freed in time, and in bounded memory.

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
BLOCK = 65536

HOSTILE: dict[str, tuple[Conversation, str]] = {
    "endless body": (floods(OK + b"\r\n", b"x" * BLOCK), "too_large"),
    "endless chunks": (floods(CHUNKED, b"10000\r\n" + b"x" * BLOCK + b"\r\n"), "too_large"),
    "endless tiny chunks": (floods(CHUNKED, b"1\r\nx\r\n" * 1000), "too_large"),
    "endless chunk size": (floods(CHUNKED, b"0" * BLOCK), "broken_answer"),
    "endless chunk extension": (floods(CHUNKED, b";x=" + b"0" * BLOCK), "broken_answer"),
    "endless trailers": (floods(CHUNKED + b"0\r\n", b"X: y\r\n" * 1000), "too_large"),
    "endless status line": (floods(b"HTTP/1.1 200 ", b"x" * BLOCK), "broken_answer"),
    "endless header line": (floods(OK + b"X: ", b"x" * BLOCK), "broken_answer"),
    "endless header lines": (floods(OK, b"X: y\r\n" * 1000), "broken_answer"),
    "a head of long lines": (floods(OK, b"X: " + b"y" * 60_000 + b"\r\n"), "too_large"),
    "endless 100 Continue": (floods(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100), "too_large"),
    "a declared giant": (says(answer(b"", length=10**12)), "too_large"),
    "a declared giant of many digits": (says(OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n"), "too_large"),
    "gzip bomb": (says(answer(BOMB, headers=("Content-Encoding: gzip",))), "encoded_body"),
    "unknown encoding": (says(answer(b"x", headers=("Content-Encoding: br",))), "encoded_body"),
    "no HTTP": (says(b"SSH-2.0-OpenSSH_9.9\r\n\r\n"), "broken_answer"),
    "hangs up": (lambda connection: None, "broken_answer"),
    "short of what it declared": (says(OK + b"Content-Length: 10\r\nConnection: close\r\n\r\nabc"), "timeout"),
    "endless chunk of size -1": (floods(CHUNKED + b"-1\r\n", b"x" * BLOCK), "too_large"),
    "negative chunk": (says(CHUNKED + b"-5\r\nabc\r\n"), "broken_answer"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_upstream_is_left_in_time_and_in_bounded_memory(settings: Any, name: str) -> None:
    talk, reason = HOSTILE[name]
    with Receiver(talk) as receiver:
        allow(settings, receiver)
        tracemalloc.start()
        started = time.monotonic()
        try:
            url, deadline = f"http://receiver.test:{receiver.port}/", deadline_of(reason, 2.0)
            refusal = refused(url, timeout=deadline, max_bytes=2_000)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert refusal.reason == reason
        assert time.monotonic() - started < SOON_S
        assert peak < 16 * 1024 * 1024
        assert receiver.wait_until_ended(1)


@pytest.mark.parametrize("head", [b"", OK, OK + b"\r\n", CHUNKED, OK + b"Content-Length: 100000\r\n\r\n"])
def test_a_dripping_upstream_is_left_at_the_deadline(settings: Any, stopped: threading.Event, head: bytes) -> None:
    with Receiver(drips(head, stopped=stopped)) as receiver:
        allow(settings, receiver)
        started = time.monotonic()
        refusal = refused(f"http://receiver.test:{receiver.port}/", timeout=0.4)
        assert (refusal.reason, refusal.is_permanent) == ("timeout", False)
        assert time.monotonic() - started < SOON_S
        assert receiver.wait_until_ended(1)


def test_a_receiver_that_takes_no_body_is_left_at_the_deadline(settings: Any, stopped: threading.Event) -> None:
    def never_reads(connection: Any) -> None:
        stopped.wait(30)

    with Receiver(never_reads) as receiver:
        allow(settings, receiver)
        started = time.monotonic()
        refusal = refused(f"http://receiver.test:{receiver.port}/", "POST", body=bytes(20_000_000), timeout=0.4)
        assert refusal.reason == "timeout"
        assert time.monotonic() - started < SOON_S


def test_the_deadline_counts_redirects_in(settings: Any, stopped: threading.Event) -> None:
    moved = OK.replace(b"200 OK", b"302 Found") + b"Content-Length: 0\r\nLocation: /again\r\nX: "

    def slow(connection: Any) -> None:
        connection.recv(65536)
        stopped.wait(0.3)
        connection.sendall(moved + b"\r\n\r\n")

    with Receiver(slow) as receiver:
        allow(settings, receiver)
        started = time.monotonic()
        url = f"http://receiver.test:{receiver.port}/"
        assert refused(url, timeout=0.5, redirects=20).reason == "timeout"
        assert time.monotonic() - started < 5


def test_a_body_of_exactly_the_cap_passes_and_one_more_byte_does_not(settings: Any) -> None:
    with Receiver(says(answer(b"x" * 1000))) as receiver:
        allow(settings, receiver)
        url = f"http://receiver.test:{receiver.port}/"
        assert len(fetch("GET", url, max_bytes=1000, lookup=LOOPBACK).body) == 1000
        assert refused(url, max_bytes=999).reason == "too_large"


def test_tls_is_modern() -> None:
    context = transport.bounded_context()
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    assert context.minimum_version >= ssl.TLSVersion.TLSv1_2
