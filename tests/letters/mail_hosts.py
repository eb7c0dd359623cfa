"""A mail server of a provider as a mailbox's owner meets it: IMAP and SMTP on loopback that let one login in."""

import base64
from collections.abc import Iterator
from typing import Any

from tests.egress.hostile_mail import HostileServer

USER, PASSWORD = "support@flowers.test", 'p#a/s?s w@rd:%41"\\'


def imap_script(heard: list[bytes], refusal: str = "") -> Iterator[bytes | None]:
    """IMAP4rev1, as far as a login and a look at a folder need it. `refusal` is said to every login; without one the
    password is looked at.
    """
    yield b"* OK ready\r\n"
    while True:
        yield None
        tag, command, *rest = heard[-1].decode().rstrip("\r\n").split(" ", 2)
        yield _imap_answer(command.upper(), rest[0] if rest else "", refusal).replace("TAG", tag).encode()


def _imap_answer(command: str, rest: str, refusal: str) -> str:
    if command == "CAPABILITY":
        return "* CAPABILITY IMAP4rev1\r\nTAG OK done\r\n"
    if command == "LOGIN":
        quoted = PASSWORD.replace("\\", "\\\\").replace('"', '\\"')
        if refusal or rest != f'"{USER}" "{quoted}"':
            return f"TAG NO {refusal or '[AUTHENTICATIONFAILED] Invalid credentials (Failure)'}\r\n"
    if command in ("EXAMINE", "SELECT"):
        if "INBOX" not in rest:
            return "TAG NO [NONEXISTENT] Unknown Mailbox\r\n"
        return "* 0 EXISTS\r\n* OK [UIDVALIDITY 1]\r\nTAG OK [READ-ONLY] done\r\n"
    return "* BYE\r\nTAG OK bye\r\n" if command == "LOGOUT" else "TAG OK done\r\n"


def smtp_script(heard: list[bytes], refusal: str = "") -> Iterator[bytes | None]:
    """ESMTP, as far as a login needs it."""
    yield b"220 mail.test\r\n"
    while True:
        yield None
        line = heard[-1].decode().strip()
        if line.upper().startswith("EHLO"):
            yield b"250-mail.test\r\n250 AUTH PLAIN\r\n"
        elif line.upper().startswith("AUTH PLAIN "):
            _, user, password = base64.b64decode(line.split()[2]).decode().split("\0")
            is_let_in = not refusal and (user, password) == (USER, PASSWORD)
            yield b"235 come in\r\n" if is_let_in else f"{refusal or '535 5.7.8 Bad credentials'}\r\n".encode()
        else:
            yield b"221 bye\r\n" if line.upper() == "QUIT" else b"250 ok\r\n"


def imap_host(refusal: str = "") -> HostileServer:
    server: Any = HostileServer(lambda: imap_script(server.heard, refusal))
    return server


def smtp_host(refusal: str = "") -> HostileServer:
    server: Any = HostileServer(lambda: smtp_script(server.heard, refusal))
    return server
