"""A connection to an IMAP server: its host is vetted as any call's, and the connection goes to a checked address."""

import imaplib
import socket
import ssl
from typing import Any

from imap_tools import BaseMailBox
from imap_tools.errors import MailboxLoginError

from apps import egress
from apps.egress.allowlist import configured_allow_list
from apps.egress.resolution import LOOKUP_SECONDS, resolve, system_lookup
from apps.egress.tls import client_context
from apps.letters.rules.mailboxes import MailServer

# imaplib's own limit is a million bytes of one line; literals are counted apart.
_ATTEMPTS = 4


class _Client(imaplib.IMAP4):
    """Connects to one of the addresses that were checked, and speaks TLS with the host's name."""

    def __init__(self, server: MailServer, addresses: tuple[str, ...], timeout: float) -> None:
        self._server, self._addresses = server, addresses
        super().__init__(server.host, server.port, timeout)

    def _create_socket(self, timeout: float | None) -> socket.socket:
        error: OSError | None = None
        for address in self._addresses[:_ATTEMPTS]:
            try:
                opened = socket.create_connection((address, self._server.port), timeout)
                if not self._server.uses_tls:
                    return opened
                return self.tls().wrap_socket(opened, server_hostname=self._server.host)
            except OSError as failed:
                error = failed
        raise error or OSError("no address")

    def tls(self) -> ssl.SSLContext:
        return client_context()


class _Box(BaseMailBox):
    def __init__(self, client: imaplib.IMAP4) -> None:
        self._given = client
        super().__init__()

    def _get_mailbox_client(self) -> Any:
        return self._given


def open_box(server: MailServer, *, timeout: float) -> BaseMailBox:
    """The folder of a mailbox, opened to be read, and to be changed only where its owner wants it.

    Raises EgressRefused, MailboxLoginError and what imaplib raises.
    """
    egress_url = f"{'https' if server.uses_tls or server.starts_tls else 'http'}://{_host(server)}:{server.port}/"
    target = egress.vet(egress_url)
    addresses = resolve(target, allow=configured_allow_list(), lookup=system_lookup, timeout=LOOKUP_SECONDS)
    client = _Client(server, addresses, timeout)
    try:
        if server.starts_tls:
            client.starttls(client.tls())
        box = _Box(client)
        try:
            client.login(server.user, server.password)
        except imaplib.IMAP4.abort:
            raise
        except imaplib.IMAP4.error:
            raise MailboxLoginError(("NO", [b""]), "OK") from None
        box.folder.set(server.folder, readonly=not (server.marks_seen or server.moves_to))
    except BaseException:
        client.shutdown()
        raise
    return box


def _host(server: MailServer) -> str:
    return f"[{server.host}]" if ":" in server.host else server.host
