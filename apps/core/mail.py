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
import secrets
import smtplib
import threading
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.utils import parseaddr
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import translation

from apps.core import disk
from apps.core.models import Mail
from apps.core.problems import Problem
from apps.leases import Lease, wake_workers

logger = logging.getLogger(__name__)

READ_HEADERS = {"Subject", "From", "To", "Cc", "Reply-To"}  # by people


class MailFailed(Exception):
    """The mail server did not take the mail, or not in time."""


def render(template: str, *, to: str, subject: Any, language: str, context: dict[str, Any]) -> EmailMultiAlternatives:
    """The mail of `<template>.txt` and `<template>.html`, in one of settings.LANGUAGES.

    `subject` is lazily translated, and may name values of the context (`%(widget_name)s`).
    """
    with translation.override(language):
        mail = EmailMultiAlternatives(str(subject) % context, render_to_string(f"{template}.txt", context), to=[to])
        mail.attach_alternative(render_to_string(f"{template}.html", context), "text/html")
    return mail


def queue(mail: EmailMultiAlternatives) -> None:
    """Has a rendered mail sent once the transaction under way commits. It is tried for a day, and then given up.

    Should a process die just when the mail server has taken it, it is sent again with the same Message-ID.
    """
    (html, _), (to,) = mail.alternatives[0], mail.to
    Mail.objects.create(to=to, subject=str(mail.subject), text=str(mail.body), html=str(html))
    wake_workers()


def work(lease: Lease[Mail]) -> None:
    row = lease.row
    headers = {"Message-ID": f"<{row.guid}@{parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition('@')[2]}>"}
    mail = EmailMultiAlternatives(row.subject, row.text, to=[row.to], headers=headers)
    mail.attach_alternative(row.html, "text/html")
    try:
        send(mail)
    except (MailFailed, Problem):
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


def send(mail: EmailMessage) -> None:
    """Hands a mail to the mail server, in EMAIL_TIMEOUT seconds at most, name look-ups included.

    Raises MailFailed; TRY_AGAIN (503) where it is a file to be, and the disk is full.

    A refused mail may have been delivered: the server may confirm too late. Call it outside of transactions. Addresses
    and texts are never logged.
    """
    failures: list[Exception] = []
    sender = threading.Thread(target=_send, args=(mail, failures), name="mail", daemon=True)
    sender.start()
    sender.join(settings.EMAIL_TIMEOUT)
    if sender.is_alive():
        logger.warning("a mail was not sent: no answer in %s s", settings.EMAIL_TIMEOUT)
        raise MailFailed
    if failures:
        raise disk.no_room() if disk.is_full(failures[0]) else MailFailed() from failures[0]


def _send(mail: EmailMessage, failures: list[Exception]) -> None:
    try:
        mail.send()
    except (smtplib.SMTPException, OSError) as error:
        logger.warning("a mail was not sent: %s %s", type(error).__name__, getattr(error, "smtp_code", ""))
        failures.append(error)
    except Exception as error:
        logger.exception("a mail was not sent")
        failures.append(error)


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
