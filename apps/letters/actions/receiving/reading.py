"""Mailboxes that are read by IMAP: one reader each, by the lease of its row.

Letters are found by their UIDs and fetched by BODY.PEEK, so that flags stay as they are; an owner may have letters that
were read marked as seen, or moved. The place reached is committed with the letters, before the next is asked for. The
reader waits by IDLE where the server offers it, else for a minute.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Q
from django.db.models.functions import Now
from django.utils import timezone
from imap_tools import MailMessageFlags
from imap_tools.errors import ImapToolsError, MailboxFolderSelectError

from apps import egress, leases
from apps.egress.imap import ImapError
from apps.letters.actions.receiving.doors import accept
from apps.letters.actions.receiving.imap import Box, open_box
from apps.letters.actions.receiving.problems import tell_owners
from apps.letters.models import Mailbox, ReadJob
from apps.letters.rules.mailboxes import BadServer, Door, MailServer, read_imap
from apps.letters.rules.reading.limits import MAX_LETTER_BYTES
from apps.letters.rules.server_problems import NEEDS_OWNER, ServerProblem, connection_problem, login_problem

logger = logging.getLogger(__name__)

TURN_S = 240  # then the lease is taken anew
IDLE_S, POLL_S = 50, 60
# Of a command and its answer; and of the whole talk, which ends before its lease does (`READING.longest_s`).
CALL_S, TALK_S = 30.0, 280.0
LETTER_BYTES = MAX_LETTER_BYTES + 64 * 1024
TALK_BYTES = 8 * LETTER_BYTES
# A reader that waits for letters makes room for mailboxes that have waited so long for their turn.
OTHERS_WAIT = timedelta(seconds=5)
REST_S = 3600
# Of a folder that was made anew (another UIDVALIDITY), so much is read again.
AGAIN = timedelta(days=7)
# Of one widget's mailboxes so many are read at once, by all workers.
TURNS_EACH = 4


@contextmanager
def connected(server: MailServer, *, seconds: float = TALK_S) -> Iterator[Box]:
    """The folder of a mailbox, opened for reading; the connection ends with the block. Raises ReadingFailed."""
    try:
        box = open_box(server, seconds=seconds, step_seconds=min(CALL_S, seconds), max_bytes=TALK_BYTES)
        try:
            yield box
        finally:
            box.client.end()
    except egress.LoginRefused as refused:
        raise ReadingFailed(login_problem(server.host, refused.said), server.host) from None
    except MailboxFolderSelectError:
        raise ReadingFailed(ServerProblem.NO_FOLDER, server.folder) from None
    except egress.EgressRefused as refused:
        raise ReadingFailed(connection_problem(refused.reason), server.host) from None
    except (ImapToolsError, ImapError, OSError, EOFError) as error:
        logger.info("a mailbox's server: %s", type(error).__name__)
        raise ReadingFailed(ServerProblem.ODD_ANSWER, server.host) from None


class ReadingFailed(Exception):
    """The mailbox cannot be read now: a code, and the host or the folder that it is about."""

    def __init__(self, problem: ServerProblem, detail: str) -> None:
        super().__init__(problem)
        self.code, self.detail = problem, detail


def read_mailbox(lease: leases.Lease[ReadJob]) -> None:
    """Reads a mailbox for some minutes: what is there, then what comes."""
    server = _server(lease.row)
    if server is None:
        return
    if lease.row.mailbox is not None and lease.row.mailbox.widget.is_moving:
        lease.later(POLL_S)  # what comes meanwhile stays in the mailbox
        return
    if lease.row.problem_code in NEEDS_OWNER and _is_resting(lease.row):
        lease.later(REST_S)  # until it is changed, which queues it anew
        return
    try:
        wait_s = _turn(lease, server)
    except ReadingFailed as failed:
        _note_problem(lease.row, failed)
        if failed.code in NEEDS_OWNER:
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
            fetch(lease.row, box, server, until=until, must_stop=lambda: lease.must_stop)
            if timezone.now() >= until or _is_used_up(box):
                return 0
            if not _has_idle(box) or _others_wait():
                return POLL_S
            connection.close()
            box.client.idle(min(IDLE_S, max(1, (until - timezone.now()).total_seconds())))
    return 0


def _has_idle(box: Box) -> bool:
    return "IDLE" in box.client.capabilities


def _is_used_up(box: Box) -> bool:
    return box.client.bytes_left < 2 * LETTER_BYTES


def _others_wait() -> bool:
    """Whether a mailbox waits for its turn although its widget has no turn too many: no worker has a place."""
    rows = ReadJob.objects.unscoped("the readers of the installation")
    held = Q(claim_id__isnull=False, lease_until__gt=Now())
    full = rows.filter(held).values("turn_of").annotate(turns=Count("pk")).filter(turns__gte=TURNS_EACH)
    waiting = rows.filter(due_at__lte=Now() - OTHERS_WAIT).exclude(held).exclude(turn_of__in=full.values("turn_of"))
    return waiting.exists()


def _never() -> bool:
    return False


def fetch(
    job: ReadJob,
    box: Box,
    server: MailServer | None = None,
    *,
    until: datetime | None = None,
    must_stop: Callable[[], bool] = _never,
) -> int:
    """Stores the letters that came since the last one; returns how many. Letters that were stored are marked as seen
    or moved where the `server`'s address says so.

    The first time nothing is read of what lies there already. It ends early `until` a moment, and where it must stop.
    """
    validity, next_uid = _status(box)
    if job.uid_validity is None:
        _keep(job, validity, next_uid - 1)
        return 0
    if job.uid_validity != validity:
        job.last_uid = _first_since(box) - 1
    count = 0
    uids = [uid for uid in _uids(box, f"UID {job.last_uid + 1}:*") if uid > job.last_uid]
    for uid in sorted(uids):
        if must_stop() or _is_used_up(box) or (until is not None and timezone.now() >= until):
            return count
        raw = _raw(box, uid)
        with transaction.atomic():
            if raw is not None:
                accept(raw, door=Door.IMAP, mailbox=job.mailbox, recipients=())
            _keep(job, validity, uid)
        if server is not None:
            _put_away(box, uid, server)
        count += 1
    if job.uid_validity != validity:
        _keep(job, validity, max(job.last_uid, 0))
    return count


def _status(box: Box) -> tuple[int, int]:
    """UIDVALIDITY, and the UID that the next letter gets."""
    found = box.folder.status(box.folder.get() or "INBOX", ["UIDVALIDITY", "UIDNEXT"])
    return int(found.get("UIDVALIDITY", 0)), int(found.get("UIDNEXT", 1))


def _uids(box: Box, criteria: str) -> list[int]:
    kind, data = box.client.uid("SEARCH", None, criteria)  # type: ignore[arg-type]
    if kind != "OK" or not data or data[0] is None:
        return []
    return [int(one) for one in data[0].split() if one.isdigit()]


def _first_since(box: Box) -> int:
    """The UID of the first letter of the last days."""
    day = (timezone.now() - AGAIN).strftime("%d-%b-%Y")
    return min(_uids(box, f"SINCE {day}"), default=_status(box)[1])


def _raw(box: Box, uid: int) -> bytes | None:
    """A letter as it lies there; None for one that is gone. One over the limit is fetched as far as that shows."""
    with box.client.large_answers(LETTER_BYTES):
        kind, data = box.client.uid("FETCH", str(uid), f"(BODY.PEEK[]<0.{MAX_LETTER_BYTES + 1}>)")
    if kind != "OK":
        return None
    return next((piece[1] for piece in data if isinstance(piece, tuple) and len(piece) > 1), None)


def _put_away(box: Box, uid: int, server: MailServer) -> None:
    """Marks a letter that is stored as seen, or moves it. A refusal leaves it where it is: it was read."""
    try:
        if server.marks_seen:
            box.flag(str(uid), MailMessageFlags.SEEN, True)
        elif server.moves_to:
            box.move(str(uid), server.moves_to)
    except ImapToolsError as refused:
        logger.warning("a letter stays in its folder: %s", type(refused).__name__)


def _keep(job: ReadJob, validity: int, uid: int) -> None:
    """Notes the place reached, in the transaction of its letter. Raises LeaseLost: another reader has the row now."""
    job.uid_validity, job.last_uid = validity, uid
    rows = ReadJob.objects.unscoped("a row of the reader that has its lease")
    if not rows.filter(pk=job.pk, claim_id=job.claim_id).update(uid_validity=validity, last_uid=uid):
        raise leases.LeaseLost


def _note_connected(job: ReadJob) -> None:
    rows = ReadJob.objects.unscoped("a row of the reader that has its lease").filter(pk=job.pk)
    rows.update(connected_at=timezone.now(), problem_code="", problem_detail="", problem_at=None)


def _is_resting(job: ReadJob) -> bool:
    return job.problem_at is not None and job.problem_at > timezone.now() - timedelta(seconds=REST_S)


def _note_problem(job: ReadJob, failed: ReadingFailed) -> None:
    """Keeps why a mailbox is not read; of a refused login the owners are told once."""
    is_new = job.problem_code != failed.code
    with transaction.atomic():
        rows = ReadJob.objects.unscoped("a row of the reader that has its lease").filter(pk=job.pk)
        rows.update(problem_code=failed.code, problem_detail=failed.detail[:255], problem_at=timezone.now())
        if is_new and failed.code in NEEDS_OWNER and job.mailbox is not None:
            tell_owners(job.mailbox)
    logger.warning("a mailbox is not read: %s", failed.code)


def _server(job: ReadJob) -> MailServer | None:
    """The server of the mailbox; None where it is read no more."""
    if job.mailbox_id is not None:
        job.mailbox = Mailbox.objects.unscoped("of its job").select_related("widget__account").get(pk=job.mailbox_id)
        url = job.mailbox.imap
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
