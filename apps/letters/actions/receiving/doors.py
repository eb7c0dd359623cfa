"""The door of a letter: its raw form is stored and committed; a worker goes on. Every door calls `accept`."""

from collections.abc import Sequence
from email.parser import BytesHeaderParser
from io import BytesIO

from apps import leases
from apps.core.files import storage
from apps.letters.models import InLetter, Mailbox, SenderJob
from apps.letters.rules.mailboxes import Door, LetterKind
from apps.letters.rules.reading.bounded import POLICY
from apps.letters.rules.reading.headers import addresses, bare_address
from apps.letters.rules.reading.limits import MAX_HEADER_BYTES, MAX_HEADERS_BYTES, MAX_LETTER_BYTES

MAX_RECIPIENTS = 100


def accept(
    raw: bytes,
    *,
    door: Door,
    mailbox: Mailbox | None = None,
    recipients: Sequence[str] = (),
    envelope_sender: str | None = None,
) -> InLetter:
    """Stores a letter as it came, and has it read; `mailbox` is whose door it came by, None the installation's.

    `recipients` and `envelope_sender` are the envelope's; None and none where the door does not know them, "" is the
    null path. Inside a transaction it counts with that. Raises STORAGE_FAILED, TRY_AGAIN (503).
    """
    is_kept = len(raw) <= MAX_LETTER_BYTES
    row = InLetter(
        widget_id=mailbox.widget_id if mailbox else None,
        mailbox=mailbox,
        door=door,
        size=min(len(raw), 2**31 - 1),
        recipients=[found for one in recipients[:MAX_RECIPIENTS] if (found := bare_address(one))],
        envelope_sender=None if envelope_sender is None else bare_address(envelope_sender),
        sender=_sender(raw),
    )
    if not is_kept:
        # What is over the limit is not kept either: its row says that it came.
        row.raw_key = ""
        row.save(force_insert=True)
        _queue(row)
        return row
    with storage.stored(BytesIO(raw)) as key:
        row.raw_key = key
        row.save(force_insert=True)
        _queue(row)
    return row


def _queue(row: InLetter) -> None:
    leases.enqueue(SenderJob, unique={"sender": row.sender or f"#{row.pk}"})
    leases.wake_workers()


def _sender(raw: bytes) -> str:
    """From's address, as far as it can be told by its headers alone; empty where it is none, or not one."""
    head = raw[:MAX_HEADERS_BYTES].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    try:
        values = BytesHeaderParser(policy=POLICY).parsebytes(head, headersonly=True).get_all("from", [])
    except (RecursionError, ValueError):
        return ""
    found = [one for value in values[:3] for one in addresses(str(value)[:MAX_HEADER_BYTES])]
    return found[0].address if len(found) == 1 else ""


def queue_left() -> None:
    """Has letters read whose wake-up was lost, or whose job was given up. Harmless when run twice at once."""
    rows = InLetter.objects.unscoped("letters of every door").filter(handled_at=None, kind=LetterKind.WAITING)
    for sender, pk in rows.order_by("id").values_list("sender", "id")[:1_000]:
        leases.enqueue(SenderJob, unique={"sender": sender or f"#{pk}"})
    leases.wake_workers()
