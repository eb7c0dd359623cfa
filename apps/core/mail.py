"""Mail: rendered in a language, sent by Django's backends within a time, or queued; the default backend, which writes a
readable file for each mail.

A mail that no request waits for is queued in the transaction it tells of (`queue`): it is lost with no process and no
mail server, and sent after the commit. `send` is for the one that a request waits for, an invitation's.

A mail server is somebody outside: it may be slow, or silent. So a mail is sent in a thread of its own that is waited
for no longer than settings.EMAIL_TIMEOUT, outside of transactions, and within a request in a place of the bulkhead
(`egress`): the threads of a process are never all held by a mail server that hangs.
"""

import logging
import os
import re
import secrets
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.utils import parseaddr
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends import smtp
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.message import sanitize_address
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import translation

from apps.core import disk
from apps.core.models import Mail
from apps.core.problems import Problem
from apps.egress.bulkhead import refuse_in_transaction
from apps.egress.smtp import SmtpRefused, Stage, deliver, words
from apps.leases import Lease, wake_workers

logger = logging.getLogger(__name__)

_POLICY = re.compile(r"5\.7\.\d")
READ_HEADERS = {"Subject", "From", "To", "Cc", "Reply-To"}  # by people
# What a program sends says so (RFC 3834), so that no other program answers it.
AUTOMATIC = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}


class MailFailed(Exception):
    """The mail server did not take the mail, or not in time. `code` is its answer, 0 without one; `said` its words."""

    def __init__(self, stage: Stage = Stage.BEFORE, code: int = 0, said: str = "") -> None:
        super().__init__()
        self.stage, self.code, self.said = stage, code, said

    @property
    def refuses_us(self) -> bool:
        """Whether it is the sender that is refused, for good: its login, before any recipient, or by policy (5.7.x)."""
        return 500 <= self.code < 600 and (
            self.stage in (Stage.BEFORE, Stage.LOGIN) or _POLICY.match(self.said) is not None
        )

    @property
    def is_final(self) -> bool:
        """Whether the recipient or the content is refused for good, so that another attempt is in vain."""
        return 500 <= self.code < 600 and not self.refuses_us


def render(
    template: str, *, to: str, subject: Any, language: str, context: dict[str, Any], brand: object = None
) -> EmailMultiAlternatives:
    """The mail of `<template>.txt` and `<template>.html`, in one of settings.LANGUAGES. Both extend `letters/base`.

    `subject` is lazily translated, and may name values of the context (`%(widget_name)s`). `brand`: the name,
    accent, ink and edge of its head; None: the installation's.
    """
    context = {"host": urlsplit(settings.PUBLIC_URL).netloc, "brand": brand, **context}
    with translation.override(language):
        mail = EmailMultiAlternatives(str(subject) % context, render_to_string(f"{template}.txt", context), to=[to])
        mail.attach_alternative(render_to_string(f"{template}.html", context), "text/html")
    return mail


def queue(mail: EmailMultiAlternatives) -> UUID:
    """Has a rendered mail sent once the transaction under way commits. It is tried for a day, and then given up.

    Should a process die just when the mail server has taken it, it is sent again with the same Message-ID, of which the
    id that is returned is the part before the @.
    """
    (html, _), (to,) = mail.alternatives[0], mail.to
    texts = {"subject": str(mail.subject), "text": str(mail.body), "html": str(html)}
    row = Mail.objects.create(to=to, **texts, headers=mail.extra_headers)
    wake_workers()
    return row.guid


def work(lease: Lease[Mail]) -> None:
    row = lease.row
    headers = {"Message-ID": f"<{row.guid}@{sender_address().rpartition('@')[2]}>", **AUTOMATIC, **row.headers}
    mail = EmailMultiAlternatives(row.subject, row.text, to=[row.to], headers=headers)
    mail.attach_alternative(row.html, "text/html")
    try:
        send(mail)
    except MailFailed as failed:
        if failed.is_final:
            given_up(lease, f"was refused for good ({failed.code})")
        else:
            lease.failed()
        return
    except Problem:
        lease.failed()
        return
    with transaction.atomic():
        lease.done()
        row.delete()


def given_up(lease: Lease[Mail], reason: str) -> None:
    logger.error("the mail %s of %s was given up: it %s", lease.row, lease.row.created_at, reason)
    with transaction.atomic():
        lease.done()
        lease.row.delete()


def sender_address() -> str:
    """The installation's own address, of which its mail comes."""
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1]


def send(mail: EmailMessage) -> str:
    """Hands a mail to the mail server, in EMAIL_TIMEOUT seconds at most, name look-ups included; returns its answer.

    The envelope's sender is `mail.from_email`, whatever the header From says. Raises MailFailed; TRY_AGAIN (503) where
    it is a file to be, and the disk is full.

    A refused mail may have been delivered: the server may confirm too late. Call it outside of transactions. Addresses
    and texts are never logged.
    """
    return _within_time(partial(_send, mail))


def ask_server() -> None:
    """Asks the mail server to let the installation in, and sends nothing; in EMAIL_TIMEOUT seconds at most.

    Raises MailFailed where it does not. A folder lets everybody in. Call it outside of transactions.
    """
    refuse_in_transaction()
    _within_time(_greet)


def _within_time(talk: Callable[[BaseEmailBackend], str]) -> str:
    outcome: list[str | Exception] = []
    backend = get_connection()
    sender = threading.Thread(target=_note_outcome, args=(talk, backend, outcome), name="mail", daemon=True)
    sender.start()
    sender.join(settings.EMAIL_TIMEOUT)
    if sender.is_alive():
        logger.warning("the mail server gave no answer in %s s", settings.EMAIL_TIMEOUT)
        _hang_up(backend)
        raise MailFailed
    match outcome:
        case [MailFailed() as failed]:
            raise failed
        case [Exception() as error]:
            raise disk.no_room() if disk.is_full(error) else MailFailed() from error
        case [str() as answer]:
            return answer
    raise MailFailed


def _send(mail: EmailMessage, backend: BaseEmailBackend) -> str:
    if isinstance(backend, smtp.EmailBackend):
        return _converse(backend, mail)
    mail.connection = backend
    mail.send()
    return ""


def _greet(backend: BaseEmailBackend) -> str:
    try:
        backend.open()
        if isinstance(backend, smtp.EmailBackend):
            backend.connection.ehlo_or_helo_if_needed()  # type: ignore[union-attr]
    finally:
        backend.close()
    return ""


def _note_outcome(
    talk: Callable[[BaseEmailBackend], str], backend: BaseEmailBackend, outcome: list[str | Exception]
) -> None:
    try:
        outcome.append(talk(backend))
    except SmtpRefused as refused:
        logger.warning("the mail server refused: %s at %s", refused.code, refused.stage)
        outcome.append(MailFailed(refused.stage, refused.code, refused.said))
    except OSError as error:  # as SMTP's are
        code = int(getattr(error, "smtp_code", 0))
        logger.warning("the mail server failed: %s %s", type(error).__name__, code or "")
        said = words(getattr(error, "smtp_error", b""))
        outcome.append(MailFailed(Stage.BEFORE, code, said) if code else error)
    except Exception as error:
        logger.exception("the mail server failed")
        outcome.append(error)


def _converse(backend: smtp.EmailBackend, mail: EmailMessage) -> str:
    try:
        backend.open()
        return hand_over(backend.connection, mail)
    finally:
        backend.close()


def hand_over(client: Any, mail: EmailMessage) -> str:
    """Sends by a client of SMTP; returns the answer to the content. Raises SmtpRefused, which tells the stage."""
    message: Any = mail.message()
    return deliver(
        client,
        sender=sanitize_address(mail.from_email, "utf-8"),
        recipients=[sanitize_address(recipient, "utf-8") for recipient in mail.recipients()],
        content=message.as_bytes(linesep="\r\n"),
    )


def _hang_up(backend: BaseEmailBackend) -> None:
    """Ends the connection under a thread that is waited for no more, so that it ends, too."""
    opened = getattr(getattr(backend, "connection", None), "sock", None)
    if opened is not None:
        with suppress(OSError):
            opened.shutdown(socket.SHUT_RDWR)


class FolderBackend(BaseEmailBackend):
    """Writes each mail as a file into settings.EMAIL_FOLDER: `.eml`, which people can read and mail programs open.

    Texts and headers stand in it as UTF-8, not encoded. A mail may hold a link that is a secret, so the files are the
    service's alone. A file is there whole, or not at all.
    """

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        folder = Path(settings.EMAIL_FOLDER)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for mail in email_messages:
            self._write(folder, mail)
        return len(email_messages)

    def _write(self, folder: Path, mail: EmailMessage) -> None:
        name = f"{datetime.now(UTC):%Y%m%dT%H%M%S.%f}-{secrets.token_hex(4)}"
        unfinished, whole = folder / f"{name}.part", folder / f"{name}.eml"
        try:
            with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(_readable(mail))
            unfinished.rename(whole)
        except OSError:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise


def _readable(mail: EmailMessage) -> bytes:
    """The mail with its headers and texts in UTF-8, as RFC 6532 has them."""
    parsed: Any = message_from_bytes(mail.message().as_bytes(), policy=policy.default)
    for name in READ_HEADERS & set(parsed.keys()):
        parsed.replace_header(name, str(parsed[name]).strip())
    return bytes(parsed.as_bytes(policy=policy.SMTPUTF8.clone(linesep="\n", max_line_length=0)))
