"""Letters to oneself, of the installation or of a mailbox: whether mail leaves, comes back, and is believed.

`manage.py check_mail` and the cabinet's "Try it" take the same steps; the cabinet's are a queue's (`MailCheck`).
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import connection, transaction
from django.db.models.functions import Now
from django.utils import timezone

from apps.core import mail
from apps.core.database import lock
from apps.core.problems import Problem
from apps.egress.smtp import Stage
from apps.leases import Lease, wake_workers
from apps.letters.actions import mailbox_answers
from apps.letters.actions.addresses import MAIL_STOPS
from apps.letters.actions.receiving.reading import CALL_S, ReadingFailed, connected
from apps.letters.models import InLetter, Mailbox, MailCheck
from apps.letters.rules import rights
from apps.letters.rules.addresses import Purpose, address_of, domain_of, message_id_of, origin_of
from apps.letters.rules.mail_providers import Side
from apps.letters.rules.mailboxes import BadServer, read_imap, read_smtp
from apps.letters.rules.server_problems import ServerProblem, login_problem

LOOKS_EVERY_S, WAIT_S = 2.0, 60
KEPT, AN_HOUR = 20, 10
HOUR = timedelta(hours=1)
# By which a mail server says that it does not let us in (RFC 4954).
_NO_LOGIN = (530, 534, 535, 538)
_RESULTS: dict[str, str | None] = {"spf": None, "dkim": None, "dmarc": None}


def nothing_yet() -> dict[str, Any]:
    """The outcome of a check before its first step.

    `smtp_login` and `imap_login`: whether the server let us in, null where it was not asked. `problems`: why not, or
    why nothing was sent: of which server, a code, its host or folder, and the server's words. `problem`: the same as
    a text.
    """
    found: dict[str, Any] = {"sent": False, "back": False, "seconds": None, **_RESULTS}
    return {**found, "smtp_login": None, "imap_login": None, "problem": None, "problems": []}


@dataclass(slots=True, kw_only=True)
class CheckState:
    """A check on its way: the letter goes `to` an address, from `mailbox`, or from the installation without one."""

    to: str
    mailbox: Mailbox | None = None
    letter_id: str = ""
    sent_at: datetime | None = None
    told: dict[str, Any] = field(default_factory=nothing_yet)


def take_step(state: CheckState, *, wait_s: float) -> bool:
    """Signs in and sends the letter, at the first step; then looks whether it came. Returns whether the check is over:
    the letter is back, was not sent, or did not come within `wait_s`. Call it outside of transactions.
    """
    if state.sent_at is None:
        _send(state)
        return not state.told["sent"]
    passed = (timezone.now() - state.sent_at).total_seconds()
    found = arrived(state.letter_id)
    if found is not None:
        state.told |= {"back": True, "seconds": round(passed, 1), **found}
    return found is not None or passed >= wait_s


def own_address(mailbox: Mailbox | None) -> str:
    """The address that a check writes to by itself; empty where there is none (MAIL_REPLY_ADDRESS is not set)."""
    if mailbox is not None:
        return mailbox.address
    return address_of(settings.MAIL_REPLY_ADDRESS, Purpose.REPLY, rights.new_right())


def arrived(message_id: str) -> dict[str, str | None] | None:
    """The receiver's results for our own letter: `{spf, dkim, dmarc}`; None while it is not there."""
    rows = InLetter.objects.unscoped("our own letter, named by its Message-ID")
    rows = rows.filter(letter_id__in=(message_id, message_id.strip("<>")), handled_at__isnull=False)
    row = rows.order_by("id").first()
    return None if row is None else {**_RESULTS, **(row.results or {})}


def _send(state: CheckState) -> None:
    own = state.mailbox if state.mailbox and state.mailbox.smtp else None
    sender = mailbox_answers.sender_of(state.mailbox) if state.mailbox else mail.sender_address()
    sender = own.address if own else sender
    state.letter_id, state.sent_at = message_id_of(rights.new_right(), domain_of(sender)), timezone.now()
    letter = EmailMultiAlternatives("Parley: a letter to itself", "It may be deleted.", to=[state.to])
    letter.extra_headers = {
        "Message-ID": state.letter_id,
        "X-Parley-Origin": origin_of(settings.PUBLIC_URL),
        **mail.AUTOMATIC,
    }
    problems = _sign_in_to_read(state)
    try:
        letter.from_email = sender if state.mailbox else letter.from_email
        if own is not None:
            mailbox_answers.send_by_own_server(letter, own)
        else:
            mail.send(letter)
        state.told |= {"sent": True, "smtp_login": _signs_in_to_send(state) or None}
    except mail.MailFailed as failed:
        problems.append(_not_sent(state, failed))
    except Problem as refused:
        problems.append(_problem(Side.SMTP, refused.type.code))
    state.told |= {"problems": problems, "problem": "; ".join(map(_as_text, problems))[:500] or None}


def _not_sent(state: CheckState, failed: mail.MailFailed) -> dict[str, str]:
    host, said = _sending_host(state), f"{failed.code} {failed.said}".strip() if failed.code else ""
    if failed.stage is Stage.LOGIN or (failed.code in _NO_LOGIN and failed.stage is Stage.BEFORE):
        state.told["smtp_login"] = False
        return _problem(Side.SMTP, login_problem(host, failed.said), host, said)
    if failed.stage is not Stage.BEFORE:
        state.told["smtp_login"] = _signs_in_to_send(state) or None
    return _problem(Side.SMTP, "" if failed.code else ServerProblem.UNREACHABLE, host, said)


def _sending_host(state: CheckState) -> str:
    if state.mailbox is not None and state.mailbox.smtp:
        return read_smtp(state.mailbox.smtp).host
    return settings.EMAIL_HOST or "EMAIL_URL"


def _problem(side: Side, code: str, about: str = "", said: str = "") -> dict[str, str]:
    return {"side": side.value, "code": str(code), "about": about, "said": said[:300]}


def _as_text(problem: dict[str, str]) -> str:
    return " ".join(filter(None, (problem["side"], problem["code"], problem["about"], problem["said"])))


def _signs_in_to_send(state: CheckState) -> bool:
    """Whether the server that sends asks for a user and a password."""
    if state.mailbox is not None and state.mailbox.smtp:
        return bool(read_smtp(state.mailbox.smtp).user)
    return bool(settings.EMAIL_HOST_USER)


def _sign_in_to_read(state: CheckState) -> list[dict[str, str]]:
    """Opens the folder in which letters come, where there is one; returns why it cannot be read."""
    url = state.mailbox.imap if state.mailbox else settings.MAIL_INBOX
    if not url:
        return []
    try:
        with connected(read_imap(url), seconds=CALL_S):
            state.told["imap_login"] = True
            return []
    except ReadingFailed as failed:
        state.told["imap_login"] = False
        return [_problem(Side.IMAP, failed.code, failed.detail)]
    except BadServer as malformed:
        state.told["imap_login"] = False
        return [_problem(Side.IMAP, "", "", str(malformed))]


# --- In the cabinet ---------------------------------------------------------------------------------------------------


class CheckRefusal(StrEnum):
    """Why a check is not made."""

    TOO_MANY = "too_many"
    STOPPED = "stopped"
    NO_ADDRESS = "no_address"


class CheckRefused(Exception):
    """No check is made; the only argument is the CheckRefusal."""


@transaction.atomic
def ask_check(*, widget_id: int, mailbox: Mailbox | None = None, to: str = "") -> MailCheck:
    """Queues a check of a mailbox, or of the installation's mail, to `to` or the own address. Raises CheckRefused: an
    hour has ten for a widget, and an address that wants no letters gets none.
    """
    to = to.strip() or own_address(mailbox)
    if not to:
        raise CheckRefused(CheckRefusal.NO_ADDRESS)
    if MAIL_STOPS.is_stopped(widget_id, to):
        raise CheckRefused(CheckRefusal.STOPPED)
    lock(f"letters.checks:{widget_id}")
    rows = MailCheck.objects.for_widget(widget_id)
    if rows.filter(asked_at__gt=timezone.now() - HOUR).count() >= AN_HOUR:
        raise CheckRefused(CheckRefusal.TOO_MANY)
    made = MailCheck.objects.create(widget_id=widget_id, mailbox=mailbox, address=to)
    kept = list(rows.order_by("-pk").values_list("pk", flat=True)[:KEPT])
    rows.exclude(pk__in=kept).delete()
    wake_workers()
    return made


def work(lease: Lease[MailCheck]) -> None:
    """Takes a step of a check; between two of them no worker waits."""
    row = lease.row
    mailbox = Mailbox.objects.for_widget(row.widget_id).filter(pk=row.mailbox_id or 0).first()
    state = CheckState(to=row.address, mailbox=mailbox, letter_id=row.letter_id, sent_at=row.sent_at)
    state.told |= row.result or {}
    connection.close()
    is_over = take_step(state, wait_s=WAIT_S)
    with transaction.atomic():
        rows = MailCheck.objects.for_widget(row.widget_id).filter(pk=row.pk)
        ended_at = Now() if is_over else None
        rows.update(letter_id=state.letter_id, sent_at=state.sent_at, result=state.told, ended_at=ended_at)
        if is_over:
            lease.done()
        else:
            lease.later(LOOKS_EVERY_S)


def given_up(lease: Lease[MailCheck], reason: str) -> None:
    """The page tells whoever asked."""
    rows = MailCheck.objects.for_widget(lease.row.widget_id).filter(pk=lease.row.pk)
    rows.update(ended_at=Now(), result={**nothing_yet(), **(lease.row.result or {}), "problem": reason})
