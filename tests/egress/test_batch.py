"""Deliveries over one guarded session, against real servers on loopback, well-behaved and hostile."""

import asyncio
import gzip
import threading
import time
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.egress import EgressRefused, InvalidUrl
from apps.egress import batch as batch_module
from apps.egress.batch import DeliveryResponse, GuardedSession
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
from tests.waits import AT_MOST_S

OUTWARD_TEXT = "The address could not be reached."
LOOPBACK = Resolver(receiver_test=[["127.0.0.1"]])


def run(work: Callable[[GuardedSession], Awaitable[Any]], lookup: Any = LOOPBACK) -> Any:
    async def main() -> Any:
        async with GuardedSession(lookup=lookup) as session:
            return await work(session)

    return asyncio.run(main())


def post(url: str, *, lookup: Any = LOOPBACK, body: bytes = b"{}", **options: Any) -> DeliveryResponse:
    return run(lambda session: session.post(url, body, {"Content-Type": "application/json"}, **options), lookup)


def refused(url: str, **options: Any) -> EgressRefused:
    with pytest.raises(EgressRefused) as refusal:
        post(url, **options)
    assert str(refusal.value) == OUTWARD_TEXT
    assert refusal.value.__cause__ is None
    # A URL may hold a secret, and a log shows whatever led to an error.
    assert refusal.value.__context__ is None or url not in str(refusal.value.__context__)
    return refusal.value


def outcome_of(url: str, **options: Any) -> str:
    """The status of the answer, or why there is none."""
    try:
        answer = post(url, **options)
    except EgressRefused as refusal:
        return refusal.reason
    assert len(answer.excerpt) <= options["max_answer_bytes"]
    return str(answer.status)


def allow(settings: Any, *receivers: Receiver) -> None:
    settings.EGRESS_ALLOW = [f"receiver.test:{receiver.port}" for receiver in receivers]


@pytest.fixture
def stopped() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_a_delivery_is_sent_as_given(settings: Any) -> None:
    with Receiver(says(answer(b"thanks", status="202 Accepted"))) as receiver:
        allow(settings, receiver)
        url = f"http://receiver.test:{receiver.port}/hook%20?a=%2F#part"
        assert post(url, body=b'{"a":1}') == DeliveryResponse(202, "thanks")
    head, _, body = receiver.requests[0].partition(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    assert head.startswith(b"POST /hook%20?a=%2F HTTP/1.1\r\n")
    assert f"host: receiver.test:{receiver.port}".encode() in lines
    assert b"content-type: application/json" in lines
    assert b"accept-encoding: identity" in lines
    assert b"content-length: 7" in lines
    assert body == b'{"a":1}'


def test_connections_are_reused_without_another_look_up(settings: Any) -> None:
    lookup = Resolver(receiver_test=[["127.0.0.1"], ["127.0.0.2"]])
    with Receiver(says(answer())) as receiver:
        allow(settings, receiver)
        url = f"http://receiver.test:{receiver.port}/"

        async def several(session: GuardedSession) -> None:
            for _ in range(5):
                assert await session.post(url, b"{}", {}) == DeliveryResponse(200, "ok")

        run(several, lookup)
        assert (receiver.connections, len(receiver.requests)) == (1, 5)
    assert lookup.asked == ["receiver.test"]


def test_a_vetted_look_up_is_trusted_for_a_few_seconds_only(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert batch_module.VETTED_FOR_SECONDS <= 5
    monkeypatch.setattr(batch_module, "VETTED_FOR_SECONDS", 0)
    lookup = Resolver(receiver_test=[["127.0.0.1"], ["127.0.0.1"], ["169.254.169.254"]])
    with Receiver(says(answer(headers=("Connection: close",)))) as receiver:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{receiver.port}"]
        url = f"http://receiver.test:{receiver.port}/"

        async def several(session: GuardedSession) -> None:
            for _ in range(2):
                assert (await session.post(url, b"{}", {})).status == 200
            with pytest.raises(EgressRefused) as refusal:
                await session.post(url, b"{}", {})
            assert refusal.value.reason == "private_address"

        run(several, lookup)
        assert receiver.connections == 2


def test_many_at_once_share_one_look_up(settings: Any) -> None:
    lookup = Resolver(receiver_test=[["127.0.0.1"]])
    with Receiver(says(answer())) as receiver:
        allow(settings, receiver)
        url = f"http://receiver.test:{receiver.port}/"

        async def burst(session: GuardedSession) -> list[DeliveryResponse]:
            return await asyncio.gather(*(session.post(url, b"{}", {}) for _ in range(40)))

        assert run(burst, lookup) == [DeliveryResponse(200, "ok")] * 40
    assert lookup.asked == ["receiver.test"]


@pytest.mark.parametrize("address", ["127.0.0.1", "::ffff:127.0.0.1", "::1", "0.0.0.0"])
def test_a_name_of_a_private_address_is_not_called(address: str) -> None:
    with Receiver(says(answer())) as canary:
        refusal = refused(f"https://evil.test:{canary.port}/", lookup=Resolver(evil_test=[["8.8.8.8", address]]))
        assert (refusal.reason, refusal.is_permanent) == ("private_address", True)
        assert canary.connections == 0


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[64:ff9b::127.0.0.1]"])
def test_a_private_address_in_the_url_is_not_called(host: str) -> None:
    with Receiver(says(answer())) as canary:
        refusal = refused(f"https://{host}:{canary.port}/")
        assert (refusal.reason, refusal.is_permanent) == ("private_address", True)
        assert canary.connections == 0


def test_no_socket_is_opened_towards_an_unvetted_address_whatever_the_connector_was_told(settings: Any) -> None:
    with Receiver(says(answer())) as receiver, Receiver(says(answer())) as canary:
        allow(settings, receiver)

        async def poisoned(session: GuardedSession) -> None:
            connector: Any = session._sessions["https"].connector
            told = {"hostname": "x", "host": "127.0.0.1", "port": canary.port, "family": 2, "proto": 6, "flags": 0}
            connector._cached_hosts.add(("evil.test", canary.port), [told])
            with pytest.raises(EgressRefused) as refusal:
                await session.post(f"https://evil.test:{canary.port}/", b"", {})
            assert refusal.value.reason == "private_address"

        run(poisoned)
        assert canary.connections == 0


def test_a_redirect_is_an_answer(settings: Any) -> None:
    with Receiver(says(answer())) as canary:
        moved = answer(b"", status="307 x", headers=(f"Location: http://127.0.0.1:{canary.port}/",))
        with Receiver(says(moved)) as receiver:
            settings.EGRESS_ALLOW = [f"receiver.test:{receiver.port}", f"127.0.0.1:{canary.port}"]
            assert post(f"http://receiver.test:{receiver.port}/").status == 307
        assert canary.connections == 0


def test_the_environments_proxy_is_not_used(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with Receiver(says(answer())) as receiver, Receiver(says(answer())) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        allow(settings, receiver)
        assert post(f"http://receiver.test:{receiver.port}/").status == 200
        assert proxy.connections == 0


def test_cookies_are_not_kept(settings: Any) -> None:
    with Receiver(says(answer(headers=("Set-Cookie: a=b",)))) as receiver:
        allow(settings, receiver)
        url = f"http://receiver.test:{receiver.port}/"

        async def twice(session: GuardedSession) -> None:
            for _ in range(2):
                await session.post(url, b"", {})

        run(twice)
    assert b"cookie" not in receiver.requests[1].lower()


def test_failures_that_may_pass_and_one_that_cannot(settings: Any) -> None:
    port = closed_port()
    settings.EGRESS_ALLOW = [f"receiver.test:{port}"]
    for url, reason in ((f"http://receiver.test:{port}/", "connect_failed"), ("https://gone.test/", "unresolvable")):
        refusal = refused(url)
        assert (refusal.reason, refusal.is_permanent) == (reason, False)
    with pytest.raises(InvalidUrl) as invalid:
        post("http://example.com/")
    assert invalid.value.is_permanent


def test_a_hanging_look_up_takes_no_longer_than_a_connection_may() -> None:
    release = threading.Event()

    def hangs(host: str, port: int) -> list[str]:
        release.wait(30)
        return []

    started = time.monotonic()
    assert refused("https://slow.test/", lookup=hangs, connect_timeout=0.2).reason == "timeout"
    assert time.monotonic() - started < 20
    release.set()


@pytest.fixture
def trust(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    def use(file: Path) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        batch_module.shared_client_context.cache_clear()

    yield use
    batch_module.shared_client_context.cache_clear()


def test_the_certificate_must_be_for_the_host_of_the_url(settings: Any, trust: Any, tmp_path: Path) -> None:
    context, authority = certificate_for("receiver.test", tmp_path)
    trust(authority)
    with Receiver(says(answer(b"secure")), tls=context) as receiver:
        allow(settings, receiver)
        settings.EGRESS_ALLOW += [f"other.test:{receiver.port}", f"127.0.0.1:{receiver.port}"]
        lookup = Resolver(receiver_test=[["127.0.0.1"]], other_test=[["127.0.0.1"]])
        assert post(f"https://receiver.test:{receiver.port}/", lookup=lookup) == DeliveryResponse(200, "secure")
        for host in ("other.test", "127.0.0.1"):
            refusal = refused(f"https://{host}:{receiver.port}/", lookup=lookup)
            assert (refusal.reason, refusal.is_permanent) == ("tls", False)
    assert len(receiver.requests) == 1


def test_an_excerpt_can_be_stored_and_shown(settings: Any) -> None:
    with Receiver(says(answer(b"a\x00b\xff\xd0\xbf"))) as receiver:
        allow(settings, receiver)
        assert post(f"http://receiver.test:{receiver.port}/").excerpt == "a\ufffdb\ufffdп"


OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
BLOCK = 65536
# What comes after the head, in one piece with it or not, may break it, or only the body behind an answer.
HOSTILE: dict[str, tuple[Conversation, str]] = {
    "endless body": (floods(OK + b"\r\n", b"x" * BLOCK), "200"),
    "endless chunks": (floods(CHUNKED, b"10000\r\n" + b"x" * BLOCK + b"\r\n"), "200"),
    "endless tiny chunks": (floods(CHUNKED, b"1\r\nx\r\n" * 1000), "200"),
    "a declared giant": (floods(OK + b"Content-Length: 1000000000000\r\n\r\n", b"x" * BLOCK), "200"),
    "gzip bomb": (says(answer(gzip.compress(bytes(50_000_000)), headers=("Content-Encoding: gzip",))), "200"),
    "endless status line": (floods(b"HTTP/1.1 200 ", b"x" * BLOCK), "broken_answer"),
    "endless header line": (floods(OK + b"X: ", b"x" * BLOCK), "broken_answer"),
    "endless header lines": (floods(OK, b"X: y\r\n" * 1000), "broken_answer"),
    "endless chunk size": (floods(CHUNKED, b"0" * BLOCK), "200|broken_answer"),
    "endless chunk extension": (floods(CHUNKED, b"5;x=" + b"0" * BLOCK), "200|broken_answer"),
    "endless trailers": (floods(CHUNKED + b"0\r\n", b"X: y\r\n" * 1000), "200|broken_answer"),
    "endless 100 Continue": (floods(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100), "broken_answer"),
    "some interim answers": (says(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 10 + answer()), "200"),
    "too many interim answers": (says(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 11 + answer()), "broken_answer"),
    "no HTTP": (says(b"SSH-2.0-OpenSSH_9.9\r\n\r\n"), "broken_answer"),
    "hangs up": (lambda connection: None, "broken_answer"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_receiver_is_left_in_time_and_in_bounded_memory(settings: Any, name: str) -> None:
    talk, expected = HOSTILE[name]
    with Receiver(talk) as receiver:
        allow(settings, receiver)
        url = f"http://receiver.test:{receiver.port}/"
        tracemalloc.start()
        started = time.monotonic()
        try:
            outcome = outcome_of(url, total_timeout=5.0, max_answer_bytes=1000)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert outcome in expected.split("|")
        assert time.monotonic() - started < 20
        assert peak < 16 * 1024 * 1024
        assert receiver.wait_until_ended(1)


@pytest.mark.parametrize(
    ("head", "outcome"),
    [
        (b"", "timeout|broken_answer"),
        (OK, "timeout|broken_answer"),
        (OK + b"\r\n", "200"),
        (CHUNKED, "200"),
        (OK + b"Content-Length: 100000\r\n\r\n", "200"),
        (b"HTTP/1.1 500 Oh\r\nContent-Length: 100000\r\n\r\n", "500"),
    ],
)
def test_a_dripping_receiver_is_left_at_the_deadline(
    settings: Any, stopped: threading.Event, head: bytes, outcome: str
) -> None:
    """Once its head has come, it has answered."""
    with Receiver(drips(head, stopped=stopped)) as receiver:
        allow(settings, receiver)
        started = time.monotonic()
        url = f"http://receiver.test:{receiver.port}/"
        assert outcome_of(url, total_timeout=0.4, max_answer_bytes=1000) in outcome.split("|")
        assert time.monotonic() - started < 20
        assert receiver.wait_until_ended(1)


@pytest.mark.slow
@pytest.mark.parametrize("rest", [b"Content-Length: 10\r\n\r\nabc", b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"])
def test_an_answer_that_breaks_off_is_one(settings: Any, rest: bytes) -> None:
    with Receiver(says(OK + b"Connection: close\r\n" + rest)) as receiver:
        allow(settings, receiver)
        assert post(f"http://receiver.test:{receiver.port}/") == DeliveryResponse(200, "abc")


def test_a_cut_off_answer_closes_its_connection_and_a_whole_one_keeps_it(settings: Any) -> None:
    size = 5_000_000
    with Receiver(says(answer(b"x" * size))) as receiver:
        allow(settings, receiver)
        url = f"http://receiver.test:{receiver.port}/"

        async def several(session: GuardedSession) -> None:
            for cap in (size, size, 1000, size):
                assert await session.post(url, b"", {}, max_answer_bytes=cap) == DeliveryResponse(200, "x" * cap)

        run(several)
        assert receiver.connections == 2


def test_one_hanging_receiver_delays_no_other(settings: Any, stopped: threading.Event) -> None:
    def silent(connection: Any) -> None:
        stopped.wait(30)

    with Receiver(silent) as hanging, Receiver(says(answer())) as prompt:
        allow(settings, hanging, prompt)

        async def both(session: GuardedSession) -> bool:
            stuck = asyncio.create_task(
                session.post(f"http://receiver.test:{hanging.port}/", b"", {}, total_timeout=AT_MOST_S)
            )
            for _ in range(20):
                await session.post(f"http://receiver.test:{prompt.port}/", b"", {})
            still_hangs = not stuck.done()
            stuck.cancel()
            return still_hangs

        assert run(both)
        assert outcome_of(f"http://receiver.test:{hanging.port}/", total_timeout=0.4, max_answer_bytes=10) == "timeout"


def test_a_session_is_used_as_a_context_manager() -> None:
    async def main() -> None:
        with pytest.raises(RuntimeError, match="async with"):
            await GuardedSession().post("https://example.com/", b"", {})

    asyncio.run(main())


class TestACallThatIsAnsweredWhole:
    """`fetch`: as the synchronous one, over a kept connection."""

    def fetch(self, url: str, method: str = "POST", **options: Any) -> Any:
        options = {"headers": {}, "max_bytes": 100_000, "timeout": 5.0, **options}
        return run(lambda session: session.fetch(method, url, **options))

    def refused(self, url: str, **options: Any) -> str:
        with pytest.raises(EgressRefused) as refusal:
            self.fetch(url, **options)
        assert refusal.value.__cause__ is None
        return refusal.value.reason

    def test_has_status_headers_and_body(self, settings: Any) -> None:
        told = answer(b"moved", status="307 x", headers=("Location: https://evil.test/", "X-Of: theirs"))
        with Receiver(says(told)) as receiver:
            allow(settings, receiver)
            url = f"http://receiver.test:{receiver.port}/bot1/send"
            found = self.fetch(url, headers={"Authorization": "Bearer t"}, body=b"{}")
        assert (found.status, found.headers["x-of"], found.body, found.url) == (307, "theirs", b"moved", url)
        assert receiver.requests[0].startswith(b"POST /bot1/send HTTP/1.1\r\n")
        assert b"authorization: bearer t" in receiver.requests[0].lower()

    def test_leaves_its_connection_to_the_next(self, settings: Any) -> None:
        with Receiver(says(answer())) as receiver:
            allow(settings, receiver)
            url = f"http://receiver.test:{receiver.port}/"

            async def several(session: GuardedSession) -> None:
                for method in ("POST", "GET", "POST"):
                    assert (await session.fetch(method, url, headers={}, max_bytes=10)).status == 200

            run(several)
        assert (receiver.connections, len(receiver.requests)) == (1, 3)

    def test_sends_a_large_body_whole(self, settings: Any) -> None:
        body = bytes(300_000)
        with Receiver(says(answer())) as receiver:
            allow(settings, receiver)
            assert self.fetch(f"http://receiver.test:{receiver.port}/", body=body).status == 200
        assert receiver.requests[0].endswith(b"\r\n\r\n" + body)
        assert b"content-length: 300000" in receiver.requests[0].lower()

    def test_is_refused_where_the_answer_is_too_large_or_encoded(self, settings: Any) -> None:
        with Receiver(says(answer(b"x" * 11))) as large, Receiver(says(answer(b"x", headers=GZIPPED))) as encoded:
            allow(settings, large, encoded)
            assert self.refused(f"http://receiver.test:{large.port}/", max_bytes=10) == "too_large"
            assert self.refused(f"http://receiver.test:{encoded.port}/") == "encoded_body"

    def test_ends_by_its_deadline_however_slowly_the_body_drips(self, settings: Any, stopped: threading.Event) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
        with Receiver(drips(head, stopped=stopped)) as receiver:
            allow(settings, receiver)
            assert self.refused(f"http://receiver.test:{receiver.port}/", timeout=0.3) == "timeout"

    def test_goes_to_no_private_address(self) -> None:
        with Receiver(says(answer())) as canary:
            assert self.refused(f"https://127.0.0.1:{canary.port}/") == "private_address"
            assert canary.connections == 0


GZIPPED = ("Content-Encoding: gzip",)
