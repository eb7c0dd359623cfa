"""SMTP to a server that a user named: the standard library's client, over a bounded talk."""

import smtplib
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from typing import Any

from apps.egress.errors import EgressRefused, LoginRefused
from apps.egress.talks import Securing, Server, ServerTalk

MAX_BYTES = 256 * 1024


class Stage(StrEnum):
    """How far a mail came: a mail server takes the login, the sender's name, each recipient, and the content."""

    LOGIN = "login"
    BEFORE = "before"
    RECIPIENT = "recipient"
    CONTENT = "content"


class SmtpRefused(Exception):
    """The server did not take a mail. `code` is its answer, `said` its words."""

    def __init__(self, stage: Stage, code: int, said: str) -> None:
        super().__init__()
        self.stage, self.code, self.said = stage, code, said


class SmtpClient(smtplib.SMTP):
    """A client over a talk. Raises EgressRefused, too."""

    def __init__(self, server: Server, talk: ServerTalk, *, own_name: str) -> None:
        self._talk = talk
        super().__init__(local_hostname=own_name)
        self._host = server.host  # for TLS, as `connect` of the constructor would set it

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        return self._talk.open()

    def getreply(self) -> tuple[int, bytes]:
        self._talk.next_step()
        return super().getreply()


@contextmanager
def smtp_talk(server: Server, *, seconds: float, own_name: str) -> Iterator[SmtpClient]:
    """A client that is let in, where the server was given a user; its connection ends with the block.

    Raises LoginRefused, SmtpRefused, InvalidUrl, EgressRefused and OSError.
    """
    talk = ServerTalk(server, seconds=seconds, step_seconds=seconds, max_bytes=MAX_BYTES)
    client = SmtpClient(server, talk, own_name=own_name)
    try:
        code, said = client.connect(server.host, server.port)
        accept((code, said), Stage.BEFORE)
        if server.starts_tls:
            _start_tls(client, talk)
        if server.user:
            _sign_in(client, server)
        yield client
        with suppress(Exception):
            client.quit()
    finally:
        with suppress(Exception):
            client.close()


def _start_tls(client: SmtpClient, talk: ServerTalk) -> None:
    try:
        client.starttls(context=Securing(talk))  # type: ignore[call-overload]
    except smtplib.SMTPException:
        raise EgressRefused("tls") from None


def _sign_in(client: SmtpClient, server: Server) -> None:
    try:
        client.login(server.user, server.password)
    except smtplib.SMTPAuthenticationError as refused:
        raise LoginRefused(words(refused.smtp_error), int(refused.smtp_code)) from None
    except UnicodeEncodeError:
        raise LoginRefused("") from None
    except smtplib.SMTPServerDisconnected:
        raise
    except smtplib.SMTPException as refused:  # it offers no login by password
        raise LoginRefused(str(refused)) from None


def deliver(client: Any, *, sender: str, recipients: Sequence[str], content: bytes) -> str:
    """Hands a mail over; returns the server's answer to its content. Raises SmtpRefused: at which stage, and why."""
    client.ehlo_or_helo_if_needed()
    accept(client.mail(sender), Stage.BEFORE)
    for recipient in recipients:
        accept(client.rcpt(recipient), Stage.RECIPIENT)
    try:
        return accept(client.data(content), Stage.CONTENT)
    except smtplib.SMTPDataError as refused:
        raise SmtpRefused(Stage.CONTENT, int(refused.smtp_code), words(refused.smtp_error)) from None


def accept(answer: tuple[int, bytes], stage: Stage) -> str:
    """The words of an answer that agrees. Raises SmtpRefused."""
    code, said = answer
    if not 200 <= code < 300:
        raise SmtpRefused(stage, code, words(said))
    return words(said)


def words(said: object) -> str:
    return said.decode(errors="replace") if isinstance(said, bytes) else str(said)
