"""Mailboxes that are read by IMAP: one reader each, by the lease of its row.

Letters are found by their UIDs and fetched by BODY.PEEK, so that flags stay as they are; an owner may have letters that
were read marked as seen, or moved. The place reached is committed with the letters, before the next is asked for. The
reader waits by IDLE where the server offers it, else for a minute.
"""

import imaplib
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from imap_tools import BaseMailBox, MailboxLoginError, MailMessageFlags
from imap_tools.errors import ImapToolsError, MailboxFolderSelectError

from apps import egress, leases
from apps.letters.actions.receiving.doors import accept
from apps.letters.actions.receiving.imap import open_box
from apps.letters.actions.receiving.problems import tell_owners
from apps.letters.models import Mailbox, ReadJob
from apps.letters.rules.mailboxes import BadServer, Door, MailServer, ReadingProblem, read_imap
from apps.letters.rules.reading.limits import MAX_LETTER_BYTES

logger = logging.getLogger(__name__)

TURN_S = 240  # then the lease is taken anew
IDLE_S, POLL_S = 50, 60
CALL_S = 30.0
REST_S = 3600
# Of a folder that was made anew (another UIDVALIDITY), so much is read again.
AGAIN = timedelta(days=7)
BATCH = 50


@contextmanager
def connected(server: MailServer) -> Iterator[BaseMailBox]:
    """The folder of a mailbox, opened for reading. Raises ReadingFailed."""
    try:
        box = open_box(server, timeout=CALL_S)
        try:
            yield box
        finally:
            with suppress(Exception):
                box.logout()
    except MailboxLoginError:
        raise ReadingFailed(ReadingProblem.LOGIN_REFUSED, "The server refuses the user or the password.") from None
    except MailboxFolderSelectError:
        raise ReadingFailed(ReadingProblem.NO_FOLDER, f"There is no folder {server.folder}.") from None
    except egress.EgressRefused:
        raise ReadingFailed(ReadingProblem.UNREACHABLE, "The host may not be called, or is not there.") from None
    except (ImapToolsError, imaplib.IMAP4.error, OSError, EOFError) as error:
        raise ReadingFailed(ReadingProblem.UNREACHABLE, type(error).__name__) from None


class ReadingFailed(Exception):
    """The mailbox cannot be read now."""

    def __init__(self, code: ReadingProblem, detail: str) -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


def read_mailbox(lease: leases.Lease[ReadJob]) -> None:
    """Reads a mailbox for some minutes: what is there, then what comes."""
    server = _server(lease.row)
    if server is None:
        return
    if lease.row.mailbox is not None and lease.row.mailbox.widget.is_moving:
        lease.later(POLL_S)  # what comes meanwhile stays in the mailbox
        return
    if lease.row.problem_code == ReadingProblem.LOGIN_REFUSED and _is_resting(lease.row):
        lease.later(REST_S)  # until it is changed, which queues it anew
        return
    try:
        wait_s = _turn(lease, server)
    except ReadingFailed as failed:
        _note_problem(lease.row, failed)
        if failed.code == ReadingProblem.LOGIN_REFUSED:
            lease.later(REST_S)
        else:
            lease.failed()
        return
    if lease.must_stop:
        lease.give_back()
    else:
        lease.later(wait_s)


def _turn(lease: leases.Lease[ReadJob], server: MailServer) -> float:
    """Reads until the turn is over; returns the seconds until the next. Raises ReadingFailed."""
    until = timezone.now() + timedelta(seconds=TURN_S)
    with connected(server) as box:
        _note_connected(lease.row)
        while not lease.must_stop:
            fetch(lease.row, box, server)
            if timezone.now() >= until:
                return 0
            connection.close()
            if not _has_idle(box):
                return POLL_S
            box.idle.wait(timeout=min(IDLE_S, max(1, (until - timezone.now()).total_seconds())))
    return 0


def _has_idle(box: BaseMailBox) -> bool:
    return "IDLE" in box.client.capabilities


def fetch(row: ReadJob, box: BaseMailBox, server: MailServer | None = None) -> int:
    """Stores the letters that came since the last one; returns how many. Letters that were stored are marked as seen
    or moved where the `server`'s address says so.

    The first time nothing is read of what lies there already.
    """
    validity, next_uid = _status(box)
    if row.uid_validity is None:
        _keep(row, validity, next_uid - 1)
        return 0
    if row.uid_validity != validity:
        row.last_uid = _first_since(box) - 1
    count = 0
    uids = [uid for uid in _uids(box, f"UID {row.last_uid + 1}:*") if uid > row.last_uid]
    for uid in sorted(uids):
        raw = _raw(box, uid)
        with transaction.atomic():
            if raw is not None:
                accept(raw, door=Door.IMAP, mailbox=row.mailbox, recipients=())
            _keep(row, validity, uid)
        if server is not None:
            _put_away(box, uid, server)
        count += 1
    if row.uid_validity != validity:
        _keep(row, validity, max(row.last_uid, 0))
    return count


def _status(box: BaseMailBox) -> tuple[int, int]:
    """UIDVALIDITY, and the UID that the next letter gets."""
    found = box.folder.status(box.folder.get() or "INBOX", ["UIDVALIDITY", "UIDNEXT"])
    return int(found.get("UIDVALIDITY", 0)), int(found.get("UIDNEXT", 1))


def _uids(box: BaseMailBox, criteria: str) -> list[int]:
    kind, data = box.client.uid("SEARCH", None, criteria)  # type: ignore[arg-type]
    if kind != "OK" or not data or data[0] is None:
        return []
    return [int(one) for one in data[0].split() if one.isdigit()]


def _first_since(box: BaseMailBox) -> int:
    """The UID of the first letter of the last days."""
    day = (timezone.now() - AGAIN).strftime("%d-%b-%Y")
    return min(_uids(box, f"SINCE {day}"), default=_status(box)[1])


def _raw(box: BaseMailBox, uid: int) -> bytes | None:
    """A letter as it lies there; None for one that is gone. One over the limit is fetched as far as that shows."""
    kind, data = box.client.uid("FETCH", str(uid), f"(BODY.PEEK[]<0.{MAX_LETTER_BYTES + 1}>)")
    if kind != "OK":
        return None
    return next((piece[1] for piece in data if isinstance(piece, tuple) and len(piece) > 1), None)


def _put_away(box: BaseMailBox, uid: int, server: MailServer) -> None:
    """Marks a letter that is stored as seen, or moves it. A refusal leaves it where it is: it was read."""
    try:
        if server.marks_seen:
            box.flag(str(uid), MailMessageFlags.SEEN, True)
        elif server.moves_to:
            box.move(str(uid), server.moves_to)
    except ImapToolsError as refused:
        logger.warning("a letter stays in its folder: %s", type(refused).__name__)


def _keep(row: ReadJob, validity: int, uid: int) -> None:
    row.uid_validity, row.last_uid = validity, uid
    rows = ReadJob.objects.unscoped("a row of the reader that has its lease").filter(pk=row.pk)
    rows.update(uid_validity=validity, last_uid=uid)


def _note_connected(row: ReadJob) -> None:
    rows = ReadJob.objects.unscoped("a row of the reader that has its lease").filter(pk=row.pk)
    rows.update(connected_at=timezone.now(), problem_code="", problem_detail="", problem_at=None)


def _is_resting(row: ReadJob) -> bool:
    return row.problem_at is not None and row.problem_at > timezone.now() - timedelta(seconds=REST_S)


def _note_problem(row: ReadJob, failed: ReadingFailed) -> None:
    """Keeps why a mailbox is not read; of a refused login the owners are told once."""
    is_new = row.problem_code != failed.code
    with transaction.atomic():
        rows = ReadJob.objects.unscoped("a row of the reader that has its lease").filter(pk=row.pk)
        rows.update(problem_code=failed.code, problem_detail=failed.detail[:255], problem_at=timezone.now())
        if is_new and failed.code == ReadingProblem.LOGIN_REFUSED and row.mailbox is not None:
            tell_owners(row.mailbox)
    logger.warning("a mailbox is not read: %s", failed.code)


def _server(row: ReadJob) -> MailServer | None:
    """The server of the mailbox; None where it is read no more."""
    if row.mailbox_id is not None:
        row.mailbox = Mailbox.objects.unscoped("of its job").select_related("widget__account").get(pk=row.mailbox_id)
        url = row.mailbox.imap
    else:
        url = settings.MAIL_INBOX
    try:
        return read_imap(url) if url else None
    except BadServer:
        return None


def given_up(lease: leases.Lease[ReadJob], reason: str) -> None:
    """A mailbox is never given up."""
    lease.later(300)


def queue_installation() -> None:
    """Has the installation's mailbox read, where it has one."""
    rows = ReadJob.objects.unscoped("the installation's mailbox").filter(mailbox=None)
    if not settings.MAIL_INBOX:
        rows.delete()
    elif not rows.filter(due_at__isnull=False).exists() and not rows.update(due_at=timezone.now()):
        ReadJob.objects.bulk_create([ReadJob()], ignore_conflicts=True)
    leases.wake_workers()
