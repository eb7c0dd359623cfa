"""The folder of a mailbox: a talk of `egress`, by the library that knows IMAP's folders and flags."""

from contextlib import suppress

from imap_tools import BaseMailBox

from apps.egress.imap import ImapClient, open_imap
from apps.letters.rules.mailboxes import MailServer


class Box(BaseMailBox):
    """Its `client` is the talk."""

    client: ImapClient

    def __init__(self, client: ImapClient) -> None:
        self._given = client
        super().__init__()

    def _get_mailbox_client(self) -> ImapClient:
        return self._given


def open_box(server: MailServer, *, seconds: float, step_seconds: float, max_bytes: int) -> Box:
    """The folder of a mailbox, opened to be read, and to be changed only where its owner wants it.

    The caller ends its client. Raises LoginRefused, EgressRefused, ImapError and the errors of imap_tools.
    """
    client = open_imap(server, seconds=seconds, step_seconds=step_seconds, max_bytes=max_bytes)
    try:
        box = Box(client)
        box.folder.set(server.folder, readonly=not (server.marks_seen or server.moves_to))
    except BaseException:
        with suppress(Exception):
            client.end()
        raise
    return box
