"""Talks with mail servers that users named: whatever the other side does, they end in time, and hold nothing."""

import threading
from collections.abc import Callable, Iterator
from itertools import chain, islice, repeat
from typing import Any, NamedTuple

import pytest

from apps.egress import EgressRefused, LoginRefused, transport
from apps.egress.imap import ImapError, open_imap
from apps.egress.smtp import SmtpRefused, smtp_talk
from tests.egress.hostile_mail import STARTTLS, HostileServer
from tests.egress.receivers import certificate_for

SECONDS = 0.4
IN_TIME_S = 10.0
GREETING = b"* OK ready\r\n"


class Server(NamedTuple):
    port: int
    host: str = "127.0.0.1"
    user: str = "mary"
    password: str = "secret"
    uses_tls: bool = False
    starts_tls: bool = False


@pytest.fixture(autouse=True)
def _loopback_may_be_called(settings: Any) -> None:
    settings.EGRESS_ALLOW = ["127.0.0.1"]


def speak_imap(server: Server, *, seconds: float = SECONDS) -> None:
    client = open_imap(server, seconds=seconds, step_seconds=seconds, max_bytes=2**30)
    try:
        client.select("INBOX", readonly=True)
    finally:
        client.end()


def speak_smtp(server: Server, *, seconds: float = SECONDS) -> None:
    with smtp_talk(server, seconds=seconds, own_name="shop.test"):
        pass


def told(client: Callable[..., None], hostile: HostileServer, **options: Any) -> str:
    """Why the talk ended. The thread that spoke has ended by then, and the server sees the connection closed."""
    outcome: list[BaseException] = []

    def speak() -> None:
        try:
            client(Server(hostile.port), **options)
        except (EgressRefused, LoginRefused, ImapError, OSError) as error:
            outcome.append(error)

    thread = threading.Thread(target=speak)
    thread.start()
    thread.join(IN_TIME_S)
    assert not thread.is_alive()
    assert hostile.left.wait(IN_TIME_S)
    (error,) = outcome
    return getattr(error, "reason", type(error).__name__)


@pytest.mark.parametrize("client", [speak_imap, speak_smtp])
def test_a_byte_now_and_then_holds_nobody(client: Callable[..., None]) -> None:
    line = GREETING if client is speak_imap else b"220 hello "
    hostile = HostileServer(lambda: hostile.drip(line.replace(b"\r\n", b" ")))
    with hostile:
        assert told(client, hostile) == "timeout"


@pytest.mark.parametrize("client", [speak_imap, speak_smtp])
def test_a_server_that_says_nothing_holds_nobody(client: Callable[..., None]) -> None:
    with HostileServer(lambda: iter([None])) as hostile:
        assert told(client, hostile) == "timeout"


def test_a_greeting_without_end_is_cut() -> None:
    with HostileServer(lambda: repeat(b"220-welcome\r\n" * 100)) as hostile:
        assert told(speak_smtp, hostile, seconds=IN_TIME_S) == "too_large"


def test_a_line_without_end_is_cut() -> None:
    with HostileServer(lambda: repeat(b"* OK " + b"x" * 10_000)) as hostile:
        assert told(speak_imap, hostile, seconds=IN_TIME_S) == "too_large"


def test_untagged_lines_without_end_are_cut() -> None:
    with HostileServer(lambda: chain([GREETING, None], repeat(b"* 1 EXISTS\r\n" * 100))) as hostile:
        assert told(speak_imap, hostile, seconds=IN_TIME_S) == "too_large"
        assert hostile.sent < 8 * 2**20


def test_no_room_is_made_for_a_literal_of_ten_gigabytes() -> None:
    with HostileServer(lambda: iter([GREETING, None, b"* 1 FETCH (BODY[] {10000000000}\r\n", b"x"])) as hostile:
        assert told(speak_imap, hostile, seconds=IN_TIME_S) == "too_large"


def test_a_step_has_a_time_of_its_own() -> None:
    hostile = HostileServer(lambda: chain([GREETING, None], hostile.drip(b"* 1 EXISTS ")))
    with hostile:

        def speak(server: Server) -> None:
            open_imap(server, seconds=600, step_seconds=SECONDS, max_bytes=2**20)

        assert told(speak, hostile) == "timeout"


def test_plain_tcp_goes_to_listed_hosts_alone(settings: Any) -> None:
    settings.EGRESS_ALLOW = []
    with HostileServer(lambda: repeat(b"220-welcome\r\n")) as hostile:
        for client in (speak_imap, speak_smtp):
            with pytest.raises(EgressRefused):
                client(Server(hostile.port))
        assert hostile.connections == 0


def test_a_refused_login_keeps_the_servers_words() -> None:
    script = [b"220 hi\r\n", None, b"250-shop\r\n250 AUTH PLAIN\r\n", None, b"535 5.7.8 Application password\r\n"]
    with HostileServer(lambda: iter(script)) as server, pytest.raises(LoginRefused) as refused:
        speak_smtp(Server(server.port), seconds=IN_TIME_S)
    assert (refused.value.code, refused.value.said) == (535, "5.7.8 Application password")


def test_a_server_that_turns_away_is_no_refused_login() -> None:
    with HostileServer(lambda: iter([b"421 4.7.0 too many connections\r\n"])) as server, pytest.raises(SmtpRefused):
        speak_smtp(Server(server.port), seconds=IN_TIME_S)


@pytest.mark.parametrize("client", [speak_imap, speak_smtp])
def test_without_the_encryption_that_was_asked_for_no_password_is_told(client: Callable[..., None]) -> None:
    imap = [GREETING, None, b"* CAPABILITY IMAP4rev1\r\nXXXX OK\r\n"]
    smtp = [b"220 hi\r\n", None, b"250 shop\r\n"]
    with HostileServer(lambda: iter(imap if client is speak_imap else smtp)) as server:
        with pytest.raises((EgressRefused, ImapError)):
            client(Server(server.port, starts_tls=True), seconds=1)
        assert not any(b"secret" in line or b"AUTH" in line for line in server.heard)


def imap_to_login(heard: list[bytes], *, starts_tls: bool) -> Iterator[Any]:
    """IMAP that offers STARTTLS first, if it is to, and lets everybody in."""
    yield GREETING
    is_secured = not starts_tls
    while True:
        yield None
        tag, command = heard[-1].split()[:2]
        if command == b"CAPABILITY":
            yield b"* CAPABILITY IMAP4rev1" + (b"" if is_secured else b" STARTTLS") + b"\r\n"
        yield tag + b" OK done\r\n"
        if command == b"STARTTLS":
            yield STARTTLS
            is_secured = True


def smtp_to_login(heard: list[bytes], *, starts_tls: bool) -> Iterator[Any]:
    yield b"220 hi\r\n"
    is_secured = not starts_tls
    while True:
        yield None
        command = heard[-1].split()[0].upper()
        if command == b"EHLO":
            yield b"250-shop\r\n250 " + (b"AUTH PLAIN" if is_secured else b"STARTTLS") + b"\r\n"
        elif command == b"STARTTLS":
            yield b"220 go on\r\n"
            yield STARTTLS
            is_secured = True
        else:
            yield b"235 come in\r\n" if command == b"AUTH" else b"221 bye\r\n"


@pytest.fixture
def secured(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A server's TLS context for `localhost`, whose certificate the clients trust."""
    context, authority = certificate_for("localhost", tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    transport.bounded_context.cache_clear()
    yield context
    transport.bounded_context.cache_clear()


@pytest.mark.parametrize("starts_tls", [False, True])
@pytest.mark.parametrize(("client", "script"), [(speak_imap, imap_to_login), (speak_smtp, smtp_to_login)])
def test_a_talk_is_bounded_inside_tls_too(
    client: Callable[..., None], script: Any, starts_tls: bool, secured: Any, settings: Any
) -> None:
    settings.EGRESS_ALLOW = ["localhost"]
    spoken = {"uses_tls": not starts_tls, "starts_tls": starts_tls}
    server: HostileServer = HostileServer(lambda: script(server.heard, starts_tls=starts_tls), secured, starts_tls)
    with server:
        client(Server(server.port, "localhost", **spoken), seconds=IN_TIME_S)
        assert any(b"secret" in line or b"AUTH" in line for line in server.heard)
    # The pieces of the talk until it is secured and the login is under way.
    begun, line = {(speak_imap, False): (4, b"* 1 EXISTS\r\n"), (speak_imap, True): (7, b"* 1 EXISTS\r\n")}.get(
        (client, starts_tls), (6 if starts_tls else 3, b"250-x\r\n")
    )
    endings: tuple[tuple[Any, str, float], ...] = (
        (lambda _: repeat(line * 200), "too_large", IN_TIME_S),
        (lambda on: on.drip(line[:-2]), "timeout", 1.0),
    )
    for ending, reason, seconds in endings:
        hostile = hostile_within(script, ending, begun, secured, starts_tls)
        with hostile, pytest.raises(EgressRefused) as refused:
            client(Server(hostile.port, "localhost", **spoken), seconds=seconds)
        assert refused.value.reason == reason


def hostile_within(script: Any, ending: Any, begun: int, secured: Any, starts_tls: bool) -> HostileServer:
    """A server that begins as it should, and turns hostile once TLS is there."""
    server: HostileServer = HostileServer(
        lambda: chain(islice(script(server.heard, starts_tls=starts_tls), begun), ending(server)), secured, starts_tls
    )
    return server


@pytest.mark.parametrize("starts_tls", [False, True])
@pytest.mark.parametrize(("client", "script"), [(speak_imap, imap_to_login), (speak_smtp, smtp_to_login)])
def test_a_certificate_of_another_name_ends_the_talk_before_the_password(
    client: Callable[..., None], script: Any, starts_tls: bool, secured: Any
) -> None:
    server: HostileServer = HostileServer(lambda: script(server.heard, starts_tls=starts_tls), secured, starts_tls)
    with server, pytest.raises(EgressRefused) as refused:
        client(Server(server.port, uses_tls=not starts_tls, starts_tls=starts_tls), seconds=IN_TIME_S)
    assert refused.value.reason == "tls"
    assert not any(b"secret" in line or b"AUTH" in line for line in server.heard)
