"""IMAP to a server that a user named: the standard library's client, over a bounded talk."""

import imaplib
import select
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from apps.egress.errors import EgressRefused, LoginRefused
from apps.egress.talks import STEP_BYTES, Securing, Server, ServerTalk

# It ends a talk that goes on anyway; nobody waits for it.
LOGOUT_SECONDS = 3.0

ImapError = imaplib.IMAP4.error
"""A refusal, an answer that is none, or a connection that ended."""


class ImapClient(imaplib.IMAP4):
    """A client whose every command is a step of the talk. Raises EgressRefused, too."""

    def __init__(self, server: Server, talk: ServerTalk) -> None:
        self._talk, self._most = talk, STEP_BYTES
        super().__init__(server.host, server.port)

    @property
    def bytes_left(self) -> int:
        """How many bytes the whole talk may still read."""
        return self._talk.bytes_left

    @contextmanager
    def large_answers(self, max_bytes: int) -> Iterator[None]:
        """Lets each answer within have so many bytes."""
        self._most = max_bytes
        try:
            yield
        finally:
            self._most = STEP_BYTES

    def sign_in(self, user: str, password: str) -> None:
        """Raises LoginRefused."""
        try:
            if (user + password).isascii():
                self.login(self._quote(user), password)
            else:
                self.authenticate("PLAIN", lambda _: f"\0{user}\0{password}".encode())
        except self.abort:
            raise
        except self.error as refused:
            said = refused.args[0] if refused.args else ""
            raise LoginRefused(said.decode(errors="replace") if isinstance(said, bytes) else str(said)) from None

    def idle(self, seconds: float) -> None:
        """Waits until the server tells that something changed, for so many seconds at most (RFC 2177)."""
        tag = self._command("IDLE")
        while self._get_response():
            if self.tagged_commands[tag]:
                del self.tagged_commands[tag]
                raise self.error("IDLE is refused")
        if not (isinstance(self.sock, ssl.SSLSocket) and self.sock.pending()):
            poller = select.poll()
            poller.register(self.sock.fileno(), select.POLLIN)
            poller.poll(seconds * 1000)
        self._talk.next_step()
        self.send(b"DONE\r\n")
        self._get_tagged_response(tag)

    def end(self) -> None:
        """Says goodbye and closes the connection; the answer does not matter."""
        with suppress(Exception):
            if self.state != "LOGOUT":
                self._talk.shorten(LOGOUT_SECONDS)
                self._simple_command("LOGOUT")
        self.close_connection()

    def close_connection(self) -> None:
        with suppress(Exception):
            self.shutdown()
        self.sock.close()

    def _create_socket(self, timeout: float | None) -> socket.socket:
        return self._talk.open()

    def _command(self, name: str, *arguments: Any) -> Any:
        self._talk.next_step(max_bytes=self._most)
        return super()._command(name, *arguments)  # type: ignore[misc]

    def read(self, size: int) -> bytes:
        self._talk.expect(size)
        return super().read(size)

    def readline(self) -> bytes:
        self._talk.count_line()
        return super().readline()


imaplib.Commands.setdefault("IDLE", ("NONAUTH", "AUTH", "SELECTED"))


def open_imap(server: Server, *, seconds: float, step_seconds: float, max_bytes: int) -> ImapClient:
    """A client that is let in. The caller ends it (`end`).

    Raises LoginRefused, InvalidUrl, EgressRefused and ImapError.
    """
    talk = ServerTalk(server, seconds=seconds, step_seconds=step_seconds, max_bytes=max_bytes)
    client = ImapClient(server, talk)
    try:
        if server.starts_tls:
            if "STARTTLS" not in client.capabilities:
                raise EgressRefused("tls")
            client.starttls(Securing(talk))
        client.sign_in(server.user, server.password)
    except BaseException:
        client.close_connection()
        raise
    return client
